// What is seen: grains, walls, force chains. A new frame fills the buffers that are there and uploads them once.
import {
  BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, FloatType, GLSL3, Group, LineBasicMaterial, LineSegments,
  LinearSRGBColorSpace, Mesh, Plane as ClippingPlane, RedFormat, Scene, ShaderMaterial, Vector2, Vector3, Vector4, WebGLRenderer,
} from 'three';
import type { FrameData, Numbers, Triple } from './api';
import { chainColour, darkChainColour, darkPullColour, pullColour, table } from './colours';
import type { Colouring } from './colouring';
import { dot, type Plane } from './cuts';
import type { Orbit } from './orbit';
import { Picture, type Haste } from './picture';
import { Visible } from './visible';
import { rodFragment, rodVertex, sphereFragment, sphereVertex, wallFragment, wallVertex } from './shaders';

function texture(bytes: Uint8Array): DataTexture {
  const made = new DataTexture(bytes as Uint8Array<ArrayBuffer>, 256, 1);
  made.needsUpdate = true;
  return made;
}

// A rectangle for each of many things, whose numbers the vertex shader fetches from textures: one draw of 100 000
// rectangles. (Instances would do the same on a graphics card, but a processor that stands in for one takes 40 us for each.)
// With room to grow.
class Rectangles {
  readonly geometry = new BufferGeometry();
  readonly numbers: Record<string, { value: DataTexture }> = {};
  private room = 0;
  constructor(private readonly columns: Record<string, number>) {
    for (const [name, components] of Object.entries(columns)) this.numbers[name] = { value: numberTexture(1, components) };
    this.geometry.setDrawRange(0, 0);
  }
  set(count: number, values: Record<string, Numbers>): void {
    if (count > this.room) {
      this.geometry.dispose();
      this.room = perRow * Math.ceil((1.2 * count) / perRow);
      const corners = new Uint32Array(6 * this.room);
      for (let k = 0, at = 0; k < this.room; ++k) for (const corner of [0, 1, 2, 0, 2, 3]) corners[at++] = 4 * k + corner;
      this.geometry.setIndex(new BufferAttribute(corners, 1));
      for (const [name, components] of Object.entries(this.columns)) {
        this.numbers[name].value.dispose();
        this.numbers[name].value = numberTexture(this.room, components);
      }
    }
    this.show(count);
    for (const [name, numbers] of Object.entries(values)) {
      const texture = this.numbers[name].value;
      (texture.image.data as Float32Array).set(numbers);
      texture.needsUpdate = true;
    }
  }
  show(count: number): void {
    this.geometry.setDrawRange(0, 6 * count);
  }
}

const perRow = 1024; // shaders.ts
function numberTexture(count: number, components: number): DataTexture {
  const rows = Math.ceil(count / perRow), width = perRow * components;
  const made = new DataTexture(new Float32Array(width * rows), width, rows, RedFormat, FloatType);
  made.needsUpdate = true;
  return made;
}

// Pixels drawn by the processor: fewer of them, without smoothing, keep a picture of 100 000 grains fluent.
const isSoftware = (gl: WebGLRenderingContext | WebGL2RenderingContext): boolean => {
  const told = gl.getExtension('WEBGL_debug_renderer_info');
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
};
let software: boolean | null = null; // nothing: not tried yet
let webgl = true;
export function hasWebgl(): boolean {
  if (software !== null || !webgl) return webgl;
  const gl = document.createElement('canvas').getContext('webgl2');
  webgl = gl !== null;
  if (gl) software = isSoftware(gl);
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return webgl;
}

// Pixels drawn for one of the page.
const many = 20_000; // grains: of fewer each frame is drawn with all its pixels
function ratioOf(haste: Haste, count: number): number {
  if (!software) return Math.min(2, devicePixelRatio);
  return haste === 'camera' || (haste === 'frame' && count > many) ? 0.5 : haste === 'frame' ? 1 : Math.min(1.5, Math.max(1, devicePixelRatio));
}

export class View extends Picture {
  private readonly renderer: WebGLRenderer;
  private readonly body = new Group();
  private readonly shapes = new Group(); // walls, which have an origin of their own
  private readonly scene = new Scene();
  private readonly over = new Scene(); // chains, before the grains
  private readonly overBody = new Group();
  private readonly spheres = new Rectangles({ centres: 3, radii: 1, values: 1, presences: 1, order: 1 });
  private readonly visible = new Visible();
  private readonly rods = new Rectangles({ ends: 6, forces: 1 });
  private readonly colours = texture(new Uint8Array(1024));
  private readonly maps = { chains: texture(table(chainColour)), pulls: texture(table(pullColour)),
    darkChains: texture(table(darkChainColour)), darkPulls: texture(table(darkPullColour)) };
  private readonly planesSeen = { value: Array.from({ length: 6 }, () => new Vector4()) };
  private readonly planeCount = { value: 0 };
  private readonly grains: ShaderMaterial;
  private readonly chains: ShaderMaterial;
  private readonly wallSurface: ShaderMaterial;
  private readonly wallEdges = new LineBasicMaterial({ transparent: true, depthWrite: false });
  private readonly walls: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly edges: LineSegments<BufferGeometry, LineBasicMaterial>;
  private grainsThere = ''; // keys of what the buffers hold
  private shapesThere = '';
  private allShown = false;
  private count = 0; // of pictures
  private ordered = 0; // grains whose order is the plain one
  private centre = new Vector3();

