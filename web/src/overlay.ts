// What is drawn over the picture, the same in both views: a ring around what was picked, a distance that is measured,
// bonds that broke, and which way the axes point.
import type { Triple } from './api';
import type { Picture } from './picture';

export interface Marks {
  ring: { at: Triple; radius: number } | null;
  ends: { at: Triple; radius: number }[]; // of a measurement, at most two
  distance: string;
  breaks: Float64Array; // points, x y z
}

const arm = 26; // px

export function drawMarks(sheet: HTMLCanvasElement, picture: Picture, marks: Marks, colour: (name: string) => string): void {
  const scale = Math.min(2, devicePixelRatio);
  const width = picture.canvas.clientWidth, height = picture.canvas.clientHeight;
  if (sheet.width !== Math.round(scale * width) || sheet.height !== Math.round(scale * height)) {
    sheet.width = Math.round(scale * width);
    sheet.height = Math.round(scale * height);
  }
  const g = sheet.getContext('2d') as CanvasRenderingContext2D;
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  const ink = colour('--ink'), paper = colour('--paper'), accent = colour('--accent'), bad = colour('--bad');
  const stroke = (path: Path2D, style: string, thick: number, rim = 1.5) => {
    g.strokeStyle = paper;
    g.lineWidth = thick + 2 * rim;
    g.stroke(path);
    g.strokeStyle = style;
    g.lineWidth = thick;
    g.stroke(path);
  };
  const circle = (at: Triple, radius: number, style: string) => {
    const { x, y, scale: metre, seen } = picture.where(at);
    if (!seen) return null;
    const path = new Path2D();
    path.arc(x, y, Math.max(9, 1.25 * radius * metre), 0, 2 * Math.PI);
    stroke(path, style, 2.5);
    return { x, y };
  };

  if (marks.breaks.length) {
    const crosses = new Path2D();
    for (let k = 0; k < marks.breaks.length; k += 3) {
      const { x, y, seen } = picture.where([marks.breaks[k], marks.breaks[k + 1], marks.breaks[k + 2]]);
      if (!seen || x < 0 || y < 0 || x > width || y > height) continue;
      crosses.moveTo(x - 4, y - 4);
      crosses.lineTo(x + 4, y + 4);
      crosses.moveTo(x + 4, y - 4);
      crosses.lineTo(x - 4, y + 4);
    }
    stroke(crosses, bad, 2, 1);
  }
  if (marks.ring) circle(marks.ring.at, marks.ring.radius, accent);
  const ends = marks.ends.map((end) => circle(end.at, end.radius, ink));
  if (ends.length === 2 && ends[0] && ends[1]) {
    const path = new Path2D();
    path.moveTo(ends[0].x, ends[0].y);
    path.lineTo(ends[1].x, ends[1].y);
    stroke(path, ink, 2);
    g.font = '600 13px system-ui, sans-serif';
    g.textAlign = 'center';
    const x = (ends[0].x + ends[1].x) / 2, y = (ends[0].y + ends[1].y) / 2 - 12;
    const wide = g.measureText(marks.distance).width + 10;
    g.fillStyle = paper;
    g.fillRect(x - wide / 2, y - 12, wide, 18);
    g.fillStyle = ink;
    g.fillText(marks.distance, x, y + 2);
  }

  // the axes, those that point away first
  const m = picture.orbit.camera.matrixWorldInverse.elements;
  const centre = [arm + 14, height - arm - 14];
  const axes = ['x', 'y', 'z'].map((name, a) => ({ name, x: m[4 * a], y: m[4 * a + 1], z: m[4 * a + 2] })).sort((a, b) => a.z - b.z);
  g.font = '600 12px system-ui, sans-serif';
  g.textAlign = 'center';
  for (const axis of axes) {
    const path = new Path2D();
    path.moveTo(centre[0], centre[1]);
    path.lineTo(centre[0] + arm * axis.x, centre[1] - arm * axis.y);
    g.globalAlpha = axis.z < -0.1 ? 0.55 : 1;
    stroke(path, ink, 1.8, 1);
    const x = centre[0] + (arm + 9) * axis.x, y = centre[1] - (arm + 9) * axis.y + 4;
    g.lineWidth = 3;
    g.strokeStyle = paper;
    g.strokeText(axis.name, x, y);
    g.fillStyle = ink;
    g.fillText(axis.name, x, y);
  }
  g.globalAlpha = 1;
}
