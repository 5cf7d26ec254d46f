// What both ways of drawing share: the frame, the camera, what is cut and selected, and what lies under a point. The
// world that is drawn is that of the case, moved so that numbers are small.
import { Vector3 } from 'three';
import type { FrameData, Triple } from './api';
import type { Colouring } from './colouring';
import { cross, dot, shorten, type Plane } from './cuts';
import type { Orbit } from './orbit';
import { hidden } from './selection';

export type Hit = { grain: number; point: Triple } | { wall: number; point: Triple };

export type Haste = 'none' | 'frame' | 'camera';

const restDelay = 180; // ms from the last coarse picture to that in full

export abstract class Picture {
  protected origin: Triple = [0, 0, 0]; // of the world that is drawn
  protected frame: FrameData | null = null;
  protected planes: Plane[] = [];
  protected shownOf: Float32Array | null = null;
  protected wallsOn = true;
  private waiting = 0;
  private resting = 0;
  private begun = 0; // when the frame came whose picture is under way; 0: none is
  effort = 0; // ms that the last frame took until its picture was at rest
  protected haste: Haste = 'none'; // why the picture may be coarser for a moment
  private readonly detach: () => void;
  private readonly watcher: ResizeObserver;
  drawn = () => {};

  constructor(readonly canvas: HTMLCanvasElement, readonly orbit: Orbit) {
    this.detach = orbit.attach(canvas);
    orbit.changed = () => this.hurry('camera');
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(canvas.parentElement as HTMLElement);
  }

  abstract setTheme(dark: boolean, colour: (name: string) => string): void;
  abstract setColours(c: Colouring): void;
  abstract showChains(on: boolean): void;
  abstract choose(k: number): void;
  protected abstract takeFrame(frame: FrameData): void;
  protected abstract takeSize(width: number, height: number): void;
  protected abstract isCoarse(haste: Haste): boolean; // whether a picture in haste differs from one at rest
  protected abstract paint(): void;
  protected abstract isPainted(): boolean; // nothing of it is under way
  // All that was asked for is on the canvas.
  abstract settled(): Promise<void>;
  // What was handed to others to draw is drawn.
  protected finished(): Promise<void> {
    return Promise.resolve();
  }

  dispose(): void {
    this.detach();
    this.watcher.disconnect();
    cancelAnimationFrame(this.waiting);
    clearTimeout(this.resting);
    this.orbit.changed = () => {};
  }

  setFrame(frame: FrameData, first: boolean): void {
    this.frame = frame;
    if (first) this.origin = frame.origin;
    this.begun = performance.now();
    this.takeFrame(frame);
    this.hurry('frame');
  }
  setPlanes(planes: Plane[]): void {
    this.planes = planes;
    this.draw();
  }
  setPresence(values: Float32Array | null): void {
    this.shownOf = values;
    this.draw();
  }
  showWalls(on: boolean): void {
    this.wallsOn = on;
    this.draw();
  }

  // Looks at what these frames show.
  fit(frames: Pick<FrameData, 'focus'>[]): void {
    const end = (which: 0 | 1, choose: (...x: number[]) => number) =>
      this.origin.map((o, k) => choose(...frames.map((f) => f.focus[which][k])) - o) as Triple;
    if (frames.length) this.orbit.show(end(0, Math.min), end(1, Math.max));
  }

  // Looks from where another picture looks.
  seeAs(other: Picture): void {
    this.orbit.copy(other.orbit, other.origin.map((x, k) => x - this.origin[k]) as Triple);
  }

  // Of a point of the case in the world that is drawn.
  place(p: Triple): Triple {
    return [p[0] - this.origin[0], p[1] - this.origin[1], p[2] - this.origin[2]];
  }
  centreOf(k: number): Triple {
    const { arrays, origin } = this.frame as FrameData;
    return [0, 1, 2].map((a) => arrays.position[3 * k + a] + origin[a]) as Triple;
  }

