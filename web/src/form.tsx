// A case as a form, made from the schema: every change is a change of the text at that key, and what else stands there,
// comments with it, stays.
import { useState } from 'preact/hooks';
import type { Problem } from './control';
import { startsWith, type Schema } from './schema';
import { t } from './texts';
import { keyOf, type Entry, type Path, type Place, type Places } from './toml_places';
import { Typed } from './typed';

const isPlain = (value: string) => /^"(?:[^"\\\n]|\\.)*"$/.test(value);
const shown = (value: string) => {
  try {
    return isPlain(value) ? String(JSON.parse(value)) : value;
  } catch {
    return value;
  }
};

// What was typed, as TOML: numbers and lists as they are, words in quotes.
function written(typed: string, schema: Schema, path: Path, before: string): string {
  const trimmed = typed.trim();
  if (schema.isText(path)) return JSON.stringify(typed);
  if (schema.isNumber(path) && !/^[[{]/.test(trimmed))
    return /^[-+]?(\d[\d_]*\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(trimmed) ? trimmed : JSON.stringify(trimmed);
  return isPlain(before) && !/^[[{"']/.test(trimmed) ? JSON.stringify(trimmed) : trimmed;
}

function Field(p: { entry: Entry; table: Place; places: Places; schema: Schema; problems: Problem[]; write: (text: string) => void }) {
  const { entry, places, schema } = p;
  const value = places.text.slice(entry.from, entry.to);
  const name = keyOf(entry.path.slice(p.table.path.length));
  const key = keyOf(entry.path);
  const words = schema.wordsAt(entry.path);
  const { text: meaning, preset } = schema.describe(entry.path);
  const wrong = p.problems.find((q) => q.key === key);
  const put = (next: string) => p.write(places.text.slice(0, entry.from) + next + places.text.slice(entry.to));
  const remove = () => {
    const from = places.text.lastIndexOf('\n', entry.keyFrom - 1) + 1;
    const end = places.text.indexOf('\n', entry.to);
    p.write(places.text.slice(0, from) + (end < 0 ? '' : places.text.slice(end + 1)));
  };
  const label = { id: `field-${key}`, 'data-key': key, 'aria-invalid': wrong !== undefined, 'aria-label': key };
  return (
    <div class={`field depth${Math.min(3, entry.path.length - p.table.path.length)}`} title={meaning}>
      <label for={label.id}>{name}</label>
      {entry.table ? <span /> : schema.isSwitch(entry.path) && (value === 'true' || value === 'false') ? (
        <input {...label} type="checkbox" checked={value === 'true'} onChange={(e) => put(String(e.currentTarget.checked))} />
      ) : words.length > 0 && (isPlain(value) || value === '') && words.includes(shown(value)) && !schema.isNumber(entry.path) ? (
        <select {...label} value={shown(value)} onChange={(e) => put(JSON.stringify(e.currentTarget.value))}>
          {words.map((w) => <option key={w}>{w}</option>)}
        </select>
      ) : (
        <Typed {...label} type="text" spellcheck={false} value={shown(value)} take={(field) => put(written(field.value, schema, entry.path, value))} />
      )}
      {entry.line ? <button class="plain" aria-label={`${t('removeKey')}: ${key}`} title={t('removeKey')} onClick={remove}>×</button> : <span />}
      {wrong ? <small class="wrong" role="alert">{wrong.rule}</small> : <small>{meaning}{preset && ` (${t('preset')}: ${preset})`}</small>}
    </div>
  );
}

export function Form(p: { places: Places; schema: Schema; problems: Problem[]; write: (text: string) => void }) {
  const { places, schema } = p;
  const [top, setTop] = useState('materials');
  const [name, setName] = useState('');
  const tables = places.tables.filter((table) => !table.inline);
  const own = (table: Place) => places.entries.filter((e) => e.keyFrom >= table.from && e.keyFrom < Math.max(table.to, table.from + 1) && startsWith(e.path, table));
  const add = (table: Place, key: string) => {
    if (!key) return;
    const entries = own(table).filter((e) => e.line);
    const behind = entries.length ? entries[entries.length - 1].to : table.path.length ? table.from : -1;
    const end = behind < 0 ? -1 : places.text.indexOf('\n', behind);
    const line = `${key} = ${schema.sample([...table.path, key])}\n`;
    if (behind >= 0 && end < 0) return p.write(`${places.text}\n${line}`);
    p.write(places.text.slice(0, end + 1) + line + places.text.slice(end + 1));
  };
  const addTable = () => {
    const listed = !schema.isNamed([top]) && schema.keysAt([top, 0]).size > 0 && schema.at([top]).some((n) => n.type === 'array');
    const header = listed ? `[[${top}]]` : schema.isNamed([top]) ? `[${top}.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}]` : `[${top}]`;
    const path: Path = listed ? [top, 0] : schema.isNamed([top]) ? [top, name] : [top];
    const required = schema.at(path).flatMap((n) => n.required ?? []);
    p.write(`${places.text.trimEnd()}\n\n${header}\n${required.map((key) => `${key} = ${schema.sample([...path, key])}\n`).join('')}`);
    setName('');
  };
  const tops = [...schema.keysAt([])].map(([key]) => key)
    .filter((key) => schema.isNamed([key]) || schema.keysAt([key]).size > 0 || schema.keysAt([key, 0]).size > 0);
  return (
    <div class="pane form" id="form">
      {tables.map((table) => {
        const there = new Set(own(table).map((e) => e.path[table.path.length]));
        const missing = [...schema.keysAt(table.path)].map(([key]) => key).filter((key) => !there.has(key) && (table.path.length > 0 || !tops.includes(key)));
        if (table.path.length === 0 && !own(table).length && !missing.length) return null;
        return (
          <fieldset key={`${table.from} ${keyOf(table.path)}`}>
            <legend>{table.path.length ? keyOf(table.path) : t('wholeCase')}</legend>
            {own(table).map((e) => <Field key={e.keyFrom} entry={e} table={table} places={places} schema={schema} problems={p.problems} write={p.write} />)}
            {missing.length > 0 && (
              <select class="add" value="" aria-label={`${t('addKey')}: ${keyOf(table.path)}`} onChange={(e) => add(table, e.currentTarget.value)}>
                <option value="">{t('addKey')}</option>
                {missing.map((key) => <option key={key}>{key}</option>)}
              </select>
            )}
          </fieldset>
        );
      })}
      <fieldset>
        <legend>{t('addTable')}</legend>
        <div class="row">
          <select aria-label={t('addTable')} value={top} onChange={(e) => setTop(e.currentTarget.value)}>{tops.map((key) => <option key={key}>{key}</option>)}</select>
          {schema.isNamed([top]) && <input type="text" placeholder={t('name')} aria-label={t('name')} value={name} onInput={(e) => setName(e.currentTarget.value)} />}
          <button disabled={schema.isNamed([top]) && !name.trim()} onClick={addTable}>{t('add')}</button>
        </div>
      </fieldset>
    </div>
  );
}
