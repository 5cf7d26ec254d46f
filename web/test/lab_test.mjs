// The impact lab and the verification in a real browser:   node lab_test.mjs PROGRAM
// Exits with 77 where there is no Chromium.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { becomes, chromium, effects, skip, slower, Studio, until } from './studio.mjs';

const program = resolve(process.argv[2]);
if (!chromium) skip('no chromium here; tools/setup browser installs it');
const studio = new Studio(program);
const done = (what) => console.log(`  ${what}`);
const areia = (...words) => {
  const said = spawnSync(program, words, { cwd: studio.folder, encoding: 'utf8' });
  assert.equal(said.status, 0, said.stderr);
  return said.stdout;
};

try {
  areia('verify', '002-', '000-4.2-explicit', 'hertz-restitution', '--threads', '1', '--report', 'deep/report');
  await studio.serve();
  const page = await studio.browse({ colorScheme: 'light' });
  const failures = [];
  page.on('pageerror', (e) => failures.push(String(e)));
  page.on('console', (m) => m.type() === 'error' && !m.text().includes('422') && failures.push(m.text()));
  const ask = (path) => page.evaluate(async (where) => (await fetch(where, { headers: { 'X-Areia-Token': new URLSearchParams(location.search).get('token') } })).json(), path);
  const pixels = (id) => page.locator(`${id} canvas`).first().evaluate((c) => {
    if (!c.width || !c.height) return { sum: 0, drawn: 0 }; // not laid out yet
    const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
    let sum = 0, drawn = 0;
    for (let k = 3; k < data.length; k += 4) if (data[k] > 0) ++drawn, (sum = (sum * 31 + k * (data[k - 3] + 1)) % 1000000007);
    return { sum, drawn };
  });
  const ends = (plane = 0) => page.locator(`#plane-${plane} g.first`).getAttribute('data-end').then(JSON.parse);

  // every sentence of the program's tables has its Portuguese, and none is left over
  await page.goto(studio.address);
  const choices = await ask('/api/lab');
  const source = join(dirname(fileURLToPath(import.meta.url)), '../src/lab_program_pt.ts');
  const bundled = await build({ entryPoints: [source], bundle: true, write: false, format: 'esm' });
  const { programPt } = await import(`data:text/javascript,${encodeURIComponent(bundled.outputFiles[0].text)}`);
  const said = new Set([
    ...choices.systems.map((s) => s.text), ...choices.examples.map((e) => e.title), ...choices.examples.flatMap((e) => e.keys.map((k) => k.text)),
    ...choices.models.flatMap((m) => [m.title, m.text, m.guarantees, ...m.coefficients.flatMap((c) => [c.text, ...c.words.split('|').filter(Boolean)])]),
  ]);
  assert.deepEqual([...said].filter((text) => !(text in programPt)), [], 'sentences of the program without Portuguese');
  assert.deepEqual(Object.keys(programPt).filter((text) => !said.has(text)), [], 'translations of nothing');
  done(`${said.size} sentences of the program have their Portuguese`);

  // from the list to the lab
  await page.locator('#nav-lab').click();
  await page.locator('#plane-0').waitFor();
  assert.equal(await page.locator('#a-model').inputValue(), 'newton');
  assert.equal(await page.locator('.warning.energy_gain').count(), 0);
  const drawn = (id, most) => until(async () => (await pixels(id)).drawn > most, `there is a picture of more than ${most} pixels in ${id}`);
  const differs = (id, sum) => until(async () => {
    const now = await pixels(id);
    return now.drawn > 0 && now.sum !== sum;
  }, `${id} has changed`);
  await drawn('#stage-0', 2000);
  await effects(page);
  const atStart = await pixels('#stage-0');
  await page.locator('#lab-time').evaluate((e) => { e.value = '0.4'; e.dispatchEvent(new Event('input', { bubbles: true })); });
  await page.waitForFunction(() => document.querySelector('#lab-time').valueAsNumber > 0.39);
  await differs('#stage-0', atStart.sum); // the bodies move
  await effects(page);
  const frictionless = { curve: await pixels('#labVelocities'), end: await ends() };
  assert.deepEqual(frictionless.end.map((v) => Math.round(1e4 * v)), [0, 32585]);
  done('shows bodies that move, curves and the impulse plane');

  // another model: the curve and the end point change, and the gain of energy is told
  await page.locator('#a-model').selectOption('kane');
  await page.locator('#a-e').fill('1');
  await page.locator('#a-e').press('Enter');
  await page.locator('#a-mu').fill('1');
  await page.locator('#a-mu').press('Enter');
  await page.locator('#key-run-t_end').evaluate((e) => e.closest('details').setAttribute('open', ''));
  await page.locator('#key-run-t_end').fill('0.9');
  await page.locator('#key-run-t_end').press('Enter');
  await page.locator('.warning.energy_gain').waitFor();
  await becomes(async () => assert.match(await page.locator('.warning.energy_gain').textContent(), /Kane \(Whittaker\) gains energy: 1 of 2 collisions, \+0\.2114 J/));
  await differs('#labVelocities', frictionless.curve.sum); // the curve changes with the model
  await becomes(async () => assert.deepEqual((await ends()).map((v) => Number(v.toPrecision(6))), [3.05484, 5.09141])); // docs/impact-lab.md
  done('another model gives another curve; the gain of energy is told');

  // the case that is saved gives the same numbers on the command line
  const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('.save-case').first().click()]);
  assert.equal(saved.suggestedFilename(), 'bar.toml');
  writeFileSync(join(studio.folder, 'saved.toml'), readFileSync(await saved.path()));
  const told = areia('impact', 'run', 'saved.toml', '--out', 'saved');
  assert.match(told, /left: I_N = 5\.09141, I_T = 3\.05484, sticking/);
  assert.match(told, /E = 11\.971439 {2}energy gain/);
  const energies = await page.locator('#events-0 tbody tr td:last-child').allTextContents();
  assert.deepEqual(energies, ['11.76', '11.9714']);
  done('the saved case gives the numbers of the page on the command line');

  // another collision: the keyboard, the table
  await page.locator('h1').click();
  await page.keyboard.press('n');
  await page.locator('#plane-0 g.first path.cross').waitFor();
  await becomes(async () => assert.deepEqual((await ends()).map((v) => Number(v.toPrecision(6))), [-2.67563, 4.87632]));
  await page.locator('#events-0 button').first().click();
  await page.waitForFunction(() => document.querySelector('#plane-0 g.first path.cross') === null);
  // two models side by side
  await page.keyboard.press('b');
  await page.locator('#stage-1 canvas').waitFor();
  await page.locator('#b-model').selectOption('gp1');
  await page.waitForFunction(() => document.querySelector('#plane-1 g.first')?.dataset.model === 'gp1');
  await becomes(async () => assert.equal(await page.locator('.warning.energy_gain').count(), 1));
  const after = (k) => page.locator(`#events-${k} tbody tr td:last-child`).last().textContent();
  await becomes(async () => {
    assert.equal(await after(0), '11.9714');
    assert.ok(Number(await after(1)) <= 11.76, 'Glocker and Pfeiffer gain no energy');
    assert.match(await page.locator('#labVelocities .u-legend').textContent(), /vy, A.*vy, B/);
  });
  // a slider computes anew; both models follow
  const before = await ends(1);
  await page.locator('#a-e-slider').focus();
  for (let k = 0; k < 5; ++k) await page.keyboard.press('ArrowLeft');
  await page.waitForFunction((old) => document.querySelector('#plane-1 g.first')?.dataset.end !== JSON.stringify(old), before);
  await page.waitForFunction(() => location.hash.includes('gp1') && decodeURIComponent(location.hash).includes('"e":0.975'));
  // a wrong value is told at its field, and what was there stays
  await page.locator('#a-mu').fill('-1');
  await page.locator('#a-mu').press('Enter');
  await page.locator('.key.wrong .problem', { hasText: '>= 0' }).waitFor();
  assert.equal(await page.locator('#plane-0').count(), 1);
  await page.locator('#a-mu').fill('0.3');
  await page.locator('#a-mu').press('Enter');
  await page.waitForFunction(() => document.querySelector('.key.wrong') === null);
  done('keyboard, two models side by side, sliders, wrong values');

  // the address holds it all; in the other language, and a play to the end
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes('"mu":0.3'));
  const address = await page.evaluate(() => location.href);
  await page.goto('about:blank');
  await page.goto(address);
  await page.locator('#stage-1 canvas').waitFor();
  await becomes(async () => {
    assert.equal(await page.locator('#b-model').inputValue(), 'gp1');
    assert.equal(await page.locator('#a-mu').inputValue(), '0.3');
  });
  await page.locator('#language').click();
  await page.getByRole('heading', { name: 'Laboratório de impactos' }).waitFor();
  await page.locator('#a-model option', { hasText: 'Caminho de Routh, coeficiente de Poisson' }).waitFor({ state: 'attached' });
  await page.locator('#language').click();
  // what is being typed outlasts the pictures that are drawn meanwhile
  await page.locator('select[title="Speed"]').selectOption('0.1');
  await page.locator('#lab-play').click();
  await page.locator('#a-mu').fill('0.2');
  await effects(page);
  assert.equal(await page.locator('#a-mu').inputValue(), '0.2');
  await page.locator('#a-mu').press('Enter');
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes('"mu":0.2'));
  await page.locator('select[title="Speed"]').selectOption('4');
  await page.waitForFunction(() => Number(document.querySelector('#lab-time').value) >= 0.89 && document.querySelector('#lab-play').textContent === '▶');
  for (const bad of ['#/lab/%7B%22name%22%3A1%7D', '#/lab/rubbish', '#/lab?text=%5B']) {
    await page.goto('about:blank');
    await page.goto(studio.address + bad);
    await page.locator(bad.includes('text') ? '.failure' : '#plane-0').waitFor();
  }
  for (const example of choices.examples) { // each is drawn
    await page.goto('about:blank');
    await page.goto(`${studio.address}#/lab`);
    await page.locator('#plane-0').waitFor();
    await page.locator('#lab-example').selectOption(example.name);
    await page.waitForFunction((n) => document.querySelectorAll('#events-0 tbody tr').length >= 1 && decodeURIComponent(location.hash).includes(`"name":"${n}"`), example.name);
    assert.equal(await page.locator('.failure').count(), 0, example.name);
    if (example.name !== 'linear') await drawn('#stage-0', 1000);
  }
  done('deep links, Portuguese, playing, every example');

  // the verification: a report below the folder
  await page.locator('#nav-verification').click();
  await page.locator('#example').waitFor();
  const report = JSON.parse(studio.read('deep/report/verification.json'));
  const values = (examples, keep = () => true) => examples.reduce((n, e) => n + e.rows.filter(keep).length, 0);
  const matches = (examples, rows) => page.waitForFunction(([e, r]) => document.querySelector('#matches').textContent.startsWith(`${e} examples, ${r} values`), [examples, rows]);
  await matches(report.examples.length, values(report.examples));
  await page.locator('#filter-source').selectOption('000');
  const of000 = report.examples.filter((e) => e.works.includes('000'));
  await matches(of000.length, values(of000));
  await page.locator('#filter-verdict').selectOption('explained');
  const explained = of000.filter((e) => e.rows.some((r) => r.verdict === 'explained'));
  await matches(explained.length, values(explained, (r) => r.verdict === 'explained'));
  assert.ok(explained.length >= 2);
  await page.locator('.notes', { hasText: 'misprint' }).waitFor();
  await page.locator('#filter-verdict').selectOption('');
  await page.locator('#filter-text').fill('rebound velocity, dt 0.0005');
  await matches(1, 2);
  const row = report.examples[0].rows.find((r) => r.quantity === 'rebound velocity, dt 0.0005') ?? report.examples.flatMap((e) => e.rows).find((r) => r.quantity === 'rebound velocity, dt 0.0005');
  await page.locator('td.n', { hasText: String(Number(row.ours.toPrecision(7))) }).first().waitFor();
  await page.locator('.open-case').last().click();
  await page.locator('.case pre', { hasText: '[particles' }).waitFor();
  await becomes(async () => assert.match(await page.locator('.case code').textContent(), /^areia run 000-4\.2-explicit\.toml --out results/));
  done('the verification filters by source, verdict and text, and opens the case behind a value');
  // a case of the impact lab opens there
  await page.locator('#filter-text').fill('');
  await page.locator('#filter-source').selectOption('002');
  await page.locator('nav .entry', { hasText: '002-trajectories' }).click();
  await page.locator('figure.curves path.line').first().waitFor({ state: 'attached' }); // a flat one counts as hidden
  await page.locator('.open-case').first().click();
  await page.locator('.case a').click();
  await page.locator('#plane-0').waitFor();
  await becomes(async () => assert.equal(await page.locator('#a-model').inputValue(), 'newton'));
  await page.goBack();
  await page.locator('#example h2', { hasText: '002-trajectories' }).waitFor();
  // the quick examples, run here
  await page.locator('#report').selectOption('');
  await page.locator('#run-quick').click();
  await page.locator('progress').waitFor();
  await page.waitForFunction(() => document.querySelector('#matches')?.textContent.startsWith('12 examples'), null, { timeout: 400_000 * slower });
  await page.locator('#language').click();
  await page.getByRole('heading', { name: 'Verificação' }).waitFor();
  await page.locator('.verdict', { hasText: 'confere' }).first().waitFor();
  done('a value opens in the impact lab; the quick examples run here');

  assert.deepEqual(failures, []);
  console.log('the lab and the verification work');
} finally {
  await studio.end();
}