  // The grain or the wall under a point of the page. The ray is held against every sphere, in doubles; a wall counts
  // where no grain is, the ones before the grains, all but clear, last of all.
  pick(x: number, y: number): Hit | null {
    const frame = this.frame;
    if (!frame) return null;
    const box = this.canvas.getBoundingClientRect();
    const camera = this.orbit.camera;
    const to = new Vector3(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2, 0.5)
      .unproject(camera).sub(camera.position).normalize();
    const along: Triple = [to.x, to.y, to.z];
    const eye = camera.position.toArray().map((v, k) => v + this.origin[k]) as Triple; // in the case
    const [ox, oy, oz] = eye.map((v, k) => v - frame.origin[k]);
    const at = (t: number) => eye.map((v, k) => v + t * along[k]) as Triple;
    const p = frame.arrays.position, r = frame.arrays.radius;
    let nearest = Infinity, found = -1;
    for (let k = 0; k < frame.count; ++k) {
      const cx = p[3 * k] - ox, cy = p[3 * k + 1] - oy, cz = p[3 * k + 2] - oz;
      const middle = cx * to.x + cy * to.y + cz * to.z;
      const inside = r[k] * r[k] - (cx * cx + cy * cy + cz * cz - middle * middle);
      if (inside < 0 || middle <= 0 || (this.shownOf && this.shownOf[k] === hidden)) continue;
      const half = Math.sqrt(inside);
      if (middle - half >= nearest) continue;
      const [begin, end] = shorten(this.planes, eye, along, middle - half, middle + half);
      if (begin <= end && begin < nearest) {
        nearest = begin;
        found = k;
      }
    }
    if (found >= 0) return { grain: found, point: at(nearest) };
    return this.wallsOn ? this.wallUnder(eye, along, at) : null;
  }

  // Which walls that do not bend round are before the grains, and clear: those that hide one of fifty, as in facets_before
  // (src/render/wall_shapes.cpp). Of one that bends, these are the facets that face the eye.
  protected sheetsBefore(): boolean[] {
    const { shapes: { origin, corner, wallOfCorner, bends }, view, count } = this.frame as FrameData;
    const eye = this.orbit.camera.position.toArray().map((v, k) => v + this.origin[k]);
    const seen = (p: number[]) => p.map((v, a) => v - eye[a]) as Triple; // from the eye
    const sample: Triple[] = [];
    for (let k = 0; k < count; k += Math.max(1, Math.floor(count / 200))) {
      const p = this.centreOf(k);
      if (p.every((v, a) => v >= view[0][a] && v <= view[1][a])) sample.push(seen(p));
    }
    if (!sample.length) sample.push(seen(view[0].map((low, a) => (low + view[1][a]) / 2)));
    const hidden = bends.map(() => new Set<Triple>());
    for (let c = 0; c < corner.length; c += 9) {
      const wall = wallOfCorner[c / 3];
      if (bends[wall]) continue;
      const [p, q, r] = [c, c + 3, c + 6].map((at) => seen(origin.map((v, a) => v + corner[at + a])));
      // planes through the eye and a side of the triangle; their sum is its own
      const sides = [cross(p, q), cross(q, r), cross(r, p)];
      const level = sides.reduce((sum, n) => sum + dot(n, p), 0);
      for (const x of sample) {
        const [u, v, w] = [dot(sides[0], x), dot(sides[1], x), dot(sides[2], x)];
        if (u > 0 === v > 0 && u > 0 === w > 0 && (u + v + w) / level > 1) hidden[wall].add(x);
      }
    }
    return hidden.map((some) => some.size > 0 && 50 * some.size >= sample.length);
  }

