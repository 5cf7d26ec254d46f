// No text of the page is missing in a language, none is left over, and none stands in the components themselves.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = join(dirname(fileURLToPath(import.meta.url)), '../src');
globalThis.localStorage = { getItem: () => null, setItem: () => {} };
globalThis.document = { documentElement: {} };
Object.defineProperty(globalThis, 'navigator', { value: { language: 'pt-BR' }, configurable: true });
const bundled = await build({ entryPoints: [join(source, 'texts.ts')], bundle: true, write: false, format: 'esm' });
const { language, t, texts } = await import(`data:text/javascript,${encodeURIComponent(bundled.outputFiles[0].text)}`);

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
  if (name.endsWith('texts.ts')) continue;
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
