// Which number a grain is coloured by, and the range of the scale.
import type { FrameData } from './api';

export const isKind = (name: string): boolean => name === 'material' || name === 'group';
// Of a vector its length or one of its components; such a name is `velocity.length`.
export type Part = 'length' | 'x' | 'y' | 'z';
export const parts: Part[] = ['length', 'x', 'y', 'z'];
export const isVector = (frame: FrameData | null, name: string): boolean =>
  (frame?.particleArrays.find((a) => a.name === name)?.components ?? 1) > 1;
// What the frame has to be asked for: height comes from the position, kinds, radius and id always come.
export const arrayBehind = (name: string): string => (['height', 'radius', 'id', 'material', 'group'].includes(name) ? '' : name);

export function choices(frame: FrameData): string[] {
  const names = frame.particleArrays.map((a) => a.name).filter((n) => n !== 'orientation' && n !== 'prescribed');
  return [...names, 'height'];
}

// One value per grain; nothing where the frame that is there was asked for others.
export function valuesOf(frame: FrameData, name: string, up: number[]): Float32Array | null {
  if (name === 'height') {
    const values = new Float32Array(frame.count);
    const p = frame.arrays.position;
    const base = up[0] * frame.origin[0] + up[1] * frame.origin[1] + up[2] * frame.origin[2];
    for (let k = 0; k < values.length; ++k) values[k] = base + up[0] * p[3 * k] + up[1] * p[3 * k + 1] + up[2] * p[3 * k + 2];
    return values;
  }
  const numbers = frame.arrays[name];
  if (!numbers || numbers.length !== frame.count) return null;
  return numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);
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
  const fromZero = name.endsWith('.length') || name === 'coordination';
  if (!fromZero) return { low, high, beyond: false };
  const sorted = values.filter(Number.isFinite).sort();
  const nearly = sorted[Math.floor(0.99 * (sorted.length - 1))];
  const beyond = nearly > 0 && high > 2.5 * nearly;
  if (beyond) high = nearly;
  if (name === 'velocity.length' && duration > 0 && frame.count > 0) {
    const radius = frame.arrays.radius;
    let sum = 0;
    for (let k = 0; k < frame.count; ++k) sum += radius[k];
    high = Math.max(high, (1e-3 * sum) / frame.count / duration);
  }
  return { low: 0, high, beyond };
}

export const union = (a: Range | null, b: Range): Range =>
  a ? { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high), beyond: a.beyond || b.beyond } : b;

// On a scale with a middle zero is the middle, where values lie on both sides of it.
export function balanced(range: Range): Range {
  if (!(range.low < 0 && range.high > 0)) return range;
  const most = Math.max(-range.low, range.high);
  return { ...range, low: -most, high: most };
}

export interface Colouring {
  name: string; // of the array
  values: Float32Array;
  low: number;
  high: number;
  kinds: boolean;
  table: Uint8Array; // 256 colours, four bytes each
}
