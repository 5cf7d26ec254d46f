// What the page can ask the server to do; src/studio/control.h lists the addresses.
import { ask, frameOf, unpack, type Drawer } from './api';
import type { EditorOptions, Editor } from './code_editor';
import type { Scene } from './preview';
import { Schema } from './schema';
import { toldOf } from './schema_pt';

export interface CaseEntry {
  path: string;
  title: string;
  changed: number;
}
export interface Example {
  name: string;
  title: string;
  text: string;
  picture: boolean;
}
export interface Problem {
  file: string;
  line: number;
  key: string;
  value: string;
  rule: string;
}
export interface Check {
  problems: Problem[];
  warnings: string[];
  notes: string[];
  choices?: { what: string; value: number; unit: string; reason: string }[];
  tables?: { pair: string; laws: string }[];
  particles?: number;
  contacts?: number;
  steps?: number;
  time?: number;
  memory?: number;
  complete?: boolean;
}
export type Columns = Record<string, Record<string, number | string | boolean>>;

const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> => ask(path, {}, signal, body);

export const listCases = async (): Promise<CaseEntry[]> => (await ask('cases', {})).json();
export const listExamples = async (): Promise<Example[]> => (await ask('examples', {})).json();
export const getPicture = async (name: string): Promise<Blob> => (await ask('example_picture', { name })).blob();
export const getStarter = async (): Promise<string> => (await ask('starter', {})).text();
export const getColumns = async (): Promise<Columns> => (await ask('columns', {})).json();
export const readCase = async (path: string): Promise<{ text: string; version: string }> => (await ask('file', { case: path })).json();
export const saveCase = async (path: string, text: string, version: string): Promise<string> =>
  (await (await post('save', { case: path, text, version })).json()).version;
export const copyExample = async (name: string): Promise<string> => (await (await post('example', { name })).json()).case;
export const startRun = async (path: string): Promise<string> => (await (await post('start', { case: path })).json()).run;
export const stopRun = async (run: string): Promise<void> => void (await post('stop', { run }));
export const resumeRun = async (run: string, extend?: string): Promise<void> => void (await post('resume', extend ? { run, extend } : { run }));

export interface Checked {
  check: Check;
  scene: Scene | null;
}
export async function checkCase(path: string, text: string, signal: AbortSignal): Promise<Checked> {
  const message = unpack(await (await post('check', { case: path, text }, signal)).arrayBuffer());
  const { head, arrays } = message;
  if (!arrays.id) return { check: head.check, scene: null };
  // regions of packings are drawn as walls have their edges
  const lines = new Float32Array(arrays.wall_edge.length + arrays.outline.length);
  lines.set(arrays.wall_edge);
  lines.set(arrays.outline, arrays.wall_edge.length);
  arrays.wall_edge = lines;
  const drawer: Drawer = async (_frame, _client, look) => (await post('check', { case: path, text, look: JSON.stringify(look) })).blob();
  return { check: head.check, scene: { frame: frameOf(message, 0, head.colour, { grains: new Map(), shapes: new Map() }), up: head.up, flatAxis: head.flat_axis, drawer } };
}

let schema: Promise<Schema> | null = null;
export const getSchema = (): Promise<Schema> =>
  (schema ??= ask('schema', {}).then(async (r) => new Schema(await r.json(), toldOf)).catch((e) => {
    schema = null;
    throw e;
  }));

// The editor is the second script of the page. It comes with the token and goes into the page as it is; the policy of
// the page knows it by its hash.
type MakeEditor = (options: EditorOptions) => Editor;
let editor: Promise<MakeEditor> | null = null;
export const getEditor = (): Promise<MakeEditor> =>
  (editor ??= ask('/editor.js', {}).then(async (r) => {
    const script = document.createElement('script');
    script.textContent = await r.text();
    document.head.append(script);
    return (globalThis as unknown as { areiaEditor: MakeEditor }).areiaEditor;
  }).catch((e) => {
    editor = null;
    throw e;
  }));
