// Cases and runs in a real browser:   node edit_test.mjs PROGRAM EXAMPLES
// Exits with 77 where there is no Chromium.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { becomes, chromium, skip, Studio, until } from './studio.mjs';

const [program] = process.argv.slice(2);
if (!chromium) skip('no chromium here; tools/setup browser installs it');
const studio = new Studio(program);
const done = (what) => console.log(`  ${what}`);
const started = []; // results folders whose process may outlive a failure
// The process of a run whose heart beats.
const processOf = (run) => {
  try {
    return JSON.parse(studio.read(run, 'heartbeat.json')).pid;
  } catch {} // not there now
};
const framesOf = (run) => (existsSync(join(studio.folder, run, 'frames')) ? readdirSync(join(studio.folder, run, 'frames')).filter((n) => n.startsWith('particles_')).length : 0);
// Makes the process of a run stand still, so that it cannot end while somebody looks; it goes on with SIGCONT.
async function hold(run, isThere) {
  let pid;
  await until(() => (pid = processOf(run)) && isThere(pid), `${run} is as far as it should be`);
  process.kill(pid, 'SIGSTOP');
  return pid;
}

try {
  await studio.serve();
  const page = await studio.browse();
  const failures = [];
  page.on('pageerror', (e) => failures.push(String(e)));
  page.on('console', (m) => m.type() === 'error' && failures.push(m.text()));
  page.on('request', (r) => {
    const { hostname, protocol } = new URL(r.url());
    if (protocol !== 'data:' && protocol !== 'blob:') assert.equal(hostname, '127.0.0.1', r.url());
  });
  const text = () => page.locator('.cm-content').evaluate((e) => e.cmTile?.view?.state.doc.toString() ?? [...e.querySelectorAll('.cm-line')].map((l) => l.textContent).join('\n'));
  const type = async (all) => {
    const before = await page.locator('#verdict').getAttribute('data-version');
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(all);
    await page.waitForFunction((old) => document.querySelector('#verdict').dataset.version !== old, before); // the verdict is on this text, then
  };
  const verdict = (words) => page.waitForFunction((w) => {
    const v = document.querySelector('#verdict');
    return v && v.dataset.fresh === 'true' && v.textContent.includes(w);
  }, words);

  // an example, opened as a copy
  await page.goto(studio.address);
  await page.getByRole('link', { name: 'Examples' }).click();
  await page.locator('#example-07_shaken_box img[src]').scrollIntoViewIfNeeded().catch(() => {});
  await page.locator('#example-07_shaken_box').getByRole('button').first().click();
  await page.locator('.cm-content').waitFor();
  const file = join(studio.folder, '07_shaken_box/case.toml');
  assert.ok(existsSync(file));
  await verdict('no problems');
  await page.locator('#chosen dt', { hasText: 'time step' }).waitFor();
  await page.locator('.edit canvas').waitFor();
  done('opens a copy of an example, with what would be chosen and a preview');

  // a wrong value: the error at its line, in the words of areia check
  const right = readFileSync(file, 'utf8');
  const wrong = right.replace(/^(density\s*=\s*).*$/m, '$1-3');
  assert.notEqual(wrong, right);
  const line = wrong.split('\n').findIndex((l) => /^density/.test(l)) + 1;
  await type(wrong);
  await verdict('1 problem');
  await page.locator('.cm-lintRange-error', { hasText: '-3' }).waitFor();
  await becomes(async () => assert.match(await page.locator('#problems li').textContent(), /density/));
  const told = await page.locator('#problems li').textContent();
  const check = spawnSync(program, ['check', '--json', '--stdin', 'case.toml'], { input: wrong, encoding: 'utf8' });
  const [problem] = JSON.parse(check.stdout).problems;
  assert.equal(problem.line, line);
  assert.ok(told.includes(`line ${line}`) && told.includes(problem.key) && told.includes(problem.rule), told);
  assert.ok(await page.locator('#start').isDisabled());
  done(`tells a wrong value at its line: ${told}`);

  // repaired in the form, which is the same text, comments included
  await page.locator('#tab-form').click();
  const field = page.locator(`[data-key="${problem.key}"]`);
  await becomes(async () => assert.equal(await field.getAttribute('aria-invalid'), 'true'));
  await field.fill('2600 kg/m^3');
  await field.press('Enter');
  const title = page.locator('[data-key="title"]');
  const words = await title.inputValue();
  await title.fill('Half a ti');
  await verdict('no problems'); // and the form is drawn anew
  assert.equal(await title.inputValue(), 'Half a ti');
  await title.fill(words);
  await page.locator('#tab-text').click();
  await page.locator('.cm-content').waitFor();
  await page.keyboard.press('Control+Home');
  assert.equal(readFileSync(file, 'utf8'), right, 'nothing is saved unasked');
  await page.locator('#unsaved').waitFor();
  await page.locator('.cm-content').press('Control+s');
  await page.locator('#unsaved').waitFor({ state: 'detached' });
  assert.equal(readFileSync(file, 'utf8'), wrong.replace(/^(density\s*=\s*).*$/m, '$1"2600 kg/m^3"'));
  done('repairs it in the form; Ctrl-S saves, with all comments');

  // completion and hover from the schema
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  // at once, and one question: while typing, a list may open at another word, and take the next key
  await page.keyboard.insertText('\n[numerics]\nthr');
  await verdict('1 problem');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+ ');
  await page.locator('.cm-tooltip-autocomplete li', { hasText: 'threads' }).first().waitFor();
  await page.waitForTimeout(200); // keys that come at once were not meant for the list
  await page.keyboard.press('Enter');
  await page.keyboard.type('1');
  const lines = (await text()).split('\n');
  assert.ok(lines.some((l) => /^threads\s*=\s*1$/.test(l.trim())), lines.slice(-3).join('|'));
  await verdict('no problems');
  let moved = 0;
  await until(async () => { // a busy machine may miss a movement
    // the place of the word itself: the numbers of lines may cover where a long line begins
    const at = await page.locator('.cm-line', { hasText: /^threads/ }).last().evaluate((line) => {
      line.closest('.cm-scroller').scrollLeft = 0;
      const word = document.createRange();
      word.selectNodeContents(line);
      const { left, top, height } = word.getBoundingClientRect();
      return { x: left + 12, y: top + height / 2 };
    });
    await page.mouse.move(at.x + 3 * (moved++ % 4), at.y);
    await page.waitForTimeout(800);
    return page.locator('.cm-hint').isVisible();
  }, 'the key is explained');
  done('completes and explains keys');

  // the other language, and back
  await page.locator('#language').click();
  await page.getByRole('tab', { name: 'Formulário' }).click();
  await page.locator('.field[title^="Densidade;"]', { hasText: 'density' }).first().waitFor(); // a key keeps its name
  await page.locator('#chosen dt', { hasText: 'passo de tempo' }).waitFor();
  await page.locator('#language').click();
  await page.locator('.field[title^="Density;"]').first().waitFor();
  await page.getByRole('tab', { name: 'Text' }).click();
  await page.locator('.cm-content').waitFor();
  done('speaks Portuguese');

  // a case that runs long enough to be paused, and the hash of the run that never was
  const small = `title = "A few grains"
[materials.grain]
density = 2500 # of glass
young = "10 MPa"
[contacts.default]
normal = { law = "hertz", xi = 0.2 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.2 }
[particles.grains]
material = "grain"
radius = "10 mm"
fill = { region = { box = [[0, 0, 0], [0.2, 0.2, 0.4]] }, count = 300 }
[walls.box]
box = { min = [0, 0, 0], max = [0.2, 0.2, 0.8] }
[fields.gravity]
acceleration = [0, 0, -9.81]
[[stages]]
duration = "12 s"
[output]
frames = "100 ms"
[numerics]
threads = 1
`;
  await type(small);
  await verdict('no problems');
  await page.locator('#start').click();
  started.push('07_shaken_box/case.out');
  const before = await hold(started[0], () => framesOf(started[0]) > 2);
  await page.locator('.run .chip.running').waitFor();
  await page.waitForFunction(() => Number(document.querySelector('#time')?.max) > 1);
  const asked = page.waitForResponse((r) => r.url().includes('/api/stop'));
  await page.locator('#pause').click();
  await asked;
  process.kill(before, 'SIGCONT');
  await page.locator('.chip.paused').waitFor();
  await page.locator('#resume').click();
  // killed from outside, once its heart beats
  const again = await hold(started[0], (pid) => pid !== before);
  await page.locator('.chip.running').waitFor();
  process.kill(again, 'SIGKILL');
  await page.locator('.chip.died').waitFor();
  await page.locator('.reason', { hasText: 'killed' }).waitFor();
  done('pauses, resumes, and tells of a run that was killed');
  await page.locator('#resume').click();
  await page.locator('.chip.finished').waitFor();
  studio.run('whole', file);
  const hash = JSON.parse(studio.read('whole', 'summary.json')).state_hash;
  assert.equal(JSON.parse(studio.read(started[0], 'summary.json')).state_hash, hash);
  assert.equal(await page.locator('header code').getAttribute('title'), hash);
  done(`runs to the end, with the hash of the unbroken run: ${hash.slice(0, 8)}`);

  await page.locator('#its-case').click();
  await page.waitForFunction((name) => decodeURIComponent(location.hash).endsWith(name), '07_shaken_box/case.toml');
  await page.locator('.cm-content').waitFor();
  done('goes from a run to its case');

  // the list: by a key that was changed, and two side by side
  studio.run('other', file, '--set', 'contacts.default.tangential.mu=0.1');
  await page.goto(`${studio.address}#/`);
  await page.locator('tr', { hasText: 'whole' }).waitFor();
  await page.locator('#columns').focus();
  await page.waitForFunction(() => [...document.querySelectorAll('#columns option')].some((o) => o.textContent.endsWith('tangential.mu')));
  const key = await page.locator('#columns option', { hasText: 'tangential.mu' }).first().textContent();
  await page.locator('#columns').selectOption(key);
  await page.locator('th.extra button').first().click();
  await becomes(async () => {
    const order = await page.locator('td.extra').allTextContents();
    assert.deepEqual(order, [...order].sort((a, b) => Number(a) - Number(b)));
    assert.ok(order.includes('0.1') && order.includes('0.5'));
  });
  for (const name of ['whole', 'other']) await page.locator('tr', { hasText: name }).locator('input[type=checkbox]').check();
  await page.locator('#compare').click();
  await page.waitForFunction(() => document.querySelectorAll('.pictures canvas').length === 2);
  await page.locator('#tab-compareCases').click();
  await page.locator('#diff .in', { hasText: 'mu = 0.1' }).first().waitFor();
  await page.locator('#diff .out', { hasText: 'mu = 0.5' }).first().waitFor();
  await page.locator('#tab-plots').click();
  await page.locator('.compare .plot canvas').first().waitFor();
  done('sorts by a changed key, compares two runs');

  // without WebGL the server draws the preview, and both pictures of a comparison
  const address = await page.evaluate(() => location.href);
  const plain = await studio.browse({ webgl: false });
  plain.on('pageerror', (e) => failures.push(String(e)));
  plain.on('console', (m) => m.type() === 'error' && failures.push(m.text()));
  const coloured = (canvas) => canvas.evaluate((c) => {
    if (!c.dataset.drawn || c.dataset.busy !== undefined) return 0;
    const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
    let strong = 0;
    for (let k = 0; k < data.length; k += 4) if (Math.max(data[k], data[k + 1], data[k + 2]) - Math.min(data[k], data[k + 1], data[k + 2]) > 60) ++strong;
    return strong / (data.length / 4);
  });
  await plain.goto(`${studio.address}#/edit/${encodeURIComponent('07_shaken_box/case.toml')}`);
  await plain.locator('.edit canvas').waitFor();
  await until(async () => (await coloured(plain.locator('.edit canvas'))) > 0.02, 'the preview is drawn by the server');
  await plain.goto(address);
  await plain.locator('.pictures canvas').nth(1).waitFor();
  for (const k of [0, 1]) await until(async () => (await coloured(plain.locator('.pictures canvas').nth(k))) > 0.01, `picture ${k} of the comparison is drawn by the server`);
  done('draws previews without WebGL');

  assert.deepEqual(failures, []);
  console.log('cases and runs work');
} finally {
  for (const run of started)
    try {
      process.kill(processOf(run), 'SIGKILL');
    } catch {} // it has ended
  await studio.end();
}
