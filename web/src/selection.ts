// Which grains are shown: all, those of some groups or materials, or those in a box.
import type { FrameData } from './api';

export type OnlyBy = 'all' | 'group' | 'material' | 'region';
export interface Only {
  by: OnlyBy;
  names: string[];
  box: number[]; // x, y, z of the lowest, then of the highest corner, m
  fades: boolean; // the others are pale, not hidden
}
export const everything: Only = { by: 'all', names: [], box: [], fades: false };

export const hidden = 0, shown = 1, pale = 2;

// One number per grain; nothing where all are shown.
export function presence(frame: FrameData, only: Only): Float32Array | null {
  if (only.by === 'all') return null;
  const values = new Float32Array(frame.count).fill(shown);
  const otherwise = only.fades ? pale : hidden;
  if (only.by === 'region') {
    const p = frame.arrays.position;
    const box = only.box.map((x, k) => x - frame.origin[k % 3]);
    for (let k = 0; k < values.length; ++k)
      for (let a = 0; a < 3; ++a) if (!(p[3 * k + a] >= box[a] && p[3 * k + a] <= box[3 + a])) values[k] = otherwise;
    return values;
  }
  const names = only.by === 'group' ? frame.groups : frame.materials;
  if (frame.arrays[only.by].length !== frame.count) return null; // output.arrays left it out
  const wanted = names.map((name) => only.names.includes(name));
  const kinds = frame.arrays[only.by];
  for (let k = 0; k < values.length; ++k) if (!wanted[kinds[k]]) values[k] = otherwise;
  return values;
}