  constructor(canvas: HTMLCanvasElement, orbit: Orbit) {
    super(canvas, orbit);
    this.renderer = new WebGLRenderer({ canvas, antialias: !software, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = LinearSRGBColorSpace; // colours are those of the screen already
    this.renderer.autoClear = false;
    this.renderer.localClippingEnabled = true;
    const light = { value: new Vector3(-0.45, 0.75, 0.55).normalize() };
    this.grains = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: sphereVertex, fragmentShader: sphereFragment,
      uniforms: {
        ...this.spheres.numbers, map: { value: this.colours }, range: { value: new Vector2(0, 1) }, kinds: { value: 0 }, pale: { value: 0 },
        paper: { value: new Color() }, light, chosen: { value: -1 }, planes: this.planesSeen, planeCount: this.planeCount,
      },
    });
    this.chains = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: rodVertex, fragmentShader: rodFragment, side: DoubleSide,
      uniforms: { ...this.rods.numbers, firstBond: { value: 0 }, map: { value: this.maps.chains }, pullMap: { value: this.maps.pulls }, range: { value: new Vector2(0, 1) }, width: { value: 1 },
        planes: this.planesSeen, planeCount: this.planeCount },
    });
    this.wallSurface = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: wallVertex, fragmentShader: wallFragment, side: DoubleSide, transparent: true,
      depthWrite: false,
      uniforms: {
        middle: { value: new Vector3() }, size: { value: 1 }, tint: { value: new Color() }, opacity: { value: 0.5 }, light,
        planes: this.planesSeen, planeCount: this.planeCount,
      },
    });
    const mesh = new Mesh(this.spheres.geometry, this.grains);
    const rods = new Mesh(this.rods.geometry, this.chains);
    this.walls = new Mesh(new BufferGeometry(), this.wallSurface);
    this.edges = new LineSegments(new BufferGeometry(), this.wallEdges);
    for (const part of [mesh, rods, this.walls, this.edges]) part.frustumCulled = false;
    this.walls.renderOrder = 1;
    this.edges.renderOrder = 2;
    this.body.add(mesh);
    this.shapes.add(this.walls, this.edges);
    this.overBody.add(rods);
    this.scene.add(this.body, this.shapes);
    this.over.add(this.overBody);
    this.over.visible = false;
    this.resize();
  }

  override dispose(): void {
    super.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  setTheme(dark: boolean, colour: (name: string) => string): void {
    this.chains.uniforms.map.value = dark ? this.maps.darkChains : this.maps.chains;
    this.chains.uniforms.pullMap.value = dark ? this.maps.darkPulls : this.maps.pulls;
    // as they are on the screen, without conversion
    const plain = (name: string) => new Color().setStyle(colour(name), LinearSRGBColorSpace);
    this.renderer.setClearColor(plain('--paper'), 1);
    this.grains.uniforms.paper.value = plain('--paper');
    this.wallSurface.uniforms.tint.value = plain('--wall');
    this.wallEdges.color = plain('--edge');
    this.wallEdges.opacity = 0.7;
    this.draw();
  }

  setColours(c: Colouring): void {
    this.spheres.set(c.values.length, { values: c.values });
    this.grains.uniforms.range.value.set(c.low, c.high > c.low ? c.high : c.low + 1);
    this.grains.uniforms.kinds.value = c.kinds ? 1 : 0;
    (this.colours.image.data as Uint8Array).set(c.table);
    this.colours.needsUpdate = true;
    this.draw();
  }

  override setPlanes(planes: Plane[]): void {
    super.setPlanes(planes);
    this.wallEdges.clippingPlanes = planes.map((p) => new ClippingPlane(new Vector3(...p.n).negate(), p.d - dot(p.n, this.origin)));
  }

  override setPresence(values: Float32Array | null): void {
    super.setPresence(values);
    const count = this.frame?.count ?? 0;
    if (values) this.spheres.set(values.length, { presences: values });
    else if (!this.allShown) this.spheres.set(count, { presences: new Float32Array(count).fill(1) });
    this.allShown = values === null;
  }

  override showWalls(on: boolean): void {
    this.walls.visible = this.edges.visible = on;
    super.showWalls(on);
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

  settled(): Promise<void> {
    this.rest();
    this.drawNow();
    return Promise.resolve();
  }

  // A processor that stands in for a graphics card draws long after it was told to.
  protected override async finished(): Promise<void> {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!fence) return;
    gl.flush();
    while (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED && !gl.isContextLost()) await new Promise(requestAnimationFrame);
    gl.deleteSync(fence);
  }
  protected isPainted(): boolean {
    return this.frame !== null;
  }
  protected isCoarse(haste: Haste): boolean {
    const count = this.frame?.count ?? 0;
    return ratioOf(haste, count) !== ratioOf('none', count);
  }

  protected takeFrame(frame: FrameData): void {
    this.body.position.set(...this.place(frame.origin));
    this.overBody.position.copy(this.body.position);
    this.shapes.position.set(...this.place(frame.shapes.origin));
    const low = this.place(frame.view[0]), high = this.place(frame.view[1]);
    this.centre.set((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
    this.wallSurface.uniforms.size.value = 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    this.spheres.set(frame.count, { centres: frame.arrays.position });
    if (this.grainsThere !== frame.grains) {
      this.grainsThere = frame.grains;
      this.spheres.set(frame.count, { radii: frame.arrays.radius });
      this.allShown = false;
    }
    if (this.shapesThere !== frame.shapes.key) {
      this.shapesThere = frame.shapes.key;
      this.setWalls(frame);
    }
    this.setChains(frame);
  }

  protected takeSize(width: number, height: number): void {
    this.renderer.setSize(width, height);
  }

  protected paint(): void {
    const camera = this.orbit.camera;
    const ratio = ratioOf(this.haste, this.frame?.count ?? 0);
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    this.wallSurface.uniforms.middle.value.copy(this.centre).applyMatrix4(camera.matrixWorldInverse);
    this.planeCount.value = this.planes.length;
    this.planes.forEach(({ n, d }, k) => {
      const turned = new Vector3(...n);
      const distance = d - dot(n, this.origin) - turned.dot(camera.position);
      turned.transformDirection(camera.matrixWorldInverse);
      this.planesSeen.value[k].set(turned.x, turned.y, turned.z, distance);
    });
    if (this.frame) this.chooseGrains(this.frame);
    if (this.frame && this.wallsOn) this.tellStanding(this.frame);
    this.renderer.clear();
    this.renderer.render(this.scene, camera);
    if (this.over.visible) {
      this.renderer.clearDepth();
      this.renderer.render(this.over, camera);
    }
    if (this.frame) this.canvas.dataset.drawn = `${this.frame.index} ${++this.count}`;
  }

  // A graphics card draws them all.
  private chooseGrains(frame: FrameData): void {
    if (!software) {
      if (this.ordered >= frame.count) return this.spheres.show(frame.count);
      this.ordered = frame.count;
      return this.spheres.set(frame.count, { order: Float32Array.from({ length: frame.count }, (_, k) => k) });
    }
    const size = this.renderer.getDrawingBufferSize(new Vector2());
    this.visible.find(frame, this.orbit.camera, this.place(frame.origin), size.x, size.y, this.planesSeen.value.slice(0, this.planes.length), this.shownOf);
    this.spheres.set(frame.count, { order: this.visible.order.subarray(0, this.visible.count) });
    this.spheres.show(this.visible.count);
  }

  private setWalls(frame: FrameData): void {
    const { corner, normal, wallOfCorner, edge } = frame.shapes;
    const fill = (geometry: BufferGeometry, name: string, numbers: Float32Array, components: number) => {
      const there = geometry.getAttribute(name) as BufferAttribute | undefined;
      if (there && there.array.length === numbers.length) {
        (there.array as Float32Array).set(numbers);
        there.needsUpdate = true;
      } else geometry.setAttribute(name, new BufferAttribute(numbers.slice(), components));
    };
    if (this.walls.geometry.getAttribute('position')?.array.length !== corner.length) this.walls.geometry.dispose();
    const endless = new Float32Array(corner.length / 3);
    for (let k = 0; k < endless.length; ++k) endless[k] = frame.walls[wallOfCorner[k]].endless ? 1 : 0;
    fill(this.walls.geometry, 'position', corner, 3);
    fill(this.walls.geometry, 'facet', normal, 3);
    fill(this.walls.geometry, 'endless', endless, 1);
    fill(this.walls.geometry, 'kind', endless, 1); // see tellStanding
    if (this.edges.geometry.getAttribute('position')?.array.length !== edge.length) this.edges.geometry.dispose();
    fill(this.edges.geometry, 'position', edge, 3);
  }

  private tellStanding({ shapes }: FrameData): void {
    const kind = this.walls.geometry.getAttribute('kind') as BufferAttribute;
    const sheets = this.sheetsBefore();
    shapes.wallOfCorner.forEach((wall, k) => {
      const value = shapes.bends[wall] ? 2 : sheets[wall] ? 1 : 0;
      if (kind.array[k] === value) return;
      kind.array[k] = value;
      kind.needsUpdate = true;
    });
  }

  // Contacts by their normal force, bonds by their force.
  private setChains(frame: FrameData): void {
    const lines = frame.arrays.line, forces = frame.arrays.line_force;
    if (!lines || !forces || !frame.chains) return this.rods.set(0, {});
    this.rods.set(forces.length, { ends: lines, forces });
    this.chains.uniforms.firstBond.value = forces.length - frame.chains.bonds;
    this.chains.uniforms.range.value.set(0, frame.chains.high || 1);
    const radius = frame.arrays.radius;
    let sum = 0;
    for (let k = 0; k < frame.count; ++k) sum += radius[k];
    this.chains.uniforms.width.value = frame.count ? sum / frame.count : 1;
  }
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
