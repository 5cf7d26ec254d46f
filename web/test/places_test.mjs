// Where keys stand in a TOML text, what the schema offers there, and differences of texts:   node places_test.mjs PROGRAM EXAMPLES
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [program, examples] = process.argv.slice(2);
const source = join(dirname(fileURLToPath(import.meta.url)), '../src');
const load = async (name) => {
  const made = await build({ entryPoints: [join(source, name)], bundle: true, write: false, format: 'esm' });
  return import(`data:text/javascript,${encodeURIComponent(made.outputFiles[0].text)}`);
};
const { Places, keyOf } = await load('toml_places.ts');
const { Schema, choicesAt, hintAt } = await load('schema.ts');
const { diff } = await load('diff.ts');

const text = `title = "a # = [b]" # not "here"
[materials.'odd name']
density = 2500 # of [glass]
[contacts.a-b]
normal = { law = "hertz", xi = 0.2, deep = { x = [1, 2] } }
[output]
measure = [ # a list
  "energy", # one
  'x',
]
text = """
density = 7
"""
[[stages]]
name = "one"
[[stages]]
duration = 3
[stages.until]
at_rest = true
`;
const places = new Places(text);
const value = (key) => {
  const entry = places.find(key);
  assert.ok(entry, key);
  return text.slice(entry.from, entry.to);
};
assert.equal(value('title'), '"a # = [b]"');
assert.equal(value('materials.odd name.density'), '2500');
assert.equal(value('contacts.a-b.normal.law'), '"hertz"');
assert.equal(value('contacts.a-b.normal.xi'), '0.2');
assert.equal(value('contacts.a-b.normal.deep.x'), '[1, 2]');
assert.ok(value('output.measure').endsWith("'x',\n]"));
assert.equal(value('output.text'), '"""\ndensity = 7\n"""');
assert.equal(value('stages[1].name'), '"one"');
assert.equal(value('stages[2].duration'), '3');
assert.equal(value('stages[2].until.at_rest'), 'true');
assert.equal(places.entries.length, 12, places.entries.map((e) => keyOf(e.path)).join(' '));

// every line `key = value` of the examples is found, at its place; half a text is no reason to hang
let count = 0;
const texts = readdirSync(examples).map((name) => join(examples, name, 'case.toml')).filter(existsSync).map((file) => readFileSync(file, 'utf8'));
for (const all of texts) {
  const found = new Places(all);
  const lines = [...all.matchAll(/^([\w-]+)\s*=\s*/gm)].map((m) => m.index);
  const known = new Set(found.entries.filter((e) => e.line).map((e) => e.keyFrom));
  for (const at of lines) assert.ok(known.has(at), all.slice(at, at + 60));
  count += lines.length;
  for (let k = 0; k < all.length; k += 61) new Places(all.slice(0, k));
}
assert.ok(count > 500);

const schema = new Schema(JSON.parse(spawnSync(program, ['schema'], { encoding: 'utf8' }).stdout));
for (const all of texts) {
  const found = new Places(all);
  for (const entry of found.entries) {
    if (keyOf(entry.path).includes('.set.')) continue; // paths of other keys
    assert.ok(schema.at(entry.path).length > 0, `the schema does not know ${keyOf(entry.path)}`);
  }
}
const offered = (before, after = '') => choicesAt(schema, new Places(before + after), before.length)?.choices.map((c) => c.label) ?? [];
assert.ok(offered('[mat').includes('materials'));
assert.ok(offered('[materials.grain]\nde').includes('density'));
assert.ok(!offered('[materials.grain]\ndensity = 1\nyo').includes('density'));
assert.ok(offered('[contacts.a-b]\nnormal = { law = "', '" }').includes('hertz'));
assert.ok(offered('[contacts.a-b]\nnormal = { law = "hertz", x', ' }').includes('xi'));
assert.ok(offered('[materials.sand]\n[particles.p]\nmaterial = ').includes('sand'));
assert.equal(keyOf(hintAt(places, text.indexOf('2500')).path), 'materials.odd name.density');
assert.match(schema.describe(['materials', 'grain', 'density']).text, /Density/);

const told = diff('a\nb\nc\nd', 'a\nc\nx\nd').map((l) => l.kind + l.text);
assert.deepEqual(told, [' a', '-b', ' c', '+x', ' d']);
assert.deepEqual(diff('same', 'same'), [{ kind: ' ', text: 'same' }]);
console.log(`${count} keys of ${texts.length} examples are found`);
