// A plot of curves with times of their own each, as a report has them.
import { css, kindColour } from './colours';
import { short } from './numbers';

export interface PlotData {
  title: string;
  x_label: string;
  y_label: string;
  log_x: boolean;
  curves: { label: string; look: 'line' | 'points'; x: (number | null)[]; y: (number | null)[] }[];
}
const width = 560, height = 320, margin = { left: 62, right: 14, top: 10, bottom: 42 };

// About `count` round steps of a range.
export function roundSteps(from: number, to: number, count = 5): number[] {
  const rough = (to - from) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) ?? rough;
  const all: number[] = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k) all.push(Number((k * step).toPrecision(12)));
  return all;
}

function rangeOf(values: number[]): [number, number] {
  const low = Math.min(...values), high = Math.max(...values);
  if (!(high > low)) return [low - (Math.abs(low) || 1), high + (Math.abs(high) || 1)];
  return [low - 0.04 * (high - low), high + 0.04 * (high - low)];
}

export function CurvePlot({ data }: { data: PlotData }) {
  const shown = (v: number) => (data.log_x ? Math.log10(v) : v);
  const curves = data.curves.map((c, k) => ({
    label: c.label, look: c.look, colour: css(kindColour(k)),
    points: c.x.map((x, i): [number, number] => [x === null ? NaN : shown(x), c.y[i] ?? NaN]),
  }));
  const sound = curves.flatMap((c) => c.points).filter((q) => Number.isFinite(q[0]) && Number.isFinite(q[1]));
  if (sound.length === 0) return null;
  const [x0, x1] = rangeOf(sound.map((q) => q[0])), [y0, y1] = rangeOf(sound.map((q) => q[1]));
  const x = (v: number) => margin.left + ((v - x0) / (x1 - x0)) * (width - margin.left - margin.right);
  const y = (v: number) => height - margin.bottom - ((v - y0) / (y1 - y0)) * (height - margin.top - margin.bottom);
  const across = data.log_x ? Array.from({ length: Math.floor(x1) - Math.ceil(x0) + 1 }, (_, k) => Math.ceil(x0) + k) : roundSteps(x0, x1, 6);
  const way = (points: [number, number][]) => {
    let pen = 'M';
    return points.map((q) => {
      if (!Number.isFinite(q[0]) || !Number.isFinite(q[1])) {
        pen = 'M';
        return '';
      }
      const step = `${pen}${x(q[0]).toFixed(2)} ${y(q[1]).toFixed(2)}`;
      pen = 'L';
      return step;
    }).join('');
  };
  return (
    <figure class="curves">
      <figcaption>{data.title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={data.title}>
        {across.map((v) => <g key={`x${v}`} class="tick"><path d={`M${x(v)} ${margin.top}V${height - margin.bottom}`} /><text x={x(v)} y={height - margin.bottom + 14} text-anchor="middle">{short(data.log_x ? 10 ** v : v, 3)}</text></g>)}
        {roundSteps(y0, y1).map((v) => <g key={`y${v}`} class="tick"><path d={`M${margin.left} ${y(v)}H${width - margin.right}`} /><text x={margin.left - 5} y={y(v) + 4} text-anchor="end">{short(v, 4)}</text></g>)}
        {curves.map((c) => (
          <g key={c.label} style={{ color: c.colour }}>
            {c.look === 'line' ? <path class="line" d={way(c.points)} /> : c.points.map((q, k) => Number.isFinite(q[0]) && Number.isFinite(q[1]) && <circle key={k} class="mark-point" cx={x(q[0])} cy={y(q[1])} r={3.5} />)}
          </g>
        ))}
        <text class="name" x={(margin.left + width - margin.right) / 2} y={height - 6} text-anchor="middle">{data.x_label}</text>
        <text class="name" x={0} y={0} transform={`translate(12 ${(height - margin.bottom) / 2}) rotate(-90)`} text-anchor="middle">{data.y_label}</text>
      </svg>
      <ul>{curves.map((c) => <li key={c.label}><i class={c.look} style={{ color: c.colour }} />{c.label}</li>)}</ul>
    </figure>
  );
}
