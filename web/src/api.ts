// What the server of the studio answers; src/studio/routes.h lists the addresses.

export interface RunEntry {
  path: string;
  title: string;
  state: 'starting' | 'running' | 'finished' | 'paused' | 'stopped' | 'died';
  note: string;
  hash: string;
  time: number;
  planned: number | null;
  particles: number | null;
  speed: number | null; // particle-steps per second
  left: number | null; // s
  beat: number; // s since 1970, last sign of life
  changed: number;
}
export interface FrameEntry {
  index: number;
  time: number;
  contacts: boolean;
  bonds: boolean;
}
export interface Run extends RunEntry {
  frames: FrameEntry[];
  series: string[];
  up: Triple;
  flat_axis: number | null;
  case_file: string; // beside it; '' where there is none
}
export type Triple = [number, number, number];
export type Numbers = Float32Array | Float64Array | Uint32Array;

// What seldom changes in a run; the server leaves it out of a frame when the page has it, by its key.
export interface Grains {
  key: string;
  arrays: Record<'id' | 'radius' | 'material' | 'group', Numbers>;
}
export interface Shapes {
  key: string;
  origin: Triple;
  corner: Float32Array; // three points of each triangle
  normal: Float32Array;
  wallOfCorner: Uint32Array;
  edge: Float32Array;
  bends: boolean[]; // of each wall: it goes round, and its normals point outwards
}
export interface WallNumbers {
  name: string;
  endless: boolean;
  force: Triple;
  torque: Triple;
  origin: Triple;
  velocity: Triple;
}
export interface Range {
  low: number;
  high: number;
  beyond: boolean; // some values lie above `high`
  at_rest?: boolean | undefined; // nothing moves, and the scale ends at what would be a motion
}
export interface FrameData {
  index: number;
  colour: string; // what it was asked for to be coloured by
  range: Range | null; // of that; nothing: it has no such numbers
  time: number;
  step: number;
  stage: string;
  origin: Triple;
  view: [Triple, Triple]; // what a picture shows
  focus: [Triple, Triple]; // what to look at
  materials: string[];
  groups: string[];
  particleArrays: { name: string; components: number }[];
  count: number;
  arrays: Record<string, Numbers>; // position, those of the grains, and what was asked for
  grains: string; // keys
  shapes: Shapes;
  walls: WallNumbers[];
  chains: { count: number; bonds: number; high: number; beyond: boolean; pulls: boolean } | null; // nothing: not asked for
  bytes: number; // of what is its own
}
export type Lines = '' | 'range' | 'all';
export interface Series {
  names: string[];
  columns: Float64Array[];
}
export type Particle = Record<string, number | string | number[]>;

export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

export const token = new URLSearchParams(location.search).get('token') ?? '';

// With a body it is a POST.
export async function ask(path: string, query: Record<string, string | number>, signal?: AbortSignal, body?: object): Promise<Response> {
  const words = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
  const response = await fetch(`${path.startsWith('/') ? path : `/api/${path}`}?${words}`, {
    headers: { 'X-Areia-Token': token, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    signal: signal ?? null,
  });
  if (!response.ok) {
    const said = (await response.json().catch(() => ({}))) as { error?: string };
    throw new Refused(response.status, said.error ?? response.statusText);
  }
  return response;
}

// A head in JSON and arrays of numbers behind it: src/studio/message.h.
export interface Message {
  head: any;
  arrays: Record<string, Numbers>;
  bytes: number;
}
export function unpack(bytes: ArrayBuffer): Message {
  const view = new DataView(bytes);
  if (view.getUint32(0, false) !== 0x41524d31) throw new Error('not a message of areia');
  const length = view.getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)));
  const arrays: Record<string, Numbers> = {};
  for (const [name, a] of Object.entries<any>(head.arrays)) {
    const kind = a.type === 'f32' ? Float32Array : a.type === 'f64' ? Float64Array : Uint32Array;
    arrays[name] = new kind(bytes, 8 + length + a.offset, a.count * a.components);
  }
  return { head, arrays, bytes: bytes.byteLength };
}

