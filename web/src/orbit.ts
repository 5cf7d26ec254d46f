// A camera on a sphere around what is looked at: drag turns, wheel and pinch come closer, right button or shift moves
// along the picture. Angles are about the upward direction of the case.
import { PerspectiveCamera, Vector3 } from 'three';
import type { Triple } from './api';

export type Preset = 'oblique' | 'front' | 'side' | 'top';

export class Orbit {
  readonly camera = new PerspectiveCamera(26, 1, 0.01, 100);
  readonly target = new Vector3();
  private distance = 1;
  private azimuth = 0;
  private elevation = 0;
  private readonly up: Vector3;
  private readonly side: Vector3;
  private readonly front: Vector3;
  private size = 1; // half the diagonal of the scene
  private readonly corners: Vector3[] = [];

  changed = () => {};

  constructor(up: Triple, private readonly flatAxis: number | null) {
    this.up = new Vector3(...up).normalize();
    const axis = Math.abs(this.up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    this.side = axis.addScaledVector(this.up, -axis.dot(this.up)).normalize();
    this.front = new Vector3().crossVectors(this.side, this.up);
    this.camera.up.copy(this.up);
    this.look(flatAxis === null ? 'oblique' : 'front');
  }

  look(preset: Preset): void {
    if (preset === 'front' && this.flatAxis !== null) {
      // across the plane of a 2-D case, as `areia render` does
      const from = [new Vector3(1, 0, 0), new Vector3(0, -1, 0), new Vector3(0, 0, 1)][this.flatAxis];
      this.azimuth = Math.atan2(from.dot(this.front), from.dot(this.side));
      this.elevation = Math.asin(Math.max(-1, Math.min(1, from.dot(this.up))));
    } else {
      this.azimuth = { oblique: Math.atan2(0.9, 0.45), front: Math.PI / 2, side: 0, top: Math.PI / 2 }[preset];
      this.elevation = { oblique: Math.atan2(0.42, 1.006), front: 0, side: 0, top: Math.PI / 2 }[preset];
    }
    this.fit();
  }

  // What is to be seen: a box.
  show(low: Triple, high: Triple): void {
    this.corners.length = 0;
    for (let k = 0; k < 8; ++k)
      this.corners.push(new Vector3(k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]));
    this.fit();
  }

  fit(): void {
    if (this.corners.length === 0) return;
    this.target.copy(this.corners[0]).add(this.corners[7]).multiplyScalar(0.5);
    this.size = this.corners[0].distanceTo(this.corners[7]) / 2 || 1;
    const back = this.direction();
    const right = this.rightOf(back);
    const over = new Vector3().crossVectors(back, right);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0;
    for (const corner of this.corners) {
      const d = corner.clone().sub(this.target);
      const reach = Math.max(Math.abs(d.dot(over)), Math.abs(d.dot(right)) / this.camera.aspect) / tangent;
      distance = Math.max(distance, d.dot(back) + 1.1 * reach);
    }
    this.distance = distance || 1;
    this.place();
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.place();
  }

  // Looks as another camera does, whose origin lies elsewhere.
  copy(other: Orbit, shift: Triple): void {
    this.distance = other.distance;
    this.azimuth = other.azimuth;
    this.elevation = other.elevation;
    this.size = other.size;
    this.target.copy(other.target).add(new Vector3(...shift));
    this.place();
  }

  turn(dx: number, dy: number): void {
    this.azimuth -= dx;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + dy));
    this.place();
  }

  approach(factor: number): void {
    this.distance = Math.max(1e-3 * this.size, Math.min(50 * this.size, this.distance * factor));
    this.place();
  }

  // By shares of the picture's height.
  move(dx: number, dy: number): void {
    const height = 2 * this.distance * Math.tan((this.camera.fov * Math.PI) / 360);
    const back = this.direction();
    const right = this.rightOf(back);
    this.target.addScaledVector(right, -dx * height);
    this.target.addScaledVector(new Vector3().crossVectors(back, right), dy * height);
    this.place();
  }

  // Looks at a point from the same side and distance.
  lookAt(x: number, y: number, z: number): void {
    this.target.set(x, y, z);
    this.place();
  }

  // From what is looked at to the eye.
  towardsEye(): Triple {
    const back = this.direction();
    return [back.x, back.y, back.z];
  }

  attach(canvas: HTMLCanvasElement): () => void {
    const pointers = new Map<number, { x: number; y: number }>();
    const down = (e: PointerEvent) => {
      pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
      canvas.setPointerCapture(e.pointerId);
    };
    const moved = (e: PointerEvent) => {
      const last = pointers.get(e.pointerId);
      if (!last) return;
      const dx = (e.clientX - last.x) / canvas.clientHeight;
      const dy = (e.clientY - last.y) / canvas.clientHeight;
      if (pointers.size === 2) {
        const [other] = [...pointers].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
        const before = Math.hypot(last.x - other.x, last.y - other.y);
        this.approach(before / Math.max(1, Math.hypot(e.clientX - other.x, e.clientY - other.y)));
      } else if (e.buttons & 6 || e.shiftKey) this.move(dx, dy);
      else this.turn(4 * dx, 4 * dy);
      pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    };
    const released = (e: PointerEvent) => pointers.delete(e.pointerId);
    const wheel = (e: WheelEvent) => {
      e.preventDefault();
      this.approach(Math.exp(0.0012 * e.deltaY));
    };
    const menu = (e: Event) => e.preventDefault();
    canvas.addEventListener('pointerdown', down);
    canvas.addEventListener('pointermove', moved);
    canvas.addEventListener('pointerup', released);
    canvas.addEventListener('pointercancel', released);
    canvas.addEventListener('wheel', wheel, { passive: false });
    canvas.addEventListener('contextmenu', menu);
    return () => {
      canvas.removeEventListener('pointerdown', down);
      canvas.removeEventListener('pointermove', moved);
      canvas.removeEventListener('pointerup', released);
      canvas.removeEventListener('pointercancel', released);
      canvas.removeEventListener('wheel', wheel);
      canvas.removeEventListener('contextmenu', menu);
    };
  }

  // From the target to the eye.
  private direction(): Vector3 {
    const flat = Math.cos(this.elevation);
    return new Vector3()
      .addScaledVector(this.side, flat * Math.cos(this.azimuth))
      .addScaledVector(this.front, flat * Math.sin(this.azimuth))
      .addScaledVector(this.up, Math.sin(this.elevation));
  }

  // Also when looking straight down, where `up` gives no direction.
  private rightOf(back: Vector3): Vector3 {
    const right = new Vector3()
      .addScaledVector(this.side, Math.sin(this.azimuth))
      .addScaledVector(this.front, -Math.cos(this.azimuth));
    return right.addScaledVector(back, -right.dot(back)).normalize();
  }

  private place(): void {
    const back = this.direction();
    const camera = this.camera;
    camera.position.copy(this.target).addScaledVector(back, this.distance);
    const right = this.rightOf(back);
    camera.matrix.makeBasis(right, new Vector3().crossVectors(back, right), back);
    camera.quaternion.setFromRotationMatrix(camera.matrix);
    camera.near = Math.max(0.02 * this.distance, this.distance - 6 * this.size);
    camera.far = this.distance + 8 * this.size;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    this.changed();
  }
}
