// Which grains can be seen at all. In a heap most lie behind others, and a processor that draws them all, each pixel dozens
// of times, takes seconds. Those that are surely hidden are found on a coarse grid over the picture: a grain that
// covers a cell hides what lies behind its centre there; a grain is left out when in all cells that it touches something
// hides its nearest point. So the picture stays what it would be.
import type { PerspectiveCamera, Vector4 } from 'three';
import type { FrameData, Triple } from './api';
import { hidden } from './selection';

const least = 2000; // fewer grains are all drawn

export class Visible {
  order = new Float32Array(0); // indices of grains, `count` of them
  count = 0;
  private x = new Float32Array(0);
  private y = new Float32Array(0);
  private depth = new Float32Array(0);
  private reach = new Float32Array(0); // radius on the picture
  private cells = new Float32Array(0);

  // `shift`: of the frame in the world; planes in coordinates of the camera; size of the picture in pixels.
  find(frame: FrameData, camera: PerspectiveCamera, shift: Triple, width: number, height: number, planes: Vector4[], presence: Float32Array | null): void {
    const n = frame.count, p = frame.arrays.position, radius = frame.arrays.radius;
    if (this.order.length < n) this.order = new Float32Array(n);
    if (n < least) {
      for (let k = 0; k < n; ++k) this.order[k] = k;
      this.count = n;
      return;
    }
    if (this.x.length < n) for (const name of ['x', 'y', 'depth', 'reach'] as const) this[name] = new Float32Array(n);
    const { x, y, depth, reach } = this;
    const m = camera.matrixWorldInverse.elements;
    const scale = (0.5 * height) / Math.tan((camera.fov * Math.PI) / 360);
    const offset = [0, 1, 2].map((a) => m[a] * shift[0] + m[4 + a] * shift[1] + m[8 + a] * shift[2] + m[12 + a]);
    let sum = 0, seen = 0;
    for (let k = 0; k < n; ++k) {
      const a = p[3 * k], b = p[3 * k + 1], c = p[3 * k + 2];
      const u = m[0] * a + m[4] * b + m[8] * c + offset[0];
      const v = m[1] * a + m[5] * b + m[9] * c + offset[1];
      const d = -(m[2] * a + m[6] * b + m[10] * c + offset[2]);
      const s = scale / d;
      depth[k] = d;
      x[k] = 0.5 * width + s * u;
      y[k] = 0.5 * height - s * v;
      reach[k] = s * radius[k];
      const r = 1.3 * reach[k];
      if (!(d > radius[k]) || x[k] + r < 0 || y[k] + r < 0 || x[k] - r > width || y[k] - r > height || (presence && presence[k] === hidden)) reach[k] = 0;
      else {
        sum += reach[k];
        ++seen;
      }
      // what is cut hides nothing for sure: marked by a negative depth
      for (const plane of planes) if (plane.x * u + plane.y * v - plane.z * d + radius[k] > plane.w) depth[k] = -d;
    }
    const cell = Math.max(1, (0.45 * sum) / Math.max(1, seen));
    const columns = Math.ceil(width / cell), rows = Math.ceil(height / cell);
    if (this.cells.length < columns * rows) this.cells = new Float32Array(columns * rows);
    const cells = this.cells.fill(Infinity, 0, columns * rows);
    for (let k = 0; k < n; ++k) {
      // a sphere is seen as an ellipse, a little longer than wide; a very near one is not asked
      const r = (0.94 * reach[k]) / cell, d = depth[k];
      if (r < 0.75 || d < 10 * radius[k]) continue;
      const cx = x[k] / cell, cy = y[k] / cell;
      for (let j = Math.max(0, Math.ceil(cy - r)); j <= Math.min(rows - 1, Math.floor(cy + r) - 1); ++j) {
        const dy = Math.max(Math.abs(j - cy), Math.abs(j + 1 - cy));
        const half = r * r - dy * dy;
        if (half <= 0) continue;
        const wide = Math.sqrt(half);
        const end = Math.min(columns - 1, Math.floor(cx + wide) - 1);
        for (let i = Math.max(0, Math.ceil(cx - wide)), at = j * columns + i; i <= end; ++i, ++at) if (d < cells[at]) cells[at] = d;
      }
    }
    let count = 0;
    for (let k = 0; k < n; ++k) {
      if (reach[k] === 0) continue;
      const r = (1.15 * reach[k]) / cell + 0.1, cx = x[k] / cell, cy = y[k] / cell, near = Math.abs(depth[k]) - radius[k];
      const left = Math.max(0, Math.floor(cx - r)), right = Math.min(columns - 1, Math.floor(cx + r));
      const top = Math.max(0, Math.floor(cy - r)), bottom = Math.min(rows - 1, Math.floor(cy + r));
      let shows = false;
      for (let j = top; j <= bottom && !shows; ++j)
        for (let i = left, at = j * columns + i; i <= right; ++i, ++at)
          if (cells[at] >= near) {
            shows = true;
            break;
          }
      if (shows) this.order[count++] = k;
    }
    this.count = count;
  }
}
