// Frames that were fetched, the least recently shown given up when they become too many bytes.
import { getFrame, type FrameData } from './api';

const most = 160e6; // bytes

export class FrameStore {
  private readonly kept = new Map<string, { frame: FrameData; bytes: number }>();
  private bytes = 0;
  constructor(private readonly run: string) {}

  clear(): void {
    this.kept.clear();
    this.bytes = 0;
  }

  async get(index: number, array: string, signal?: AbortSignal): Promise<FrameData> {
    const key = `${index} ${array}`;
    const there = this.kept.get(key);
    if (there) {
      this.kept.delete(key);
      this.kept.set(key, there);
      return there.frame;
    }
    const frame = await getFrame(this.run, index, array ? [array] : [], signal);
    const bytes = frame.arrays.id.buffer.byteLength;
    this.kept.set(key, { frame, bytes });
    this.bytes += bytes;
    for (const [old, entry] of this.kept) {
      if (this.bytes <= most || old === key) break;
      this.kept.delete(old);
      this.bytes -= entry.bytes;
    }
    return frame;
  }
}
