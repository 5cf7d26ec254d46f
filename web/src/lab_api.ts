// What the server answers for the impact lab; src/studio/lab.h lists the addresses.
import { ask, Refused, token, unpack, type Numbers } from './api';

export type Value = number | string | boolean | Value[] | { [key: string]: Value } | null;
export type Params = Record<string, number | string>;
export interface LabCase {
  title?: string;
  model: string;
  params: Params;
  system: { kind: string; [key: string]: Value };
  start: Record<string, Value>;
  run: Record<string, Value>;
  diagram?: { models?: string[] };
}
export interface LabKey {
  path: string;
  type: 'number' | 'integer' | 'boolean' | 'text' | 'numbers' | 'matrix' | 'texts' | 'tables';
  unit: string;
  min: number | null;
  max: number | null;
  open_min: boolean;
  open_max: boolean;
  text: string;
  value: Value;
  preset: Value;
}
export interface Coefficient {
  name: string;
  min: number | null;
  max: number | null;
  required: boolean;
  preset: string;
  text: string;
  words: string;
}
export interface Model {
  name: string;
  title: string;
  text: string;
  special_cases: string;
  guarantees: string;
  never_gains: boolean;
  coefficients: Coefficient[];
}
export interface Example {
  name: string;
  title: string;
  case: LabCase;
  keys: LabKey[];
}
export interface Choices {
  systems: { kind: string; text: string }[];
  models: Model[];
  examples: Example[];
}
export interface Hit {
  contact: string;
  mode: string;
  IN: number;
  IT: number;
  Ith: number;
  dT: number;
  energy_gain: boolean;
}
export interface LabEvent {
  kind: string;
  t: number;
  hits: Hit[];
  resting: { contact: string; touch: string }[];
  energy_before: number;
  energy_after: number;
  flags: string[];
}
export type Point = [number, number]; // I_T, I_N
export interface Line {
  n: number;
  t: number;
  c: number;
}
export interface Plane {
  mu: number;
  e: number;
  mu_s: number;
  pre: { DNA: number; DTA: number };
  compression: Line;
  termination: Line;
  sticking: Line;
  friction: Line[];
  reverse_slip?: [Point, Point];
  energy: { kind: 'ellipse' | 'parabola' | 'parallel_lines'; outline: Point[] };
  admissible: Point[];
  runs: { model: string; status: string; mode: string; path: Point[]; compression: number; end: Point; dT: number; energy_gain: boolean }[];
}
export interface Warning {
  kind: 'energy_gain' | 'simultaneous' | 'moment_suppressed' | 'stopped';
  events?: number;
  energy?: number;
  reason?: string;
}
export interface Shape {
  name: string;
  kind: 'segment' | 'disc' | 'wall';
  radius: number;
  through: [number, number, number, number];
  places: Numbers;
}
export interface Motion {
  title: string;
  case: LabCase;
  text: string;
  keys: LabKey[];
  run: { system: { coordinates: string[]; velocities: string[]; contacts: string[] }; impacts: number; t_reached: number; energy_start: number; energy_end: number };
  warnings: Warning[];
  events: LabEvent[];
  names: string[];
  columns: Float64Array[];
  times: Numbers;
  shapes: Shape[];
  plane: Plane | null;
}
export interface Problem {
  key: string;
  value: string;
  rule: string;
}
export class WrongCase extends Refused {
  constructor(status: number, message: string, readonly problems: Problem[]) {
    super(status, message);
  }
}

export async function getChoices(): Promise<Choices> {
  return (await ask('lab', {})).json();
}

// A case by its keys, or as the text of a file; `plane`: the event whose impulse plane is wanted.
export async function runLab(given: LabCase | string, plane: number, signal?: AbortSignal): Promise<Motion> {
  const response = await fetch('/api/lab/run', {
    method: 'POST', headers: { 'X-Areia-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ case: given, plane }), signal: signal ?? null,
  });
  if (!response.ok) {
    const said = (await response.json().catch(() => ({}))) as { error?: string; problems?: Problem[] };
    throw new WrongCase(response.status, said.error ?? response.statusText, said.problems ?? []);
  }
  const { head, arrays } = unpack(await response.arrayBuffer());
  return {
    ...head, times: arrays.times, columns: head.names.map((_: string, k: number) => arrays[`series ${k}`] as Float64Array),
    shapes: head.shapes.map((s: Shape, k: number) => ({ ...s, places: arrays[`shape ${k}`] })),
  };
}
