// What is seen: grains, walls, force chains. A new frame fills the buffers that are there and uploads them once.
import {
  BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, DynamicDrawUsage, GLSL3, Group, InstancedBufferAttribute,
  InstancedBufferGeometry, LineBasicMaterial, LineSegments, LinearSRGBColorSpace, Mesh, Scene, ShaderMaterial, Vector2, Vector3,
  WebGLRenderer,
} from 'three';
import type { FrameData, Numbers, Triple } from './api';
import { chainColour, darkChainColour, kindTable, mapColour, table } from './colours';
import type { Range } from './colouring';
import { Orbit } from './orbit';
import { rodFragment, rodVertex, sphereFragment, sphereVertex, wallFragment, wallVertex } from './shaders';

function texture(bytes: Uint8Array): DataTexture {
  const made = new DataTexture(bytes as Uint8Array<ArrayBuffer>, 256, 1);
  made.needsUpdate = true;
  return made;
}

// Arrays of one value or vector per instance, with room to grow.
class Instances {
  readonly geometry = new InstancedBufferGeometry();
  private room = 0;
  constructor(private readonly columns: Record<string, number>) {
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.geometry.instanceCount = 0;
  }
  set(count: number, values: Record<string, Numbers>): void {
    if (count > this.room) {
      this.geometry.dispose();
      this.room = Math.ceil(1.2 * count);
      for (const [name, components] of Object.entries(this.columns)) {
        const attribute = new InstancedBufferAttribute(new Float32Array(this.room * components), components);
        attribute.setUsage(DynamicDrawUsage);
        this.geometry.setAttribute(name, attribute);
      }
    }
    this.geometry.instanceCount = count;
    for (const [name, numbers] of Object.entries(values)) {
      const attribute = this.geometry.getAttribute(name) as InstancedBufferAttribute | undefined;
      if (!attribute || count === 0) continue;
      (attribute.array as Float32Array).set(numbers);
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, numbers.length);
      attribute.needsUpdate = true;
    }
  }
}

export interface Colouring {
  values: Float32Array;
  low: number;
  high: number;
  kinds: boolean;
}

export class View {
  readonly orbit: Orbit;
  private readonly renderer: WebGLRenderer;
  private readonly body = new Group();
  private readonly scene = new Scene();
  private readonly over = new Scene(); // chains, before the grains
  private readonly overBody = new Group();
  private readonly spheres = new Instances({ centre: 3, radius: 1, value: 1 });
  private readonly rods = new Instances({ from: 3, to: 3, value: 1, least: 1 });
  private readonly maps = { numbers: texture(table(mapColour)), kinds: texture(kindTable()), chains: texture(table(chainColour)),
    darkChains: texture(table(darkChainColour)) };
  private readonly grains: ShaderMaterial;
  private readonly chains: ShaderMaterial;
  private readonly wallSurface: ShaderMaterial;
  private readonly wallEdges = new LineBasicMaterial({ transparent: true, depthWrite: false });
  private readonly walls: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly edges: LineSegments<BufferGeometry, LineBasicMaterial>;
  private origin: Triple = [0, 0, 0]; // of the world that is drawn
  private frame: FrameData | null = null;
  private centre = new Vector3();
  private waiting = 0;
  private readonly detach: () => void;
  private readonly watcher: ResizeObserver;
  drawn = () => {};

