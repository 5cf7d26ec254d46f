// What is seen: grains, walls, force chains. A new frame fills the buffers that are there and uploads them once.
import {
  BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, DynamicDrawUsage, GLSL3, Group, InstancedBufferAttribute,
  InstancedBufferGeometry, LineBasicMaterial, LineSegments, LinearSRGBColorSpace, Mesh, Plane as ClippingPlane, Scene, ShaderMaterial,
  Vector2, Vector3, Vector4, WebGLRenderer,
} from 'three';
import type { FrameData, Numbers, Triple } from './api';
import { chainColour, darkChainColour, darkPullColour, pullColour, table } from './colours';
import type { Colouring } from './colouring';
import { dot, type Plane } from './cuts';
import type { Orbit } from './orbit';
import { Picture } from './picture';
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

export class View extends Picture {
  private readonly renderer: WebGLRenderer;
  private readonly body = new Group();
  private readonly shapes = new Group(); // walls, which have an origin of their own
  private readonly scene = new Scene();
  private readonly over = new Scene(); // chains, before the grains
  private readonly overBody = new Group();
  private readonly spheres = new Instances({ centre: 3, radius: 1, value: 1, presence: 1 });
  private readonly rods = new Instances({ from: 3, to: 3, value: 1, least: 1 });
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
        map: { value: this.colours }, range: { value: new Vector2(0, 1) }, kinds: { value: 0 }, pale: { value: 0 },
        paper: { value: new Color() }, light, chosen: { value: -1 }, planes: this.planesSeen, planeCount: this.planeCount,
      },
    });
    this.chains = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: rodVertex, fragmentShader: rodFragment, side: DoubleSide,
      uniforms: { map: { value: this.maps.chains }, pullMap: { value: this.maps.pulls }, range: { value: new Vector2(0, 1) }, width: { value: 1 },
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
    this.spheres.set(c.values.length, { value: c.values });
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
    if (values) this.spheres.set(values.length, { presence: values });
    else if (!this.allShown) this.spheres.set(count, { presence: new Float32Array(count).fill(1) });
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

  protected takeFrame(frame: FrameData): void {
    this.body.position.set(...this.place(frame.origin));
    this.overBody.position.copy(this.body.position);
    this.shapes.position.set(...this.place(frame.shapes.origin));
    const low = this.place(frame.view[0]), high = this.place(frame.view[1]);
    this.centre.set((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
    this.wallSurface.uniforms.size.value = 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    this.spheres.set(frame.count, { centre: frame.arrays.position });
    if (this.grainsThere !== frame.grains) {
      this.grainsThere = frame.grains;
      this.spheres.set(frame.count, { radius: frame.arrays.radius });
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
    const ratio = !software ? Math.min(2, devicePixelRatio) : this.haste === 'camera' ? 0.5 : this.haste === 'frame' ? 1 : Math.min(1.5, Math.max(1, devicePixelRatio));
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    this.wallSurface.uniforms.middle.value.copy(this.centre).applyMatrix4(camera.matrixWorldInverse);
    this.planeCount.value = this.planes.length;
    this.planes.forEach(({ n, d }, k) => {
      const turned = new Vector3(...n);
      const distance = d - dot(n, this.origin) - turned.dot(camera.position);
      turned.transformDirection(camera.matrixWorldInverse);
      this.planesSeen.value[k].set(turned.x, turned.y, turned.z, distance);
    });
    this.renderer.clear();
    this.renderer.render(this.scene, camera);
    if (this.over.visible) {
      this.renderer.clearDepth();
      this.renderer.render(this.over, camera);
    }
    this.canvas.dataset.drawn = String(Number(this.canvas.dataset.drawn ?? 0) + 1);
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
    if (this.edges.geometry.getAttribute('position')?.array.length !== edge.length) this.edges.geometry.dispose();
    fill(this.edges.geometry, 'position', edge, 3);
  }

  // Contacts by their normal force, bonds by their force.
  private setChains(frame: FrameData): void {
    const lines = frame.arrays.line, forces = frame.arrays.line_force;
    if (!lines || !forces || !frame.chains) return this.rods.set(0, {});
    const count = forces.length;
    const from = new Float32Array(3 * count), to = new Float32Array(3 * count), least = new Float32Array(count);
    for (let k = 0; k < count; ++k)
      for (let a = 0; a < 3; ++a) {
        from[3 * k + a] = lines[6 * k + a];
        to[3 * k + a] = lines[6 * k + 3 + a];
      }
    least.fill(0.1, count - frame.chains.bonds); // a bond without force is there all the same
    this.rods.set(count, { from, to, value: forces, least });
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