  private wallUnder(eye: Triple, along: Triple, at: (t: number) => Triple): Hit | null {
    const { shapes } = this.frame as FrameData;
    const from = new Vector3(...eye.map((v, k) => v - shapes.origin[k]) as Triple), to = new Vector3(...along);
    const sheets = this.sheetsBefore();
    const a = new Vector3(), b = new Vector3(), c = new Vector3(), n = new Vector3(), q = new Vector3();
    let best: { wall: number; t: number; clear: boolean } | null = null;
    for (let k = 0; k < shapes.wallOfCorner.length; k += 3) {
      a.fromArray(shapes.corner, 3 * k);
      b.fromArray(shapes.corner, 3 * k + 3).sub(a);
      c.fromArray(shapes.corner, 3 * k + 6).sub(a);
      n.crossVectors(b, c);
      const slope = n.dot(to);
      if (slope === 0) continue;
      const t = (n.dot(a) - n.dot(from)) / slope;
      if (!(t > 0)) continue;
      q.copy(from).addScaledVector(to, t).sub(a);
      const u = n.dot(new Vector3().crossVectors(q, c)) / n.lengthSq(), v = n.dot(new Vector3().crossVectors(b, q)) / n.lengthSq();
      if (u < 0 || v < 0 || u + v > 1) continue;
      const [low, high] = shorten(this.planes, eye, along, t, t);
      if (low > high) continue;
      const wall = shapes.wallOfCorner[k];
      const clear = shapes.bends[wall] ? q.fromArray(shapes.normal, 3 * k).dot(to) < 0 : sheets[wall];
      if (!best || (best.clear && !clear) || (best.clear === clear && t < best.t)) best = { wall, t, clear };
    }
    return best && { wall: best.wall, point: at(best.t) };
  }

  // Where a point of the case is on the canvas, in pixels of the page, and how many of them a metre takes there.
  where(point: Triple): { x: number; y: number; scale: number; seen: boolean } {
    const camera = this.orbit.camera;
    const p = new Vector3(...this.place(point));
    const distance = p.distanceTo(camera.position);
    p.project(camera);
    const height = this.canvas.clientHeight;
    return {
      x: (0.5 + 0.5 * p.x) * this.canvas.clientWidth, y: (0.5 - 0.5 * p.y) * height, seen: p.z < 1,
      scale: (0.5 * height) / distance / Math.tan((camera.fov * Math.PI) / 360),
    };
  }

  draw(): void {
    this.canvas.dataset.busy = '';
    if (!this.waiting) this.waiting = requestAnimationFrame(() => this.drawNow());
  }

  // `data-busy` stands until the picture at rest is on the canvas, for whoever waits for it.
  protected tellRest(): void {
    if (this.waiting || this.resting || !this.isPainted()) return;
    delete this.canvas.dataset.busy;
    if (!this.begun) return;
    const { begun } = this;
    this.begun = 0;
    void this.finished().then(() => (this.effort = Math.max(0, performance.now() - begun - restDelay)));
  }

  // Draws now, so that the canvas can be read.
  drawNow(): void {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    this.paint();
    this.drawn();
    if (this.haste !== 'none') this.restAfter(restDelay);
    this.tellRest();
  }

  // While the camera moves, or frames follow each other, a coarser picture will do; soon after it is drawn in full.
  private hurry(why: 'frame' | 'camera'): void {
    this.expect(why);
    this.draw();
  }
  // Another picture is on its way: that at rest would only hold it up.
  expect(why: 'frame' | 'camera' = 'frame'): void {
    if (this.haste !== 'camera') this.haste = why;
    this.restAfter(1000);
  }
  private restAfter(ms: number): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), ms);
  }
  protected rest(): void {
    clearTimeout(this.resting);
    this.resting = 0;
    const was = this.haste;
    this.haste = 'none';
    if (was !== 'none' && this.isCoarse(was)) this.draw();
    else this.tellRest();
  }

  protected resize(): void {
    const holder = this.canvas.parentElement as HTMLElement;
    this.takeSize(holder.clientWidth, holder.clientHeight);
    this.orbit.resize(holder.clientWidth, holder.clientHeight);
    this.rest();
    this.draw();
  }
}