  constructor(readonly canvas: HTMLCanvasElement, up: Triple, flatAxis: number | null) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = LinearSRGBColorSpace; // colours are those of the screen already
    this.renderer.autoClear = false;
    const light = { value: new Vector3(-0.45, 0.75, 0.55).normalize() };
    this.grains = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: sphereVertex, fragmentShader: sphereFragment,
      uniforms: {
        map: { value: this.maps.numbers }, range: { value: new Vector2(0, 1) }, kinds: { value: 0 }, pale: { value: 0 },
        paper: { value: new Color() }, light, chosen: { value: -1 },
      },
    });
    this.chains = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: rodVertex, fragmentShader: rodFragment, side: DoubleSide,
      uniforms: { map: { value: this.maps.chains }, range: { value: new Vector2(0, 1) }, width: { value: 1 } },
    });
    this.wallSurface = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: wallVertex, fragmentShader: wallFragment, side: DoubleSide, transparent: true,
      depthWrite: false,
      uniforms: {
        middle: { value: new Vector3() }, size: { value: 1 }, tint: { value: new Color() }, opacity: { value: 0.5 }, light,
      },
    });
    const mesh = new Mesh(this.spheres.geometry, this.grains);
    const rods = new Mesh(this.rods.geometry, this.chains);
    this.walls = new Mesh(new BufferGeometry(), this.wallSurface);
    this.edges = new LineSegments(new BufferGeometry(), this.wallEdges);
    for (const part of [mesh, rods, this.walls, this.edges]) part.frustumCulled = false;
    this.walls.renderOrder = 1;
    this.edges.renderOrder = 2;
    this.body.add(mesh, this.walls, this.edges);
    this.overBody.add(rods);
    this.scene.add(this.body);
    this.over.add(this.overBody);
    this.over.visible = false;
    this.orbit = new Orbit(up, flatAxis, () => this.draw());
    this.detach = this.orbit.attach(canvas);
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(canvas.parentElement as HTMLElement);
    this.resize();
  }

  dispose(): void {
    this.detach();
    this.watcher.disconnect();
    cancelAnimationFrame(this.waiting);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  setTheme(paper: string, wall: string, line: string, dark: boolean): void {
    this.chains.uniforms.map.value = dark ? this.maps.darkChains : this.maps.chains;
    // as they are on the screen, without conversion
    const plain = (text: string) => new Color().setStyle(text, LinearSRGBColorSpace);
    this.renderer.setClearColor(plain(paper), 1);
    this.grains.uniforms.paper.value = plain(paper);
    this.wallSurface.uniforms.tint.value = plain(wall);
    this.wallEdges.color = plain(line);
    this.wallEdges.opacity = 0.7;
    this.draw();
  }

  setFrame(frame: FrameData, first: boolean): void {
    this.frame = frame;
    if (first) this.origin = frame.origin;
    const shift = frame.origin.map((x, k) => x - this.origin[k]) as Triple;
    this.body.position.set(...shift);
    this.overBody.position.set(...shift);
    const world = (p: Triple) => p.map((x, k) => x - this.origin[k]) as Triple;
    const low = world(frame.view[0]);
    const high = world(frame.view[1]);
    this.centre.set((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
    this.wallSurface.uniforms.size.value = 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    this.spheres.set(frame.count, { centre: frame.arrays.position, radius: frame.arrays.radius });
    this.setWalls(frame);
    this.setChains(frame);
    this.draw();
  }

  // Looks at what these frames show.
  fit(frames: Pick<FrameData, 'focus'>[]): void {
    const end = (which: 0 | 1, choose: (...x: number[]) => number) =>
      this.origin.map((o, k) => choose(...frames.map((f) => f.focus[which][k])) - o) as Triple;
    if (frames.length) this.orbit.show(end(0, Math.min), end(1, Math.max));
  }

  seeAs(other: View): void {
    this.orbit.copy(other.orbit, other.origin.map((x, k) => x - this.origin[k]) as Triple);
  }

  setColours(c: Colouring): void {
    this.spheres.set(c.values.length, { value: c.values });
    this.grains.uniforms.range.value.set(c.low, c.high > c.low ? c.high : c.low + 1);
    this.grains.uniforms.kinds.value = c.kinds ? 1 : 0;
    this.grains.uniforms.map.value = c.kinds ? this.maps.kinds : this.maps.numbers;
    this.draw();
  }

  showWalls(on: boolean): void {
    this.walls.visible = this.edges.visible = on;
    this.draw();
  }

  showChains(on: boolean): void {
    this.over.visible = on;
    this.grains.uniforms.pale.value = on ? 1 : 0;
    this.draw();
  }

  choose(k: number): void {
    this.grains.uniforms.chosen.value = k;
    this.draw();
  }

  // The grain under a point of the canvas, -1: none. The ray is held against every sphere, in doubles.
  pick(x: number, y: number): number {
    const frame = this.frame;
    if (!frame) return -1;
    const box = this.canvas.getBoundingClientRect();
    const camera = this.orbit.camera;
    const to = new Vector3(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2, 0.5)
      .unproject(camera).sub(camera.position).normalize();
    const eye = camera.position.clone().sub(this.body.position);
    const p = frame.arrays.position;
    const r = frame.arrays.radius;
    let nearest = Infinity;
    let found = -1;
    for (let k = 0; k < frame.count; ++k) {
      const cx = p[3 * k] - eye.x, cy = p[3 * k + 1] - eye.y, cz = p[3 * k + 2] - eye.z;
      const along = cx * to.x + cy * to.y + cz * to.z;
      const inside = r[k] * r[k] - (cx * cx + cy * cy + cz * cz - along * along);
      if (inside < 0 || along <= 0) continue;
      const at = along - Math.sqrt(inside);
      if (at < nearest) {
        nearest = at;
        found = k;
      }
    }
    return found;
  }

  // Where a grain is on the canvas, and how large, in pixels of the page.
  where(k: number): { x: number; y: number; radius: number } {
    const { position, radius } = (this.frame as FrameData).arrays;
    const camera = this.orbit.camera;
    const p = new Vector3(position[3 * k], position[3 * k + 1], position[3 * k + 2]).add(this.body.position);
    const distance = p.distanceTo(camera.position);
    p.project(camera);
    const height = this.canvas.clientHeight;
    return {
      x: (0.5 + 0.5 * p.x) * this.canvas.clientWidth, y: (0.5 - 0.5 * p.y) * height,
      radius: (0.5 * height * radius[k]) / distance / Math.tan((camera.fov * Math.PI) / 360),
    };
  }

  // Draws now, so that the canvas can be read.
  drawNow(): void {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    const camera = this.orbit.camera;
    this.wallSurface.uniforms.middle.value.copy(this.centre).applyMatrix4(camera.matrixWorldInverse);
    this.renderer.clear();
    this.renderer.render(this.scene, camera);
    if (this.over.visible) {
      this.renderer.clearDepth();
      this.renderer.render(this.over, camera);
    }
    this.drawn();
  }

  private draw(): void {
    if (!this.waiting) this.waiting = requestAnimationFrame(() => this.drawNow());
  }

  private resize(): void {
    const holder = this.canvas.parentElement as HTMLElement;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(holder.clientWidth, holder.clientHeight);
    this.orbit.resize(holder.clientWidth, holder.clientHeight);
  }

  private setWalls(frame: FrameData): void {
    const corners = frame.arrays.wall_corner as Float32Array;
    const fill = (geometry: BufferGeometry, name: string, numbers: Float32Array, components: number) => {
      const there = geometry.getAttribute(name) as BufferAttribute | undefined;
      if (there && there.array.length === numbers.length) {
        (there.array as Float32Array).set(numbers);
        there.needsUpdate = true;
      } else geometry.setAttribute(name, new BufferAttribute(numbers, components));
    };
    const same = this.walls.geometry.getAttribute('position')?.array.length === corners.length;
    if (!same) this.walls.geometry.dispose();
    const endless = new Float32Array(corners.length / 3);
    const wall = frame.arrays.wall_of_corner;
    for (let k = 0; k < endless.length; ++k) endless[k] = frame.walls[wall[k]].endless ? 1 : 0;
    fill(this.walls.geometry, 'position', corners, 3);
    fill(this.walls.geometry, 'facet', frame.arrays.wall_normal as Float32Array, 3);
    fill(this.walls.geometry, 'endless', endless, 1);
    const edges = frame.arrays.wall_edge as Float32Array;
    if (this.edges.geometry.getAttribute('position')?.array.length !== edges.length) this.edges.geometry.dispose();
    fill(this.edges.geometry, 'position', edges, 3);
  }

  // Contacts by their normal force, bonds by their force.
  private setChains(frame: FrameData): void {
    const lines = [frame.arrays.contact_line, frame.arrays.bond_line] as Float32Array[];
    const forces = [frame.arrays.contact_force, frame.arrays.bond_force] as Float32Array[];
    const count = forces[0].length + forces[1].length;
    const from = new Float32Array(3 * count), to = new Float32Array(3 * count), value = new Float32Array(count), least = new Float32Array(count);
    let at = 0;
    lines.forEach((line, kind) => {
      for (let k = 0; k < forces[kind].length; ++k, ++at) {
        from.set(line.subarray(6 * k, 6 * k + 3), 3 * at);
        to.set(line.subarray(6 * k + 3, 6 * k + 6), 3 * at);
        value[at] = forces[kind][k];
        least[at] = kind === 1 ? 0.1 : 0; // a bond without force is there all the same
      }
    });
    this.rods.set(count, { from, to, value, least });
    this.chainRange = rangeOfChains(value);
    this.chains.uniforms.range.value.set(0, this.chainRange.high || 1);
    const radius = frame.arrays.radius;
    let sum = 0;
    for (let k = 0; k < frame.count; ++k) sum += radius[k];
    this.chains.uniforms.width.value = frame.count ? sum / frame.count : 1;
  }
  chainRange: Range = { low: 0, high: 1, beyond: false }; // N
}

// The scale ends at the strongest of all but half a per cent, and says so.
function rangeOfChains(values: Float32Array): Range {
  if (values.length === 0) return { low: 0, high: 0, beyond: false };
  const sorted = values.map(Math.abs).sort();
  const high = sorted[Math.floor(0.995 * (sorted.length - 1))];
  return { low: 0, high, beyond: sorted[sorted.length - 1] > high };
}

// Where the centres of all grains are.
export function grainBox(frame: FrameData): [Triple, Triple] {
  const p = frame.arrays.position;
  const low: Triple = [Infinity, Infinity, Infinity], high: Triple = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < p.length; ++k) {
    low[k % 3] = Math.min(low[k % 3], p[k] + frame.origin[k % 3]);
    high[k % 3] = Math.max(high[k % 3], p[k] + frame.origin[k % 3]);
  }
  return frame.count ? [low, high] : frame.focus;
}
