// The impulse plane of a collision (docs/impact.md, Impulse plane): I_T to the right, I_N upwards.
import { css, kindColour } from './colours';
import { roundSteps } from './curve_plot';
import type { Line, Plane, Point } from './lab_api';
import { toldMode } from './lab_told';
import { short } from './numbers';
import { t } from './texts';

const width = 460, height = 360, margin = { left: 46, right: 12, top: 12, bottom: 34 };

function extent(p: Plane): { x: [number, number]; y: [number, number] } {
  const ends = p.runs.filter((r) => r.status === 'ok').flatMap((r) => [...r.path, r.end]);
  const shown = ends.filter((q) => q.every(Number.isFinite));
  const bounds = (points: Point[]) => [Math.min(...points.map((q) => q[0])), Math.max(...points.map((q) => q[0])), Math.min(...points.map((q) => q[1])), Math.max(...points.map((q) => q[1]))];
  const near = bounds([[0, 0], ...shown]);
  // the ellipse may reach far beyond what happens: of it only what is near
  const reach = 0.7 * Math.max(near[1] - near[0], near[3] - near[2], 1e-300);
  const within = (v: number, low: number, high: number) => Math.min(high + reach, Math.max(low - reach, v));
  const conic = p.energy.kind === 'ellipse' ? p.energy.outline.map((q): Point => [within(q[0], near[0], near[1]), within(q[1], near[2], near[3])]) : [];
  const [x0, x1, y0, y1] = bounds([[0, 0], ...shown, ...conic]);
  const size = Math.max(x1 - x0, y1 - y0, 1e-300);
  const inner = { w: width - margin.left - margin.right, h: height - margin.top - margin.bottom };
  const scale = Math.max(Math.max(x1 - x0, 0.3 * size) / inner.w, Math.max(y1 - y0, 0.3 * size) / inner.h) * 1.16; // the same in both directions
  const cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
  return { x: [cx - (scale * inner.w) / 2, cx + (scale * inner.w) / 2], y: [cy - (scale * inner.h) / 2, cy + (scale * inner.h) / 2] };
}

