// The picture of a run in a real browser, with WebGL and drawn by the server:   node view_test.mjs PROGRAM EXAMPLES
// Exits with 77 where there is no Chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atRest, becomes, chromium, effects, skip, Studio } from './studio.mjs';
import { readVtp } from './vtp.mjs';

const [program, examples] = process.argv.slice(2);
if (!chromium) skip('no chromium here; tools/setup browser installs it');
const studio = new Studio(program);
const done = (what) => console.log(`  ${what}`);
const failures = [];

// The canvas as the screen shows it, without what lies over it: a grid of pixels, and the share that has a strong colour.
const grid = 50;
async function pixels(page) {
  await atRest(page);
  const over = (visibility) => page.evaluate((v) => {
    for (const part of document.querySelectorAll('.picture > :not(#canvas)')) part.style.visibility = v;
  }, visibility);
  await over('hidden');
  const shot = (await page.locator('#canvas').screenshot()).toString('base64');
  await over('');
  return page.evaluate(async ([text, n]) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const g = canvas.getContext('2d');
    g.drawImage(image, 0, 0);
    const { data, width, height } = g.getImageData(0, 0, image.width, image.height);
    let strong = 0;
    for (let k = 0; k < data.length; k += 4)
      if (Math.max(data[k], data[k + 1], data[k + 2]) - Math.min(data[k], data[k + 1], data[k + 2]) > 60) ++strong;
    const points = [];
    for (let j = 0; j < n; ++j)
      for (let i = 0; i < n; ++i) {
        const at = 4 * (Math.floor(((j + 0.5) * height) / n) * width + Math.floor(((i + 0.5) * width) / n));
        points.push([data[at], data[at + 1], data[at + 2]]);
      }
    return { strong: strong / (data.length / 4), points };
  }, [shot, grid]);
}

async function open(webgl) {
  const page = await studio.browse({ webgl });
  page.on('pageerror', (e) => failures.push(String(e)));
  page.on('console', (m) => m.type() === 'error' && failures.push(m.text()));
  await page.goto(`${studio.address}#/run/heap`);
  await page.waitForFunction(() => document.getElementById('canvas')?.dataset.drawn);
  await page.locator('#legend .bar').waitFor();
  return page;
}

const value = async (page, key) => JSON.parse(await page.locator(`#particle dd[data-key=${key}]`).getAttribute('data-value'));

