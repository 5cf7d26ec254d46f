// A film of what is seen: WebM where the browser can record, else pictures in a zip file.

// The film runs in real time while it is recorded: `paint(k, sheet)` puts picture k on the sheet.
export async function film(count: number, rate: number, size: [number, number], paint: (k: number, sheet: HTMLCanvasElement) => Promise<void>,
  pictures: boolean, tell: (share: number) => void, stop: AbortSignal): Promise<{ blob: Blob; ending: 'webm' | 'zip' } | null> {
  const sheet = document.createElement('canvas');
  [sheet.width, sheet.height] = size.map((n) => 2 * Math.round(n / 2)); // coders like even numbers
  const kind = pictures ? undefined : recorder();
  return kind ? record(sheet, kind, count, rate, paint, tell, stop) : zipped(sheet, count, paint, tell, stop);
}

export function recorder(): string | undefined {
  if (typeof MediaRecorder === 'undefined') return undefined;
  return ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((type) => MediaRecorder.isTypeSupported(type));
}

type Paint = (k: number, sheet: HTMLCanvasElement) => Promise<void>;

async function record(sheet: HTMLCanvasElement, mimeType: string, count: number, rate: number, paint: Paint, tell: (share: number) => void, stop: AbortSignal) {
  await paint(0, sheet);
  const stream = sheet.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const coder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: 12e6 });
  const pieces: Blob[] = [];
  coder.ondataavailable = (e) => pieces.push(e.data);
  const over = new Promise<void>((done) => (coder.onstop = () => done()));
  coder.start();
  for (let k = 0; k < count && !stop.aborted; ++k) {
    // the clock of the film stands while a picture is drawn
    if (k > 0) {
      coder.pause();
      await paint(k, sheet);
      coder.resume();
    }
    track.requestFrame();
    tell((k + 1) / count);
    await new Promise((done) => setTimeout(done, 1000 / rate));
  }
  coder.stop();
  await over;
  track.stop();
  return stop.aborted ? null : { blob: new Blob(pieces, { type: 'video/webm' }), ending: 'webm' as const };
}

async function zipped(sheet: HTMLCanvasElement, count: number, paint: Paint, tell: (share: number) => void, stop: AbortSignal) {
  const files: { name: string; bytes: Uint8Array<ArrayBuffer> }[] = [];
  for (let k = 0; k < count; ++k) {
    if (stop.aborted) return null;
    await paint(k, sheet);
    const blob = await new Promise<Blob | null>((done) => sheet.toBlob(done));
    if (!blob) throw new Error('no picture');
    files.push({ name: `${String(k).padStart(6, '0')}.png`, bytes: new Uint8Array(await blob.arrayBuffer()) });
    tell((k + 1) / count);
  }
  return { blob: zip(files), ending: 'zip' as const };
}

let checks: Uint32Array | null = null;
function crc32(bytes: Uint8Array): number {
  checks ??= Uint32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; ++k) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n;
  });
  let crc = 0xffffffff;
  for (const byte of bytes) crc = checks[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

// Files one after the other, not compressed: pictures are already. APPNOTE 6.3 of the format, 4.3.7 to 4.3.16.
export function zip(files: { name: string; bytes: Uint8Array<ArrayBuffer> }[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [], list: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  const head = (signature: number, numbers: [number, 2 | 4][], name = ''): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(4 + numbers.reduce((sum, [, size]) => sum + size, 0) + name.length);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, signature, true);
    let to = 4;
    for (const [value, size] of numbers) {
      if (size === 2) view.setUint16(to, value, true);
      else view.setUint32(to, value, true);
      to += size;
    }
    bytes.set(new TextEncoder().encode(name), to);
    return bytes;
  };
  for (const { name, bytes } of files) {
    // version, flags, no compression, time and date (1980-01-01), check, sizes, lengths of name and extra
    const common: [number, 2 | 4][] = [[20, 2], [0, 2], [0, 2], [0, 2], [33, 2], [crc32(bytes), 4], [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2]];
    const local = head(0x04034b50, common, name);
    parts.push(local, bytes);
    list.push(head(0x02014b50, [[20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]], name));
    at += local.length + bytes.length;
  }
  const length = list.reduce((sum, entry) => sum + entry.length, 0);
  const end = head(0x06054b50, [[0, 2], [0, 2], [files.length, 2], [files.length, 2], [length, 4], [at, 4], [0, 2]]);
  return new Blob([...parts, ...list, end], { type: 'application/zip' });
}
