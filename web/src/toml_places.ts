// Where things stand in a TOML text: tables, keys, values. It judges nothing, and goes on behind what it does not
// understand; what is right is for `areia check` to say.
export type Path = (string | number)[]; // numbers count the tables of an array, from 0

export interface Entry {
  path: Path;
  keyFrom: number;
  keyTo: number;
  from: number; // of the value
  to: number;
  table: boolean; // the value is an inline table
  line: boolean; // stands on a line of its own, not in an inline table
}
export interface Place {
  path: Path;
  from: number;
  to: number;
  listed: boolean; // [[..]]
  inline: boolean;
}

export const keyOf = (path: Path): string =>
  path.map((p, k) => (typeof p === 'number' ? `[${p + 1}]` : (k ? '.' : '') + p)).join('');

export class Places {
  readonly entries: Entry[] = [];
  readonly tables: Place[] = []; // the first is the file itself, before any header
  private at = 0;

  constructor(readonly text: string) {
    const counts = new Map<string, number>();
    let table: Place = { path: [], from: 0, to: 0, listed: false, inline: false };
    this.tables.push(table);
    while (this.at < text.length) {
      this.blanks(true);
      if (this.at >= text.length) break;
      if (text[this.at] === '[') {
        const from = this.at;
        const listed = text.startsWith('[[', from);
        this.at += listed ? 2 : 1;
        const keys = this.keys();
        this.endOfLine();
        if (!keys.length) continue;
        const path: Path = [];
        keys.forEach((key, k) => {
          path.push(key);
          const name = keyOf(path);
          if (listed && k === keys.length - 1) {
            counts.set(name, (counts.get(name) ?? -1) + 1);
            path.push(counts.get(name) as number);
          } else if (counts.has(name)) path.push(counts.get(name) as number); // below an array of tables: its last one
        });
        table.to = from;
        table = { path, from, to: text.length, listed, inline: false };
        this.tables.push(table);
      } else {
        this.pair(table.path, true);
        this.endOfLine();
      }
    }
    table.to = text.length;
  }

  find(key: string): Entry | undefined {
    return this.entries.find((e) => keyOf(e.path) === key);
  }

  // The innermost table around a position, and the entry whose key or value it stands in.
  around(position: number): { table: Place; entry: Entry | null; inValue: boolean } {
    let table = this.tables[0];
    for (const t of this.tables)
      if (t.from <= position && (t.inline ? position < t.to : position <= t.to) && (!t.inline || t.from < position)) table = t;
    let entry: Entry | null = null;
    for (const e of this.entries) if (e.keyFrom <= position && position <= e.to) entry = e;
    if (entry && entry.table && table.inline && keyOf(table.path) === keyOf(entry.path)) entry = null; // between its keys
    return { table, entry, inValue: entry !== null && position > entry.keyTo };
  }

  private blanks(lines: boolean): void {
    for (; this.at < this.text.length; ++this.at) {
      const c = this.text[this.at];
      if (c === '#' && lines) {
        while (this.at < this.text.length && this.text[this.at] !== '\n') ++this.at;
        --this.at;
      } else if (!(c === ' ' || c === '\t' || c === '\r' || (lines && c === '\n'))) return;
    }
  }

  private endOfLine(): void {
    while (this.at < this.text.length && this.text[this.at] !== '\n') ++this.at;
  }

  private keys(): string[] {
    const found: string[] = [];
    for (;;) {
      this.blanks(false);
      const c = this.text[this.at];
      if (c === '"' || c === "'") {
        const from = this.at;
        this.string();
        found.push(this.text.slice(from + 1, Math.max(from + 1, this.at - 1)));
      } else {
        const bare = /^[\p{L}\p{N}_-]+/u.exec(this.text.slice(this.at, this.at + 200));
        if (!bare) return found;
        found.push(bare[0]);
        this.at += bare[0].length;
      }
      this.blanks(false);
      if (this.text[this.at] !== '.') return found;
      ++this.at;
    }
  }

  private pair(table: Path, line: boolean): boolean {
    const keyFrom = this.at;
    const keys = this.keys();
    const keyTo = this.at;
    if (!keys.length || this.text[this.at] !== '=') return false;
    ++this.at;
    this.blanks(false);
    const path = [...table, ...keys];
    const entry: Entry = { path, keyFrom, keyTo, from: this.at, to: this.at, table: this.text[this.at] === '{', line };
    this.entries.push(entry);
    this.value(path);
    entry.to = this.at;
    return true;
  }

  private value(path: Path): void {
    const c = this.text[this.at];
    if (c === '"' || c === "'") this.string();
    else if (c === '[') {
      ++this.at;
      for (let k = 0; ; ) {
        this.blanks(true);
        const now = this.text[this.at];
        if (now === undefined || now === '=') return;
        if (now === ']') {
          ++this.at;
          return;
        }
        if (now === ',') ++this.at;
        else this.value([...path, k++]);
      }
    } else if (c === '{') {
      const place: Place = { path, from: this.at, to: this.text.length, listed: false, inline: true };
      this.tables.push(place);
      ++this.at;
      for (;;) {
        this.blanks(false);
        const now = this.text[this.at];
        if (now === undefined || now === '\n') break;
        if (now === '}') {
          ++this.at;
          break;
        }
        if (now === ',') ++this.at;
        else if (!this.pair(path, false)) {
          const before = this.at;
          while (this.at < this.text.length && !',}\n'.includes(this.text[this.at])) ++this.at;
          if (before === this.at && this.text[this.at] !== ',') break;
        }
      }
      place.to = this.at;
    } else {
      const from = this.at;
      while (this.at < this.text.length && !',]}#\n'.includes(this.text[this.at])) ++this.at;
      while (this.at > from && /\s/.test(this.text[this.at - 1])) --this.at;
      if (this.at === from && this.text[this.at] !== '\n' && this.text[this.at] !== ',') ++this.at; // not to stand still
    }
  }

  private string(): void {
    const quote = this.text[this.at];
    const long = this.text.startsWith(quote.repeat(3), this.at);
    const end = long ? quote.repeat(3) : quote;
    this.at += end.length;
    while (this.at < this.text.length && !this.text.startsWith(end, this.at)) {
      if (!long && this.text[this.at] === '\n') return;
      this.at += quote === '"' && this.text[this.at] === '\\' ? 2 : 1;
    }
    this.at = Math.min(this.text.length, this.at + end.length);
  }
}
