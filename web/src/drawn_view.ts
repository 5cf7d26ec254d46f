// The picture where there is no WebGL: the server draws what the camera sees. One request is under way at a time; when it
// is answered, the newest state is asked for, and what lay between is dropped. Half the size while the camera moves. A
// picture in full is not waited for: the server gives it up for the next one.
import type { Drawer, FrameData, Triple } from './api';
import type { Colouring } from './colouring';
import type { Orbit } from './orbit';
import { Picture } from './picture';
import type { Only } from './selection';

const hex = (bytes: Uint8Array): string => {
  let text = '';
  for (let k = 0; k < 256; ++k) for (let c = 0; c < 3; ++c) text += bytes[4 * k + c].toString(16).padStart(2, '0');
  return text;
};

export class DrawnView extends Picture {
  private readonly client = Math.random().toString(36).slice(2);
  private readonly g: CanvasRenderingContext2D;
  private busy = false;
  private full = false; // the picture under way is the one at rest
  private turn = 0; // of the last request
  private count = 0; // of pictures
  private again = false;
  private over = false;
  private dark = false;
  private chains = false;
  private chosen: number | null = null;
  private colours: { name: string; low: number; high: number; kinds: boolean; table: string; frame: FrameData | null } | null = null;
  private only: Only = { by: 'all', names: [], box: [], fades: false };
  private waiters: (() => void)[] = [];

  constructor(canvas: HTMLCanvasElement, orbit: Orbit, private readonly up: Triple, private readonly picture: Drawer,
    private readonly failed: (e: unknown) => void) {
    super(canvas, orbit);
    this.g = canvas.getContext('2d') as CanvasRenderingContext2D;
    this.resize();
  }

  override dispose(): void {
    super.dispose();
    this.over = true;
    this.release();
  }

  setTheme(dark: boolean): void {
    this.dark = dark;
    this.draw();
  }
  setColours(c: Colouring): void {
    this.colours = { name: c.name, low: c.low, high: c.high, kinds: c.kinds, table: hex(c.table), frame: this.frame };
    this.draw();
  }
  setOnly(only: Only): void {
    this.only = only;
    this.draw();
  }
  showChains(on: boolean): void {
    this.chains = on;
    this.draw();
  }
  choose(k: number): void {
    this.chosen = k < 0 || !this.frame ? null : this.frame.arrays.id[k];
    this.draw();
  }
  settled(): Promise<void> {
    this.rest();
    this.drawNow();
    return this.busy ? new Promise((done) => this.waiters.push(done)) : Promise.resolve();
  }

  protected isPainted(): boolean {
    return !this.busy && this.count > 0;
  }
  protected isCoarse(): boolean {
    return true;
  }
  protected takeFrame(): void {}
  protected takeSize(width: number, height: number): void {
    const scale = Math.min(2, devicePixelRatio);
    const size = [Math.max(16, Math.min(4096, Math.round(scale * width))), Math.max(16, Math.min(4096, Math.round(scale * height)))];
    if (this.canvas.width === size[0] && this.canvas.height === size[1]) return;
    // what is there stays until the new one comes: a canvas that changes its size is cleared
    const before = this.canvas.width && this.canvas.height ? this.copy() : null;
    [this.canvas.width, this.canvas.height] = size;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    if (before) this.g.drawImage(before, 0, 0, size[0], size[1]);
  }

  protected paint(): void {
    if (this.busy && !this.full) this.again = true;
    else void this.ask();
  }

  private copy(): HTMLCanvasElement {
    const kept = document.createElement('canvas');
    kept.width = this.canvas.width;
    kept.height = this.canvas.height;
    kept.getContext('2d')?.drawImage(this.canvas, 0, 0);
    return kept;
  }

  private async ask(): Promise<void> {
    const frame = this.frame, colours = this.colours;
    if (!frame || !colours || colours.frame !== frame || this.canvas.width < 16) return this.busy ? undefined : this.release();
    const turn = ++this.turn;
    this.busy = true;
    this.again = false;
    this.full = this.haste === 'none';
    const camera = this.orbit.camera;
    const world = (p: { x: number; y: number; z: number }) => [p.x + this.origin[0], p.y + this.origin[1], p.z + this.origin[2]];
    const share = this.haste === 'camera' ? 0.5 : 1;
    const side = (n: number) => Math.max(16, Math.round(share * n));
    const matrix = camera.matrixWorld.elements;
    const only = this.only;
    try {
      const blob = await this.picture(frame, this.client, {
        width: side(this.canvas.width), height: side(this.canvas.height), samples: !this.full || this.canvas.width * this.canvas.height > 2.5e6 ? 1 : 2,
        eye: world(camera.position), target: world(this.orbit.target), up: [matrix[4], matrix[5], matrix[6]], field_of_view: camera.fov,
        height_along: this.up, colour: colours.name, low: colours.low, high: colours.high > colours.low ? colours.high : colours.low + 1,
        kinds: colours.kinds, table: colours.table, dark: this.dark, walls: this.wallsOn, chains: this.chains,
        cuts: this.planes.map((p) => [...p.n, p.d]), chosen: this.chosen,
        ...(only.by === 'group' ? { groups: only.names } : only.by === 'material' ? { materials: only.names } : {}),
        ...(only.by === 'region' ? { box: only.box } : {}), fades: only.fades,
      });
      const image = blob.size > 0 ? await createImageBitmap(blob) : null;
      if (turn === this.turn && !image) this.again = true; // given up: the request before came after this one
      if (turn === this.turn && image && !this.over) {
        this.g.imageSmoothingEnabled = true;
        this.g.drawImage(image, 0, 0, this.canvas.width, this.canvas.height);
        this.canvas.dataset.drawn = `${frame.index} ${++this.count}`;
        this.drawn();
      }
      image?.close();
    } catch (e) {
      if (turn === this.turn && !this.over) this.failed(e);
    }
    if (turn !== this.turn) return; // the next one took over
    this.busy = false;
    if (this.over) return;
    if (this.again) return void this.ask();
    this.tellRest();
    this.release();
  }

  private release(): void {
    for (const done of this.waiters.splice(0)) done();
  }
}
