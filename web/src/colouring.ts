// Which number a grain is coloured by, and the range of the scale.
import type { FrameData } from './api';
import type { Colouring } from './scene';

export const isKind = (name: string): boolean => name === 'material' || name === 'group';
// What the frame has to be asked for: height comes from the position, radius and id always come.
export const arrayBehind = (name: string): string => (['height', 'radius', 'id'].includes(name) ? '' : name);

export function choices(frame: FrameData): string[] {
  const names = frame.particleArrays.map((a) => a.name).filter((n) => n !== 'orientation' && n !== 'prescribed');
  return [...names, 'height'];
}

// One value per grain; the length of a vector.
export function valuesOf(frame: FrameData, name: string, up: number[]): Float32Array | null {
  const values = new Float32Array(frame.count);
  if (name === 'height') {
    const p = frame.arrays.position;
    const base = up[0] * frame.origin[0] + up[1] * frame.origin[1] + up[2] * frame.origin[2];
    for (let k = 0; k < values.length; ++k) values[k] = base + up[0] * p[3 * k] + up[1] * p[3 * k + 1] + up[2] * p[3 * k + 2];
    return values;
  }
  const numbers = frame.arrays[name];
  if (!numbers) return null;
  const n = frame.components[name];
  for (let k = 0; k < values.length; ++k) {
    if (n === 1) values[k] = numbers[k];
    else {
      let sum = 0;
      for (let c = 0; c < n; ++c) sum += numbers[n * k + c] ** 2;
      values[k] = Math.sqrt(sum);
    }
  }
  return values;
}

export interface Range {
  low: number;
  high: number;
  beyond: boolean; // some values lie above `high`
}

// As `areia render` chooses it: lengths of vectors and counts from zero; one grain that flies away must not turn all
// others into one colour. Grains that would move less than a thousandth of their radius in the whole run are at rest:
// their noise is not spread over all colours.
export function rangeOf(frame: FrameData, name: string, values: Float32Array, duration: number): Range {
  let low = Infinity, high = -Infinity;
  for (const v of values)
    if (Number.isFinite(v)) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
  if (low > high) return { low: 0, high: 1, beyond: false };
  const fromZero = frame.components[name] > 1 || name === 'coordination';
  if (!fromZero) return { low, high, beyond: false };
  const sorted = values.filter(Number.isFinite).sort();
  const nearly = sorted[Math.floor(0.99 * (sorted.length - 1))];
  const beyond = nearly > 0 && high > 2.5 * nearly;
  if (beyond) high = nearly;
  if (name === 'velocity' && duration > 0 && frame.count > 0) {
    const radius = frame.arrays.radius;
    let sum = 0;
    for (let k = 0; k < frame.count; ++k) sum += radius[k];
    high = Math.max(high, (1e-3 * sum) / frame.count / duration);
  }
  return { low: 0, high, beyond };
}

export const union = (a: Range | null, b: Range): Range =>
  a ? { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high), beyond: a.beyond || b.beyond } : b;

export const colouring = (values: Float32Array, range: Range, kinds: boolean): Colouring => ({
  values, low: range.low, high: range.high, kinds,
});
