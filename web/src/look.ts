// What is shown of a run, and how; the same for both ways of drawing.
import type { FrameData, Triple } from './api';
import type { Part, Range } from './colouring';
import { isVector } from './colouring';
import type { MapName } from './colours';
import type { Cut } from './cuts';
import { everything, type Only } from './selection';

export type RangeMode = 'seen' | 'frame' | 'fixed';
export interface Look {
  colour: string;
  part: Part;
  map: MapName;
  mode: RangeMode;
  fixed: Range;
  walls: boolean;
  chains: boolean;
  breaks: boolean;
  cuts: Cut[];
  only: Only;
}
export const firstLook: Look = {
  colour: 'velocity', part: 'length', map: 'violet', mode: 'seen', fixed: { low: 0, high: 1, beyond: false },
  walls: true, chains: false, breaks: true, cuts: [], only: everything,
};

// The array that grains are coloured by, as the server calls it. Before a frame is there velocities are vectors.
export const arrayOf = (look: Look, frame: FrameData | null): string =>
  (frame ? isVector(frame, look.colour) : ['velocity', 'spin', 'force', 'torque'].includes(look.colour)) ? `${look.colour}.${look.part}` : look.colour;

// What was picked, and the ends of a measurement.
export type Picked = { id: number } | { wall: string } | null;
export type End = { id: number } | { at: Triple; name: string };

// Where an end is in a frame, and how large; nothing where its particle is not there.
export function placeOf(frame: FrameData, end: End): { at: Triple; radius: number } | null {
  if ('at' in end) return { at: end.at, radius: 0 };
  const k = indexOf(frame, end.id);
  if (k < 0) return null;
  return { at: [0, 1, 2].map((a) => frame.arrays.position[3 * k + a] + frame.origin[a]) as Triple, radius: frame.arrays.radius[k] };
}

// Ids rise: halve until found.
export function indexOf(frame: FrameData, id: number): number {
  const ids = frame.arrays.id;
  let low = 0, high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle] < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : -1;
}

export interface Measured {
  distance: number; // m
  gap: number | null; // m, of two surfaces; nothing for points
}
export function measured(frame: FrameData, ends: End[]): Measured | null {
  const [a, b] = ends.map((end) => placeOf(frame, end));
  if (!a || !b) return null;
  const distance = Math.hypot(...a.at.map((x, k) => x - b.at[k]));
  return { distance, gap: a.radius > 0 || b.radius > 0 ? distance - a.radius - b.radius : null };
}
