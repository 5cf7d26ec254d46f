// No text of the page is missing in a language, none is left over, and none stands in the components themselves; the same of
// what the program says of the keys of a case:   node texts_test.mjs PROGRAM
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';

const [program] = process.argv.slice(2);
const source = join(dirname(fileURLToPath(import.meta.url)), '../src');
globalThis.localStorage = { getItem: () => null, setItem: () => {} };
globalThis.document = { documentElement: {} };
Object.defineProperty(globalThis, 'navigator', { value: { language: 'pt-BR' }, configurable: true });
const all = { contents: "export * from './texts'; export * from './schema'; export * from './schema_pt'; export * from './toml_places';", resolveDir: source };
const bundled = await build({ stdin: all, bundle: true, write: false, format: 'esm' });
const { choicesAt, choicesPt, keysPt, language, Places, Schema, t, texts, toldOf } = await import(`data:text/javascript,${encodeURIComponent(bundled.outputFiles[0].text)}`);

assert.equal(language.value, 'pt', 'the language of the browser is the first choice');
const keys = Object.keys(texts.en);
assert.deepEqual(Object.keys(texts.pt), keys, 'both languages have the same texts in the same order');
for (const [name, all] of Object.entries(texts))
  for (const key of keys) assert.ok(all[key].trim().length > 0, `${name}: ${key} is empty`);
// words that are the same in both languages; others that are would be forgotten translations
const same = keys.filter((key) => texts.en[key] === texts.pt[key]);
assert.deepEqual(same, ['torque', 'material']);
language.value = 'en';
assert.equal(t('runs'), 'Runs');

const used = new Set();
for (const name of readdirSync(source).filter((n) => n.endsWith('.ts') || n.endsWith('.tsx'))) {
  if (/texts\.ts$|_pt(_\w+)?\.ts$/.test(name)) continue;
  const text = readFileSync(join(source, name), 'utf8');
  for (const key of keys) if (new RegExp(`\\b${key}\\b`).test(text)) used.add(key);
  // between tags nothing but {expressions}, signs and numbers
  if (name.endsWith('.tsx'))
    for (const [, words] of text.matchAll(/<[a-z][^<>{}]*>([^<>{}]*)<\//g))
      assert.ok(!/\p{L}{3,}/u.test(words) || /^(Home|End|Esc)$/.test(words), `${name} has the text "${words}" in no language`);
}
// names of arrays of frames, which files bring
const ofFiles = ['position', 'velocity', 'spin', 'orientation', 'torque', 'mass', 'charge', 'prescribed'];
assert.deepEqual(keys.filter((key) => !used.has(key) && !ofFiles.includes(key)), [], 'texts that nothing shows');
console.log(`${keys.length} texts in ${Object.keys(texts).length} languages`);

const areia = (words, input) => {
  const said = spawnSync(program, words, { input, encoding: 'utf8' });
  assert.equal(said.status, 0, said.stderr);
  return JSON.parse(said.stdout);
};
// descriptions of the schema, and its words that a case may have as values
const schema = areia(['schema']);
const described = new Set(), words = new Set();
(function walk(node) {
  if (typeof node.description === 'string') described.add(node.description);
  for (const word of Array.isArray(node.enum) ? node.enum : []) words.add(word);
  for (const inner of Object.values(node)) if (inner && typeof inner === 'object') walk(inner);
})(schema);
const agree = (found, table, what) => {
  assert.deepEqual([...found].filter((text) => !(text in table)), [], `${what} without Portuguese`);
  assert.deepEqual(Object.keys(table).filter((text) => !found.has(text)), [], `translations of no ${what}`);
};
agree(described, keysPt, 'descriptions');
// what is not language is the same in both: the unit at the end, names in backticks, numbers, formulas, values of keys
const marks = (text) => {
  const all = (pattern) => (text.match(pattern) ?? []).sort();
  return {
    unit: all(/ \[[^[\]]*\]$/g), names: all(/`[^`]*`/g), numbers: all(/\d+(\.\d+)?(e-?\d+)?/g),
    formulas: text.split(/\.?[\s,;:()]+|\.$/).filter((part) => /[_^=|*/+<]/.test(part)).sort(),
    symbols: all(/\b(pi|rho|xi|mu|omega|epsilon|sigma|gamma|theta|delta|beta|phase|sqrt|exp|sin|atan)\b/g),
    values: all(/(?<=^|[;,.] )\w+(?=(, \w+)*:)/g).filter((word) => words.has(word)),
  };
};
const differ = Object.entries(keysPt).filter(([english, portuguese]) => english === portuguese || !isDeepStrictEqual(marks(english), marks(portuguese)));
assert.deepEqual(differ, [], 'descriptions and translations with other units, names, numbers, formulas, symbols or values');
// what is told of a choice, without numbers of the case: in time steps and by collisions, chosen and given
const grains = `[materials.grain]
density = 2500
young = 1e7
[particles.pair]
material = "grain"
list = [{ x = [0, 0, 0], radius = 0.01 }, { x = [1, 0, 0], radius = 0.01 }]
[[stages]]
duration = 1
`;
const soft = `${grains}[contacts.default]\nnormal = { law = "hertz", xi = 0.2 }\n[numerics]\n`;
const hard = `${grains}[contacts.default]\nimpact = { law = "walton", restitution = 0.9 }\n[numerics]\nengine = "events"\n`;
const chosen = new Set();
for (const text of [soft, `${soft}dt = 1e-5\nskin = 1e-3\nthreads = 1`, hard, `${hard}dt = 1e-5`]) {
  const { choices, tables } = areia(['check', '--json', '--stdin', 'case.toml'], text);
  for (const { laws } of tables) chosen.add(laws);
  for (const { what, reason } of choices) {
    chosen.add(what);
    // how many threads there may be is the machine's
    if (reason in choicesPt || (what !== 'threads' && !/\d/.test(reason))) chosen.add(reason);
  }
}
agree(chosen, choicesPt, 'choices');
// the schema as the page asks it follows the language
const asked = new Schema(schema, toldOf);
assert.equal(asked.describe(['title']).text, 'One line about the case.');
language.value = 'pt';
assert.equal(choicesAt(asked, new Places('[numerics]\nsee'), 14).choices.find((c) => c.label === 'seed').detail, 'Semente de todos os números aleatórios.');
assert.equal(asked.describe(['title']).text, 'Uma linha sobre o caso.');
assert.equal(toldOf('no such text'), 'no such text');
console.log(`${described.size} descriptions of keys and ${chosen.size} of choices have their Portuguese`);
