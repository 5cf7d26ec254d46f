// The JSON Schema of case files, as the program makes it: what may stand where, for completion, hints and the form.
import type { Path, Place, Places } from './toml_places';

export interface Node {
  $ref?: string;
  type?: string;
  description?: string;
  $comment?: string;
  enum?: (string | number)[];
  properties?: Record<string, Node>;
  required?: string[];
  additionalProperties?: boolean | Node;
  items?: Node;
  anyOf?: Node[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  $defs?: Record<string, Node>;
}

export class Schema {
  // `said`: a description in the reader's language.
  constructor(private readonly root: Node, private readonly said = (text: string): string => text) {}

  // A node and all that may stand in its place.
  private alternatives(node: Node): Node[] {
    const there = node.$ref ? (this.root.$defs?.[node.$ref.split('/').pop() as string] ?? {}) : node;
    return [there, ...(there.anyOf ?? []).flatMap((n) => this.alternatives(n))];
  }

  at(path: Path): Node[] {
    let nodes = this.alternatives(this.root);
    for (const part of path)
      nodes = nodes.flatMap((n) => {
        if (typeof part === 'number') return n.items ? this.alternatives(n.items) : n.type === 'object' ? [n] : [];
        const own = n.properties?.[part];
        if (own) return this.alternatives(own);
        return typeof n.additionalProperties === 'object' ? this.alternatives(n.additionalProperties) : [];
      });
    return nodes;
  }

  keysAt(path: Path): Map<string, Node> {
    const found = new Map<string, Node>();
    for (const n of this.at(path)) for (const [name, node] of Object.entries(n.properties ?? {})) if (!found.has(name)) found.set(name, node);
    return found;
  }

  // Tables that are named by the user: [materials.NAME].
  isNamed(path: Path): boolean {
    return this.at(path).some((n) => typeof n.additionalProperties === 'object');
  }

  wordsAt(path: Path): string[] {
    const nodes = this.at(path);
    return [...new Set([...nodes.flatMap((n) => n.enum ?? []), ...(nodes.some((n) => n.type === 'boolean') ? ['true', 'false'] : [])].map(String))];
  }

  isText(path: Path): boolean {
    const nodes = this.at(path).filter((n) => n.type || n.enum);
    return nodes.length > 0 && nodes.every((n) => n.type === 'string' || n.enum);
  }
  isSwitch(path: Path): boolean {
    return this.at(path).some((n) => n.type === 'boolean');
  }
  isNumber(path: Path): boolean {
    return this.at(path).some((n) => n.type === 'number' || n.type === 'integer');
  }

  describe(path: Path): { text: string; preset: string; range: string } {
    const nodes = this.at(path);
    const first = <T>(f: (n: Node) => T | undefined) => nodes.map(f).find((x) => x !== undefined);
    const preset = first((n) => (n.$comment?.startsWith('default: ') ? n.$comment.slice(9) : undefined)) ?? '';
    const bounds = [first((n) => (n.minimum !== undefined ? `≥ ${n.minimum}` : n.exclusiveMinimum !== undefined ? `> ${n.exclusiveMinimum}` : undefined)),
      first((n) => (n.maximum !== undefined ? `≤ ${n.maximum}` : n.exclusiveMaximum !== undefined ? `< ${n.exclusiveMaximum}` : undefined))];
    return { text: this.said(first((n) => n.description) ?? ''), preset, range: bounds.filter(Boolean).join(', ') };
  }

  // Something to begin with, as TOML.
  sample(path: Path): string {
    const { preset } = this.describe(path);
    const nodes = this.at(path);
    const word = nodes.find((n) => n.enum)?.enum?.[0];
    if (nodes.some((n) => n.type === 'boolean')) return preset === 'true' ? 'true' : 'false';
    if (this.isNumber(path)) return /^[-+.\d]/.test(preset) ? preset : word !== undefined && !preset ? '0' : preset ? JSON.stringify(preset.replaceAll('"', '')) : '0';
    if (word !== undefined) return JSON.stringify(preset.replaceAll('"', '') || word);
    if (nodes.some((n) => n.type === 'string')) return preset.startsWith('"') ? preset : '""';
    const list = nodes.find((n) => n.type === 'array');
    if (list) return preset.startsWith('[') ? preset : list.minItems === 3 ? '[0, 0, 0]' : '[]';
    return '{ }';
  }
}

export interface Choice {
  label: string;
  apply: string;
  detail: string;
}

const quoted = (word: string) => (word === 'true' || word === 'false' ? word : JSON.stringify(word));

// What could stand at a position: words for a value, keys for a key, names of tables for a header.
export function choicesAt(schema: Schema, places: Places, position: number): { from: number; choices: Choice[] } | null {
  const { text } = places;
  const lineFrom = text.lastIndexOf('\n', position - 1) + 1;
  const before = text.slice(lineFrom, position);
  const told = (path: Path) => schema.describe(path).text;
  const header = /^\s*\[\[?\s*((?:[\w-]+\.)*)([\w-]*)$/.exec(before);
  if (header) {
    const path = header[1].split('.').filter(Boolean);
    const choices = [...schema.keysAt(path)].filter(([name]) => schema.keysAt([...path, name]).size > 0 || schema.isNamed([...path, name]) || schema.keysAt([...path, name, 0]).size > 0)
      .map(([name]) => ({ label: name, apply: schema.isNamed([...path, name]) ? `${name}.` : name, detail: told([...path, name]) }));
    return choices.length ? { from: position - header[2].length, choices } : null;
  }
  const { table, entry, inValue } = places.around(position);
  if (entry && inValue && !entry.table) {
    const words = schema.wordsAt(entry.path);
    const last = entry.path[entry.path.length - 1];
    if (last === 'material') words.push(...namesIn(places, 'materials'));
    const from = Math.min(entry.from, position);
    return words.length ? { from, choices: words.map((w) => ({ label: w, apply: quoted(w), detail: '' })) } : null;
  }
  const typed = /[\w-]*$/.exec(before)?.[0] ?? '';
  if (!table.inline && !/^\s*[\w-]*$/.test(before)) return null;
  const there = new Set(places.entries.filter((e) => startsWith(e.path, table)).map((e) => e.path[table.path.length]));
  const choices = [...schema.keysAt(table.path)].filter(([name]) => !there.has(name) || name === typed)
    .map(([name]) => ({ label: name, apply: `${name} = `, detail: told([...table.path, name]) }));
  return choices.length ? { from: position - typed.length, choices } : null;
}

export const startsWith = (path: Path, table: Place): boolean => table.path.every((p, k) => path[k] === p) && path.length > table.path.length;

export const namesIn = (places: Places, top: string): string[] =>
  [...new Set([...places.tables, ...places.entries].filter((t) => t.path[0] === top && t.path.length > 1).map((t) => String(t.path[1])))];

// What is known of the key at a position.
export function hintAt(places: Places, position: number): { from: number; to: number; path: Path } | null {
  const { table, entry } = places.around(position);
  if (entry) return { from: entry.keyFrom, to: entry.to, path: entry.path };
  if (table.inline || table.path.length === 0) return null;
  const end = places.text.indexOf('\n', table.from);
  return position <= (end < 0 ? places.text.length : end) ? { from: table.from, to: end < 0 ? places.text.length : end, path: table.path } : null;
}