try {
  studio.run('heap', join(examples, '04_heap_collapse/case.toml'), '--set', 'particles.pile.fill.count=2600', '--set',
    'stages.settle.until.at_most=0.15', '--set', 'stages.collapse.duration=0.1', '--set', 'output.frames=0.01');
  await studio.serve();
  const token = new URL(studio.address).searchParams.get('token');
  const ask = (path) => fetch(new URL(path, studio.address), { headers: { 'X-Areia-Token': token } });
  const run = await (await ask('/api/run?run=heap')).json();
  const last = run.frames.length - 1;
  const raw = readVtp(studio.read('heap', 'frames', `particles_${String(run.frames[last].index).padStart(6, '0')}.vtp`));

  const pictures = {}, cutPictures = {};
  let ids = {};
  for (const webgl of [true, false]) {
    const way = webgl ? 'WebGL' : 'drawn by the server';
    const page = await open(webgl);
    assert.equal(await page.locator('#canvas').getAttribute('data-view'), webgl ? 'browser' : 'server');
    assert.equal(await page.locator('#engine').inputValue(), webgl ? 'browser' : 'server');
    const seen = (pictures[way] = await pixels(page));
    assert.ok(seen.strong > 0.02, `${way}: a blank picture, ${seen.strong}`);
    done(`${way}: draws grains, ${(100 * seen.strong).toFixed(1)} % of the picture`);

    // picking: the numbers of the frame file, and the same particles in both views
    const box = await page.locator('#canvas').boundingBox();
    ids[way] = [];
    const places = [[0.5, 0.55], [0.47, 0.5], [0.53, 0.62]];
    const click = ([x, y]) => page.mouse.click(box.x + x * box.width, box.y + y * box.height);
    for (const place of places) {
      await click(place);
      await effects(page);
      ids[way].push(await page.locator('#particle').getAttribute('data-id'));
    }
    const hit = ids[way].findIndex((found) => found !== ''), id = Number(ids[way][hit]);
    const another = raw.id.find((other) => !ids[way].includes(String(other)));
    await page.locator('#particle-number').fill(String(another));
    await page.locator('#particle-number').press('Enter');
    await page.locator(`#particle[data-id="${another}"] dd[data-key=position]`).waitFor();
    assert.deepEqual(await value(page, 'position'), raw.points.slice(3 * raw.id.indexOf(another), 3 * raw.id.indexOf(another) + 3));
    // a number that is being typed outlasts the answer to the click before
    let answer;
    const held = new Promise((go) => (answer = go));
    await page.route('**/api/particle?*', (route) => held.then(() => route.continue()));
    await click(places[hit]);
    await page.locator('#particle-number').fill(String(another));
    answer();
    await page.locator(`#particle[data-id="${id}"] dd[data-key=position]`).waitFor();
    await page.unroute('**/api/particle?*');
    assert.equal(await page.locator('#particle-number').inputValue(), String(another));
    await page.locator('#particle-number').fill(String(id));
    await page.locator('#particle-number').press('Enter');
    const k = raw.id.indexOf(id);
    assert.deepEqual(await value(page, 'position'), raw.points.slice(3 * k, 3 * k + 3));
    assert.deepEqual(await value(page, 'velocity'), raw.velocity.slice(3 * k, 3 * k + 3));
    assert.equal(await value(page, 'radius'), raw.radius[k]);
    await page.waitForFunction((n) => Number(document.querySelector('#history').dataset.count) === n, run.frames.length);
    await page.locator('#history .plot canvas').waitFor();
    assert.equal(Number(await page.locator('#history .plot').getAttribute('data-now')), run.frames[last].time);
    done(`${way}: picks particle ${id} with the numbers of the frame file, and its history`);

    // a wall, by the keyboard
    await page.locator('#wall-name').selectOption('floor');
    await page.locator('#particle[data-wall=floor] dd[data-key=force]').waitFor();
    const message = await (await ask(`/api/history?run=heap&from=${last}&wall=floor`)).json();
    assert.deepEqual(await value(page, 'force'), message.values[0].force);
    await page.keyboard.press('Escape');
    await page.locator('#canvas').focus();
    await page.keyboard.press('Escape');
    await page.locator('#particle[data-wall=""]').waitFor();
    done(`${way}: shows the numbers of a wall`);

    // a cut by the keyboard hides grains, and moving it on hides more
    await page.keyboard.press('x');
    await page.locator('#cut-0').waitFor();
    cutPictures[way] = await pixels(page);
    const cut = cutPictures[way].strong;
    assert.ok(cut < 0.9 * seen.strong && cut > 0.1 * seen.strong, `${way}: cut ${cut} of ${seen.strong}`);
    const before = Number(await page.locator('#cut-0 input[type=range]').inputValue());
    for (let n = 0; n < 6; ++n) await page.keyboard.press('.');
    await becomes(async () => assert.ok(Number(await page.locator('#cut-0 input[type=range]').inputValue()) > before));
    assert.notEqual((await pixels(page)).strong, cut);
    await page.keyboard.press('x');
    await page.locator('.cut').waitFor({ state: 'detached' });
    // a slice
    await page.locator('#add-cut-y').click();
    await page.locator('#cut-0 input[type=number]').nth(1).fill('0.05');
    await page.locator('#cut-0 input[type=number]').nth(1).press('Enter');
    const slice = (await pixels(page)).strong;
    assert.ok(slice > 0 && slice < 0.6 * seen.strong, `${way}: slice ${slice}`);
    await page.locator('#cut-0 legend button').click();
    done(`${way}: cuts and slices`);

    // a selection
    await page.locator('#only').selectOption('region');
    await page.locator('#region-1').fill('0.2');
    await page.locator('#region-1').press('Enter');
    const part = (await pixels(page)).strong;
    assert.ok(part < 0.9 * seen.strong, `${way}: region ${part} of ${seen.strong}`);
    await page.locator('#only').selectOption('all');
    done(`${way}: shows a region alone`);

    // a distance of two particles
    await page.locator('#measuring').check();
    for (const [n, which] of [[0, raw.id[3]], [1, raw.id[40]]]) {
      await page.locator(`#end-${n}`).fill(String(which));
      await page.locator(`#end-${n}`).press('Enter');
    }
    const [a, b] = [3, 40].map((n) => raw.points.slice(3 * n, 3 * n + 3));
    const distance = Math.hypot(...a.map((v, n) => v - b[n]));
    const told = async (what) => Number(await page.locator(what).getAttribute('data-value'));
    await becomes(async () => {
      assert.ok(Math.abs((await told('#distance')) - distance) < 1e-6);
      assert.ok(Math.abs((await told('#gap')) - (distance - raw.radius[3] - raw.radius[40])) < 1e-6);
    });
    await page.locator('#measuring').uncheck();
    done(`${way}: measures a distance`);

    // files: a picture, and a film as pictures
    const [png] = await Promise.all([page.waitForEvent('download'), page.locator('#save-picture').click()]);
    const picture = readFileSync(await png.path());
    assert.equal(picture.subarray(1, 4).toString(), 'PNG');
    assert.ok(picture.length > 20000, 'an empty picture');
    const [zip] = await Promise.all([page.waitForEvent('download'), page.locator('#film-zip').click()]);
    const bytes = readFileSync(await zip.path());
    assert.equal(bytes.readUInt32LE(0), 0x04034b50);
    assert.equal(bytes.readUInt16LE(bytes.length - 12), run.frames.length, 'a picture of each frame');
    done(`${way}: saves a picture and a film of ${run.frames.length} pictures`);
    if (webgl) {
      const [webm] = await Promise.all([page.waitForEvent('download'), page.locator('#film-webm').click()]);
      const film = readFileSync(await webm.path());
      assert.equal(film.readUInt32BE(0), 0x1a45dfa3, 'WebM begins as EBML does');
      assert.ok(film.length > 20000, 'an empty film');
      done('records a film');
    }

    // plots and the time line
    await page.locator('#tab-plots').click();
    await page.locator('#series').selectOption('energy');
    await page.locator('.plot canvas').first().waitFor();
    await page.locator('#time').fill('2');
    await page.waitForFunction((time) => Number(document.querySelector('.plot').dataset.now) === time, run.frames[2].time);
    const [csv] = await Promise.all([page.waitForEvent('download'), page.locator('#save-csv').click()]);
    assert.deepEqual(readFileSync(await csv.path()), studio.read('heap', 'energy.csv'));
    done(`${way}: cross-hair and time line move together; the CSV is the file`);

    // colour maps and themes change the picture
    await page.locator('#tab-view').click();
    await page.locator('#last').click();
    await atRest(page, run.frames[last].index);
    await page.locator('#map').selectOption('grey');
    assert.ok((await pixels(page)).strong < 0.01, `${way}: grey has colours`);
    await page.locator('#map').selectOption('diverging');
    await page.locator('#part').selectOption('y');
    await page.locator('#legend', { hasText: 'velocity y' }).waitFor();
    assert.ok((await pixels(page)).strong > 0.005);
    await page.keyboard.press('d');
    const dark = (await pixels(page)).points[0];
    assert.ok(dark.every((c) => c < 60), `${way}: dark paper is ${dark}`);
    done(`${way}: other colours, dark paper`);
  }

  // both views show the same: a grid of pixels
  for (const [what, of] of [['whole', pictures], ['cut', cutPictures]]) {
    const [a, b] = Object.values(of);
    const all = grid * grid;
    const differ = a.points.filter((p, k) => Math.max(...p.map((c, n) => Math.abs(c - b.points[k][n]))) > 48).length;
    assert.ok(differ < 0.05 * all, `${what}: ${differ} of ${all} pixels differ between the views`);
    done(`${what}: ${all - differ} of ${all} pixels agree in both views`);
  }
  const [one, two] = Object.values(ids);
  assert.deepEqual(one, two, 'both views pick the same particles');

  // the switch, and back; the camera stays
  const page = await open(true);
  await page.keyboard.press('4');
  const top = await pixels(page);
  await page.locator('#engine').selectOption('server');
  await page.waitForFunction(() => document.getElementById('canvas')?.dataset.view === 'server' && document.getElementById('canvas').dataset.drawn);
  const same = await pixels(page);
  assert.ok(Math.abs(same.strong - top.strong) < 0.1 * top.strong);
  await page.locator('#engine').selectOption('browser');
  await page.waitForFunction(() => document.getElementById('canvas')?.dataset.view === 'browser');
  done('the server draws by a switch, too');

  // scrubbing again and again does not fill the memory
  const heap = async () => {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return (usedSize + (backingStorageSize ?? 0)) / 1e6;
  };
  const scrub = async () => {
    for (let k = 0; k <= last; ++k) {
      await page.locator('#time').fill(String(k));
      await effects(page);
    }
  };
  await scrub();
  const once = await heap();
  for (let n = 0; n < 3; ++n) await scrub();
  const often = await heap();
  assert.ok(often < once + 20 && often < 256, `${once.toFixed(0)} MB, then ${often.toFixed(0)} MB`);
  done(`memory ${once.toFixed(0)} MB after all frames, ${often.toFixed(0)} MB after all of them four times`);

  assert.deepEqual(failures.filter((text) => !/ReadPixels|404/.test(text)), []);
  console.log('the picture works in both views');
} finally {
  await studio.end();
}
