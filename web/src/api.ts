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
}
export type Triple = [number, number, number];
export type Numbers = Float32Array | Float64Array | Uint32Array;

export interface FrameData {
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
  components: Record<string, number>;
  arrays: Record<string, Numbers>;
  walls: { name: string; endless: boolean }[];
}
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

const token = new URLSearchParams(location.search).get('token') ?? '';

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
  components: Record<string, number>;
}
export function unpack(bytes: ArrayBuffer): Message {
  const view = new DataView(bytes);
  if (view.getUint32(0, false) !== 0x41524d31) throw new Error('not a message of areia');
  const length = view.getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)));
  const arrays: Record<string, Numbers> = {};
  const components: Record<string, number> = {};
  for (const [name, a] of Object.entries<any>(head.arrays)) {
    const kind = a.type === 'f32' ? Float32Array : a.type === 'f64' ? Float64Array : Uint32Array;
    arrays[name] = new kind(bytes, 8 + length + a.offset, a.count * a.components);
    components[name] = a.components;
  }
  return { head, arrays, components };
}

export const frameOf = ({ head, arrays, components }: Message): FrameData =>
  ({ ...head, particleArrays: head.particle_arrays, arrays, components, count: arrays.id.length });

export async function listRuns(): Promise<{ folder: string; writes: boolean; runs: RunEntry[] }> {
  return (await ask('runs', {})).json();
}

export async function getRun(run: string): Promise<Run> {
  return (await ask('run', { run })).json();
}

export async function getFrame(run: string, index: number, names: string[], signal?: AbortSignal): Promise<FrameData> {
  return frameOf(unpack(await (await ask('frame', { run, index, arrays: names.join(',') }, signal)).arrayBuffer()));
}

export async function getParticle(run: string, index: number, id: number): Promise<Particle> {
  return (await ask('particle', { run, index, id })).json();
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