// `models`: names as the program has them, with their titles; each keeps its colour in all planes.
export function PlaneView({ plane, id, models }: { plane: Plane; id: string; models: Map<string, string> }) {
  const order = [...models.keys()];
  const range = extent(plane);
  const x = (v: number) => margin.left + ((v - range.x[0]) / (range.x[1] - range.x[0])) * (width - margin.left - margin.right);
  const y = (v: number) => height - margin.bottom - ((v - range.y[0]) / (range.y[1] - range.y[0])) * (height - margin.top - margin.bottom);
  const far = 3 * Math.max(range.x[1] - range.x[0], range.y[1] - range.y[0]);
  const way = (points: Point[]) => points.map((q, k) => `${k ? 'L' : 'M'}${x(q[0]).toFixed(2)} ${y(q[1]).toFixed(2)}`).join('');
  // n I_N + t I_T + c = 0: through its point nearest to the middle, as far as the picture goes
  const straight = (l: Line): Point[] => {
    const square = l.n * l.n + l.t * l.t, mx = (range.x[0] + range.x[1]) / 2, my = (range.y[0] + range.y[1]) / 2;
    if (!(square > 0)) return [];
    const off = (l.n * my + l.t * mx + l.c) / square, length = Math.sqrt(square);
    const px = mx - off * l.t, py = my - off * l.n;
    return [-far, far].map((s): Point => [px + (s * l.n) / length, py - (s * l.t) / length]);
  };
  const runs = plane.runs.map((r, k) => ({ ...r, colour: k === 0 ? 'var(--accent)' : css(kindColour(order.indexOf(r.model))), first: k === 0 }));
  return (
    <figure class="plane" id={id}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t('plane')}>
        <clipPath id={`${id}-clip`}><rect x={margin.left} y={margin.top} width={width - margin.left - margin.right} height={height - margin.top - margin.bottom} /></clipPath>
        {roundSteps(...range.x).map((v) => <g key={`x${v}`} class="tick"><path d={`M${x(v)} ${margin.top}V${height - margin.bottom}`} /><text x={x(v)} y={height - margin.bottom + 13} text-anchor="middle">{short(v, 3)}</text></g>)}
        {roundSteps(...range.y).map((v) => <g key={`y${v}`} class="tick"><path d={`M${margin.left} ${y(v)}H${width - margin.right}`} /><text x={margin.left - 5} y={y(v) + 4} text-anchor="end">{short(v, 3)}</text></g>)}
        <g clip-path={`url(#${id}-clip)`}>
          {plane.admissible.length > 2 && <path class="admissible" d={`${way(plane.admissible)}Z`} />}
          <path class="axis" d={`M${x(-far)} ${y(0)}H${x(far)}M${x(0)} ${y(-far)}V${y(far)}`} />
          <path class="energy" d={way(plane.energy.outline)} />
          {plane.mu > 0 && [-1, 1].map((s) => <path key={s} class="friction" d={way([[0, 0], [s * plane.mu * far, far]])} />)}
          <path class="compression" d={way(straight(plane.compression))} />
          <path class="termination" d={way(straight(plane.termination))} />
          <path class="sticking" d={way(straight(plane.sticking))} />
          {plane.reverse_slip && <path class="reverse" d={way(plane.reverse_slip)} />}
          {[...runs].reverse().map((r) => r.status === 'ok' && (
            <g key={r.model} class={r.first ? 'path first' : 'path'} style={{ color: r.colour }} data-model={r.model} data-end={JSON.stringify(r.end)}>
              <path d={way(r.path.length > 1 ? r.path : [[0, 0], r.end])} />
              {r.first && r.compression > 0 && r.path[r.compression] && <circle class="ringed" cx={x(r.path[r.compression][0])} cy={y(r.path[r.compression][1])} r={4.5} />}
              {r.energy_gain
                ? <path class="cross" d={`M${x(r.end[0]) - 5} ${y(r.end[1]) - 5}l10 10m0 -10l-10 10`} />
                : <circle class="dot" cx={x(r.end[0])} cy={y(r.end[1])} r={r.first ? 5 : 4} />}
            </g>
          ))}
        </g>
        <text class="name" x={width - margin.right} y={height - 4} text-anchor="end">I<tspan dy={3} font-size="9">T</tspan><tspan dy={-3}> (N s)</tspan></text>
        <text class="name" x={4} y={margin.top + 8}>I<tspan dy={3} font-size="9">N</tspan></text>
      </svg>
      <ul class="lines">
        <li class="compression">{t('lineCompression')}</li>
        <li class="termination">{t('lineTermination')}</li>
        <li class="sticking">{t('lineSticking')}</li>
        {plane.mu > 0 && <li class="friction">{t('lineFriction')}</li>}
        {plane.reverse_slip && <li class="reverse">{t('lineReverse')}</li>}
        <li class="energy">{t('lineEnergy')}</li>
        {plane.admissible.length > 2 && <li class="admissible">{t('lineAdmissible')}</li>}
      </ul>
      <table class="ends">
        <thead><tr><th>{t('model')}</th><th>I<sub>T</sub></th><th>I<sub>N</sub></th><th>ΔT (J)</th><th>{t('mode')}</th></tr></thead>
        <tbody>
          {runs.map((r) => (
            <tr key={r.model} class={r.energy_gain ? 'gain' : ''}>
              <td><i style={{ background: r.colour }} />{models.get(r.model) ?? r.model}</td>
              {r.status === 'ok'
                ? [<td>{short(r.end[0])}</td>, <td>{short(r.end[1])}</td>, <td title={r.energy_gain ? t('gains') : ''}>{r.energy_gain ? '▲ ' : ''}{short(r.dT)}</td>, <td>{toldMode(r.mode)}</td>]
                : <td colSpan={4}>{r.status}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
