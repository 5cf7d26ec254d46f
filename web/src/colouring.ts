// Which number a grain is coloured by. The range of the scale comes with the frame (src/render/colour.cpp).
import type { FrameData, Range } from './api';

export type { Range } from './api';

export const isKind = (name: string): boolean => name === 'material' || name === 'group';
// Of a vector its length or one of its components; such a name is `velocity.length`.
export type Part = 'length' | 'x' | 'y' | 'z';
export const parts: Part[] = ['length', 'x', 'y', 'z'];
export const isVector = (frame: FrameData | null, name: string): boolean =>
  (frame?.particleArrays.find((a) => a.name === name)?.components ?? 1) > 1;
export function choices(frame: FrameData): string[] {
  const names = frame.particleArrays.map((a) => a.name).filter((n) => n !== 'orientation' && n !== 'prescribed');
  return [...names, 'height'];
}

// One value per grain; nothing where the frame that is there was asked for others.
export function valuesOf(frame: FrameData, name: string): Float32Array | null {
  const numbers = frame.arrays[name];
  if (frame.colour !== name || !numbers) return null;
  return numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);
}

export const union = (a: Range | null, b: Range): Range =>
  a ? { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high), beyond: a.beyond || b.beyond, at_rest: a.at_rest && b.at_rest } : b;

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
