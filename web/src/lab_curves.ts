// The series of one or two runs of the impact lab as curves of common plots.
import { css, kindColour } from './colours';
import type { Motion } from './lab_api';
import type { Curve } from './plots';

export interface Panel {
  title: 'labPositions' | 'labAngles' | 'labVelocities' | 'labSpins' | 'labPoints' | 'labEnergies' | 'labOthers';
  unit: string;
  curves: Curve[];
}

// Both runs at the times of both. Instants of events stand twice, before and after, so that jumps are upright; in
// between, what one run has no sample for lies on the line between two of its own, so its curve is the same.
export function merged(a: Motion, b: Motion | null): { times: Float64Array; columns: (m: 0 | 1, k: number) => (number | null)[] } {
  const ta = a.columns[0];
  if (!b) return { times: ta, columns: (_, k) => [...a.columns[k]] };
  const tb = b.columns[0];
  const times: number[] = [], at: [number, number][] = []; // indices of the samples at or after the time
  for (let i = 0, j = 0; i < ta.length || j < tb.length;) {
    const x = i < ta.length ? ta[i] : Infinity, y = j < tb.length ? tb[j] : Infinity;
    times.push(Math.min(x, y));
    at.push([i, j]);
    if (x <= y) ++i;
    if (y <= x) ++j;
  }
  const value = (own: Float64Array, of: Float64Array, time: number, k: number): number | null => {
    if (k >= own.length) return k === own.length && time === of[of.length - 1] ? own[own.length - 1] : null;
    if (of[k] === time || k === 0) return own[k];
    const share = (time - of[k - 1]) / (of[k] - of[k - 1]);
    return own[k - 1] + share * (own[k] - own[k - 1]);
  };
  return {
    times: Float64Array.from(times),
    columns: (m, k) => {
      const of = m === 0 ? a : b;
      return times.map((time, n) => value(of.columns[k], of.columns[0], time, at[n][m]));
    },
  };
}

const units: Record<string, Panel['title']> = { m: 'labPositions', rad: 'labAngles', 'm/s': 'labVelocities', 'rad/s': 'labSpins' };

export function panelsOf(a: Motion, b: Motion | null, named: (k: number) => string): { times: Float64Array; panels: Panel[] } {
  const { times, columns } = merged(a, b);
  const unitOf = new Map(a.keys.map((k) => [k.path, k.unit]));
  const panels = new Map<Panel['title'], Panel>();
  a.names.forEach((name, k) => {
    if (name === 't' || name === 'event') return;
    const unit = unitOf.get(`start.${name}`);
    const energy = name === 'kinetic' || name === 'potential' || name === 'energy';
    const title: Panel['title'] = energy ? 'labEnergies' : unit !== undefined ? units[unit] ?? 'labOthers' : /_[xy]$/.test(name) && !name.startsWith('momentum') ? 'labPoints' : 'labOthers';
    const panel = panels.get(title) ?? { title, unit: energy ? 'J' : title === 'labPoints' ? 'm' : unit ?? '', curves: [] };
    const stroke = css(kindColour(panel.curves.length / (b ? 2 : 1)));
    panel.curves.push({ name: b ? `${name}, ${named(0)}` : name, values: columns(0, k) as number[], stroke });
    if (b) panel.curves.push({ name: `${name}, ${named(1)}`, values: columns(1, k) as number[], stroke, dash: [6, 4] });
    panels.set(title, panel);
  });
  return { times, panels: [...panels.values()] };
}
