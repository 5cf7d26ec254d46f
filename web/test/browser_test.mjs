// The page in a real browser:   node browser_test.mjs PROGRAM EXAMPLES
// Exits with 77 where there is no Chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atRest, chromium, effects, skip, Studio, until } from './studio.mjs';
import { readVtp } from './vtp.mjs';

const [program, examples] = process.argv.slice(2);
if (!chromium) skip('no chromium here; tools/setup browser installs it');
const studio = new Studio(program);
const done = (what) => console.log(`  ${what}`);

// Share of pixels of the picture that have a strong colour, and how many colours there are.
async function coloursOf(page) {
  const shot = await page.locator('.picture').screenshot();
  return page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const g = canvas.getContext('2d');
    g.drawImage(image, 0, 0);
    const { data } = g.getImageData(0, 0, image.width, image.height);
    const seen = new Set();
    let strong = 0;
    for (let k = 0; k < data.length; k += 4) {
      const [r, green, b] = data.subarray(k, k + 3);
      seen.add((r >> 3) << 10 | (green >> 3) << 5 | b >> 3);
      if (Math.max(r, green, b) - Math.min(r, green, b) > 60) ++strong;
    }
    return { strong: strong / (data.length / 4), colours: seen.size };
  }, [...shot]);
}

try {
  studio.run('heap', join(examples, '04_heap_collapse/case.toml'), '--set', 'particles.pile.fill.count=600', '--set',
    'stages.settle.until.at_most=0.2', '--set', 'stages.collapse.duration=0.2', '--set', 'title="A heap <b>that</b> collapses"');
  await studio.serve();
  const page = await studio.browse();
  const failures = [];
  page.on('pageerror', (e) => failures.push(String(e)));
  let replaced = ''; // a run whose files another is taking the place of: what is asked for may just have gone, in part or whole
  page.on('console', (m) => {
    const gone = replaced && /status of 4(04|22) /.test(m.text()) && new URL(m.location().url).searchParams.get('run') === replaced;
    if (m.type() === 'error' && !gone) failures.push(`${m.text()} ${m.location().url}`);
  });
  page.on('request', (r) => {
    const { hostname, protocol } = new URL(r.url());
    if (protocol !== 'data:' && protocol !== 'blob:') assert.equal(hostname, '127.0.0.1', r.url());
  });

  // the list, with markup in a title shown as it is
  await page.goto(studio.address);
  await page.getByRole('link', { name: 'A heap <b>that</b> collapses' }).click();
  await page.locator('.caption').waitFor();
  done('opens a run from the list');

  // the picture is there
  await page.locator('#legend .bar').waitFor();
  await atRest(page);
  const seen = await coloursOf(page);
  assert.ok(seen.strong > 0.02 && seen.colours > 100, `a blank picture: ${JSON.stringify(seen)}`);
  done(`draws grains: ${(100 * seen.strong).toFixed(1)} % of the picture, ${seen.colours} colours`);

  // scrubbing: the time of the frame that the server has, and another picture
  const token = new URL(studio.address).searchParams.get('token');
  const ask = (path) => fetch(new URL(path, studio.address), { headers: { 'X-Areia-Token': token } });
  const run = await (await ask('/api/run?run=heap')).json();
  assert.ok(run.frames.length > 5);
  const last = run.frames.length - 1;
  assert.equal(await page.locator('#time').inputValue(), String(last));
  const before = await page.locator('.picture').screenshot();
  await page.locator('#time').fill('2');
  await page.waitForFunction((text) => document.querySelector('.caption').textContent.startsWith(text), `t = ${Number(run.frames[2].time.toPrecision(6))} s`);
  await atRest(page, run.frames[2].index);
  assert.notDeepEqual(await page.locator('.picture').screenshot(), before);
  await page.keyboard.press('Escape');
  await page.locator('.stage h1, canvas').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('#time').value === '3');
  await page.keyboard.press('End');
  await page.waitForFunction((n) => document.querySelector('#time').value === String(n), last);
  await page.locator('.timeline select').selectOption('2'); // so slowly that nobody misses it
  await page.locator('#play').click(); // from the beginning
  await page.waitForFunction(() => Number(document.querySelector('#time').value) >= 3 && Number(document.querySelector('#time').value) < 20);
  await page.locator('#play').click();
  await page.locator('#last').click();
  await page.waitForFunction((t) => document.querySelector('#now').textContent === t, `${Number(run.frames[last].time.toPrecision(6))} s`);
  done('scrubs, steps and plays');

  await atRest(page, run.frames[last].index);

  // a particle, against the frame file as the server's other reader of it does: all digits of the file
  const box = await page.locator('.picture').boundingBox();
  let id = '';
  for (const [dx, dy] of [[0.5, 0.55], [0.45, 0.6], [0.55, 0.6], [0.5, 0.65], [0.4, 0.55], [0.6, 0.5], [0.5, 0.5], [0.5, 0.7]]) {
    await page.mouse.click(box.x + dx * box.width, box.y + dy * box.height);
    await effects(page);
    id = await page.locator('#particle').getAttribute('data-id');
    if (id !== '') break;
  }
  assert.notEqual(id, '', 'no click met a grain');
  await page.locator('#particle dd[data-key=position]').waitFor();
  const value = async (key) => JSON.parse(await page.locator(`#particle dd[data-key=${key}]`).getAttribute('data-value'));
  const raw = readVtp(studio.read('heap', 'frames', `particles_${String(run.frames[last].index).padStart(6, '0')}.vtp`));
  const k = raw.id.indexOf(Number(id));
  assert.ok(k >= 0);
  assert.deepEqual(await value('position'), raw.points.slice(3 * k, 3 * k + 3));
  assert.deepEqual(await value('velocity'), raw.velocity.slice(3 * k, 3 * k + 3));
  assert.equal(await value('radius'), raw.radius[k]);
  done(`picks particle ${id} with the numbers of the frame file`);

  // colours and chains
  await page.locator('#colour').selectOption('material');
  await page.locator('#legend li').first().waitFor();
  await page.locator('#colour').selectOption('height');
  await page.locator('#chains').check();
  await atRest(page);
  await page.locator('#chains').uncheck();
  done('colours by kinds and numbers, shows force chains');

  // plots: the line of the present time moves with the time line, a click in a plot moves the time
  await page.locator('#tab-plots').click();
  await page.locator('#series').selectOption('energy');
  await page.locator('.plot', { hasText: 'kinetic' }).locator('canvas').waitFor();
  assert.equal(Number(await page.locator('.plot').first().getAttribute('data-now')), run.frames[last].time);
  const drawn = await page.locator('.plot').first().screenshot();
  await page.locator('#time').fill('1');
  await page.waitForFunction((time) => Number(document.querySelector('.plot').dataset.now) === time, run.frames[1].time);
  await until(async () => !(await page.locator('.plot').first().screenshot()).equals(drawn), 'the line of the time has moved');
  const over = await page.locator('.plot .u-over').first().boundingBox();
  await page.mouse.click(over.x + 0.5 * over.width, over.y + 0.5 * over.height);
  await page.waitForFunction((most) => Math.abs(Number(document.querySelector('#time').value) - most / 2) <= 1.5, last);
  const [csv] = await Promise.all([page.waitForEvent('download'), page.locator('#save-csv').click()]);
  assert.equal(csv.suggestedFilename(), 'energy.csv');
  assert.deepEqual(readFileSync(await csv.path()), studio.read('heap', 'energy.csv'));
  done('cross-hair and time line move together; the CSV is the file');

  await page.locator('#tab-ledger').click();
  await page.locator('#ledger canvas').waitFor();
  await page.locator('#residual canvas').waitFor();
  await page.locator('#tab-caseText').click();
  await page.waitForFunction(() => document.querySelector('pre').textContent.includes('[particles.pile]'));
  await page.locator('#tab-view').click();
  const [png] = await Promise.all([page.waitForEvent('download'), page.locator('#save-picture').click()]);
  const picture = readFileSync(await png.path());
  assert.equal(picture.subarray(1, 4).toString(), 'PNG');
  assert.ok(picture.length > 20000, 'an empty picture');
  done('energy ledger, case, picture as a file');

  // the other language, and back
  await page.locator('#language').click();
  await page.getByRole('tab', { name: 'Gráficos' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'pt-BR');
  await page.locator('#language').click();
  await page.getByRole('tab', { name: 'Plots' }).waitFor();
  done('speaks Portuguese');

  // a run that goes on is followed
  const process = studio.start('live', join(examples, '04_heap_collapse/case.toml'), '--set', 'particles.pile.fill.count=600',
    '--set', 'stages.collapse.duration=100', '--threads', '1');
  try {
    await page.goto(`${studio.address}#/`);
    await page.locator('td.state .running').waitFor();
    await page.locator('tr', { hasText: 'live' }).getByRole('link').click();
    await page.locator('.timeline input[type=checkbox]').waitFor();
    const first = Number(await page.locator('#time').getAttribute('max'));
    await page.waitForFunction((n) => Number(document.querySelector('#time').max) > n + 1, first);
    await page.waitForFunction(() => document.querySelector('#time').value === document.querySelector('#time').max);
    done('follows a running simulation');
  } finally {
    process.kill('SIGKILL');
  }
  await page.locator('.chip.died').waitFor();
  done('tells that it was killed');

  // one that ends meanwhile is followed to its last frame
  replaced = 'live';
  studio.run('live', join(studio.folder, 'heap/case.toml'), '--overwrite');
  const whole = (await (await ask('/api/run?run=live')).json()).frames.length - 1;
  await page.waitForFunction((n) => Number(document.querySelector('#time').max) === n && Number(document.querySelector('#time').value) === n, whole);
  await page.locator('.chip.finished').waitFor();
  done('follows a run to its last frame');

  assert.deepEqual(failures, []);
  console.log('the page works');
} finally {
  await studio.end();
}
