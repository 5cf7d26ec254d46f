// Planes that cut the picture. One leaves out what lies on its far side; a slice is what lies between two.
import type { FrameData, Triple } from './api';

export type Axis = 'x' | 'y' | 'z' | 'sight';
export interface Cut {
  axis: Axis;
  normal: Triple; // unit; of `sight` the direction from which one looked when it was made
  at: number; // m along the normal
  thickness: number; // m; 0: a plane, not a slice
  flipped: boolean;
}
// n . x <= d is kept; in coordinates of the case.
export interface Plane {
  n: Triple;
  d: number;
}
export const mostCuts = 3;

const axes: Record<'x' | 'y' | 'z', Triple> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Triple, b: Triple): Triple => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const negative = (v: Triple): Triple => [-v[0], -v[1], -v[2]];

// How far the scene reaches along a direction.
export function reach(frame: Pick<FrameData, 'view'>, n: Triple): [number, number] {
  let low = 0, high = 0;
  for (let a = 0; a < 3; ++a) {
    const ends = [n[a] * frame.view[0][a], n[a] * frame.view[1][a]];
    low += Math.min(...ends);
    high += Math.max(...ends);
  }
  return [low, high];
}

// Through the middle; the side towards the viewer is what is left out.
export function newCut(frame: Pick<FrameData, 'focus'>, axis: Axis, towardsEye: Triple): Cut {
  const along = axis === 'sight' ? towardsEye : axes[axis];
  const middle = frame.focus[0].map((low, k) => (low + frame.focus[1][k]) / 2) as Triple;
  return { axis, normal: along, at: dot(along, middle), thickness: 0, flipped: dot(along, towardsEye) < 0 };
}

export function planesOf(cuts: Cut[]): Plane[] {
  return cuts.flatMap((c): Plane[] => {
    if (c.thickness > 0) return [{ n: c.normal, d: c.at + c.thickness / 2 }, { n: negative(c.normal), d: c.thickness / 2 - c.at }];
    return [c.flipped ? { n: negative(c.normal), d: -c.at } : { n: c.normal, d: c.at }];
  });
}

// What the planes leave of the stretch [low, high] of a ray; nothing when low > high.
export function shorten(planes: Plane[], from: Triple, along: Triple, low: number, high: number): [number, number] {
  for (const { n, d } of planes) {
    const slope = dot(n, along), room = d - dot(n, from);
    if (slope > 0) high = Math.min(high, room / slope);
    else if (slope < 0) low = Math.max(low, room / slope);
    else if (room < 0) return [1, 0];
  }
  return [low, high];
}
