// The bodies of a run in the impact lab at one time, with the way they have come.
import { useEffect, useRef } from 'preact/hooks';
import { css, kindColour } from './colours';
import type { Motion, Shape } from './lab_api';
import { useSignal } from './signal';
import { colourOf, theme } from './theme';

export interface Box {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

const components = (s: Shape) => (s.kind === 'disc' ? 3 : 4);

// What moves, over the whole run; walls go on beyond it.
export function boxOf(motions: Motion[]): Box {
  const box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
  const take = (x: number, y: number, r: number) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    box.x0 = Math.min(box.x0, x - r), box.x1 = Math.max(box.x1, x + r);
    box.y0 = Math.min(box.y0, y - r), box.y1 = Math.max(box.y1, y + r);
  };
  for (const m of motions)
    for (const s of m.shapes)
      for (let k = 0; k < s.places.length; k += components(s)) {
        take(s.places[k], s.places[k + 1], s.radius);
        if (s.kind === 'segment') take(s.places[k + 2], s.places[k + 3], 0);
      }
  if (!(box.x1 > box.x0)) return { x0: -1, x1: 1, y0: -1, y1: 1 };
  // a wall that they come near to is shown
  const reach = 0.15 * Math.max(box.x1 - box.x0, box.y1 - box.y0);
  for (const s of motions[0].shapes)
    if (s.kind === 'wall' && s.through[1] === s.through[3] && s.through[1] > box.y0 - reach && s.through[1] < box.y1 + reach) take(box.x0, s.through[1], 0);
  return box;
}

// The places at a time, between those of two samples.
function placesAt(m: Motion, s: Shape, time: number): number[] {
  const n = components(s), last = m.times.length - 1;
  let low = 0, high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (m.times[middle] <= time) low = middle;
    else high = middle;
  }
  const from = m.times[low], to = m.times[high];
  const share = to > from ? Math.min(1, Math.max(0, (time - from) / (to - from))) : 0;
  return Array.from({ length: n }, (_, k) => s.places[low * n + k] * (1 - share) + s.places[high * n + k] * share);
}

function draw(canvas: HTMLCanvasElement, m: Motion, box: Box, time: number): void {
  const width = canvas.clientWidth, height = canvas.clientHeight, ratio = devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const g = canvas.getContext('2d') as CanvasRenderingContext2D;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  const margin = 26;
  const scale = Math.min((width - 2 * margin) / Math.max(box.x1 - box.x0, 1e-300), (height - 2 * margin) / Math.max(box.y1 - box.y0, 1e-300));
  const x = (v: number) => width / 2 + (v - (box.x0 + box.x1) / 2) * scale;
  const y = (v: number) => height / 2 - (v - (box.y0 + box.y1) / 2) * scale;
  const edge = colourOf('--edge'), ink = colourOf('--ink'), paper = colourOf('--paper');
  g.lineCap = 'round';
  for (const s of m.shapes) {
    if (s.kind !== 'wall') continue;
    const [ax, ay, bx, by] = s.through;
    const length = Math.hypot(bx - ax, by - ay), dx = (bx - ax) / length, dy = (by - ay) / length;
    const cx = (box.x0 + box.x1) / 2, cy = (box.y0 + box.y1) / 2;
    const along = (cx - ax) * dx + (cy - ay) * dy, far = (width + height) / scale;
    // the side away from the bodies is hatched
    const side = (cx - ax) * -dy + (cy - ay) * dx > 0 ? -1 : 1;
    const px = (u: number) => x(ax + dx * (along + u)), py = (u: number) => y(ay + dy * (along + u));
    g.strokeStyle = edge;
    g.lineWidth = 2;
    g.beginPath();
    g.moveTo(px(-far), py(-far));
    g.lineTo(px(far), py(far));
    g.stroke();
    g.lineWidth = 1;
    g.beginPath();
    for (let u = -far; u < far; u += 10 / scale) {
      g.moveTo(px(u), py(u));
      g.lineTo(px(u) - 6 * dx + -dy * side * 6, py(u) + 6 * dy - dx * side * 6);
    }
    g.stroke();
  }
  let count = 0;
  for (const s of m.shapes) {
    if (s.kind === 'wall' || s.places.length === 0) continue;
    const colour = kindColour(count++), n = components(s);
    const centre = (k: number): [number, number] =>
      s.kind === 'disc' ? [s.places[k * n], s.places[k * n + 1]] : [(s.places[k * n] + s.places[k * n + 2]) / 2, (s.places[k * n + 1] + s.places[k * n + 3]) / 2];
    g.strokeStyle = css(colour, 0.4);
    g.lineWidth = 1.2;
    g.beginPath();
    for (let k = 0; k < m.times.length && m.times[k] <= time; ++k) {
      const [cx, cy] = centre(k);
      g.lineTo(x(cx), y(cy));
    }
    g.stroke();
    const now = placesAt(m, s, time);
    g.strokeStyle = css(colour);
    if (s.kind === 'segment') {
      g.lineWidth = 5;
      g.beginPath();
      g.moveTo(x(now[0]), y(now[1]));
      g.lineTo(x(now[2]), y(now[3]));
      g.stroke();
      continue;
    }
    const r = Math.max(3, s.radius * scale);
    g.fillStyle = css(colour, 0.35);
    g.lineWidth = 2;
    g.beginPath();
    g.arc(x(now[0]), y(now[1]), r, 0, 2 * Math.PI);
    g.fill();
    g.stroke();
    g.beginPath(); // a mark that turns with it
    g.moveTo(x(now[0]), y(now[1]));
    g.lineTo(x(now[0]) + r * Math.cos(now[2]), y(now[1]) - r * Math.sin(now[2]));
    g.stroke();
  }
  // a rule of a round length
  const rough = (80 / scale), power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].map((k) => k * power).filter((v) => v <= rough * 1.01).pop() ?? power;
  if (count > 0 && Number.isFinite(round * scale)) {
    g.strokeStyle = ink;
    g.fillStyle = ink;
    g.lineWidth = 1.5;
    g.font = '11px system-ui, sans-serif';
    g.textAlign = 'right';
    g.strokeStyle = paper;
    g.lineWidth = 3;
    g.strokeText(`${Number(round.toPrecision(2))} m`, width - 12, height - 12);
    g.fillText(`${Number(round.toPrecision(2))} m`, width - 12, height - 12);
    g.strokeStyle = ink;
    g.lineWidth = 1.5;
    g.beginPath();
    g.moveTo(width - 12 - round * scale, height - 7);
    g.lineTo(width - 12, height - 7);
    g.stroke();
  }
}

export function Bodies({ motion, box, time, label }: { motion: Motion; box: Box; time: number; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const shade = useSignal(theme);
  const latest = useRef(() => {});
  latest.current = () => canvas.current && draw(canvas.current, motion, box, time);
  useEffect(() => latest.current(), [motion, box, time, shade]);
  useEffect(() => {
    const watcher = new ResizeObserver(() => latest.current());
    if (canvas.current) watcher.observe(canvas.current);
    return () => watcher.disconnect();
  }, []);
  return <canvas class="bodies" ref={canvas} role="img" aria-label={label} />;
}