export async function listRuns(): Promise<{ folder: string; writes: boolean; runs: RunEntry[] }> {
  return (await ask('runs', {})).json();
}

export async function getRun(run: string): Promise<Run> {
  return (await ask('run', { run })).json();
}

export interface Parts {
  grains: Map<string, Grains>;
  shapes: Map<string, Shapes>;
}

// A frame, with the parts that are there already taken from `have`, and new ones put into it.
export function frameOf(message: Message, index: number, colour: string, have: Parts): FrameData {
  const { head, arrays } = message;
  let bytes = message.bytes;
  // copies: the message is given up with the frame, parts stay
  const take = (name: string) => {
    const own = arrays[name].slice();
    delete arrays[name];
    return own;
  };
  if (arrays.id)
    have.grains.set(head.grains, { key: head.grains, arrays: { id: take('id'), radius: take('radius'), material: take('material'), group: take('group') } });
  if (arrays.wall_corner)
    have.shapes.set(head.shapes, {
      key: head.shapes, origin: head.shapes_origin, corner: take('wall_corner') as Float32Array, normal: take('wall_normal') as Float32Array,
      wallOfCorner: take('wall_of_corner') as Uint32Array, edge: take('wall_edge') as Float32Array, bends: head.bends,
    });
  const grains = have.grains.get(head.grains), shapes = have.shapes.get(head.shapes);
  if (!grains || !shapes) throw new Error('parts of the frame are missing');
  if (head.shapes_origin) {
    for (const name of Object.keys(arrays)) arrays[name] = arrays[name].slice();
    bytes = Object.values(arrays).reduce((sum, a) => sum + a.byteLength, shapes.corner.byteLength * 3);
  }
  return { ...head, index, colour, range: head.range ?? null, particleArrays: head.particle_arrays, arrays: { ...arrays, ...grains.arrays }, shapes, chains: head.chains ?? null, bytes };
}

export async function getFrame(run: string, index: number, colour: string, up: Triple, lines: Lines, have: Parts, signal?: AbortSignal): Promise<FrameData> {
  const known = [...have.grains.keys(), ...have.shapes.keys()].join(',');
  const answer = await ask('frame', { run, index, colour, up: up.join(','), ...(lines ? { lines } : {}), ...(known ? { have: known } : {}) }, signal);
  return frameOf(unpack(await answer.arrayBuffer()), index, colour, have);
}

export async function getParticle(run: string, index: number, id: number): Promise<Particle> {
  return (await ask('particle', { run, index, id })).json();
}

// Whoever draws a frame for the page. `client`: of its pictures the last one counts.
export type Drawer = (frame: FrameData, client: string, look: object) => Promise<Blob>;
export const drawerOf = (run: string): Drawer => async ({ index }, client, look) =>
  (await ask('picture', { run, index, client, look: JSON.stringify(look) })).blob();

export interface Subject {
  id?: number;
  wall?: string;
}
export type Moment = Record<string, number | number[]> | null; // nothing: not in that frame
export async function getHistory(run: string, from: number, subject: Subject, arrays: string, signal: AbortSignal): Promise<Moment[]> {
  return (await (await ask('history', { run, from, arrays, ...subject }, signal)).json()).values;
}

export async function getSeries(run: string, name: string): Promise<Series> {
  const { head, arrays } = unpack(await (await ask('series', { run, name })).arrayBuffer());
  return { names: head.names, columns: head.names.map((_: string, k: number) => arrays[String(k)] as Float64Array) };
}

export async function getCsv(run: string, name: string): Promise<Blob> {
  return (await ask('series', { run, name, as: 'csv' })).blob();
}

export async function getText(run: string, what: 'case' | 'log'): Promise<string> {
  return (await ask(what, { run })).text();
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
