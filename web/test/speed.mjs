// How fast the picture of a large run comes and changes, and what the page keeps in memory, in both views:
//   node web/test/speed.mjs PROGRAM [RESULTS] [--frames N]
// Without RESULTS, a run of bench/studio.toml is made first, with N frames (100; 500 for the figure of the memory, a
// gigabyte of files). The figures are those of bench/README.md.
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, skip, Studio } from './studio.mjs';

const words = process.argv.slice(2);
const option = words.indexOf('--frames');
const frames = option < 0 ? 100 : Number(words.splice(option, 2)[1]);
const [program, results] = words;
if (!chromium) skip('no chromium here; tools/setup browser installs it');
const studio = new Studio(resolve(program));
const here = dirname(fileURLToPath(import.meta.url));

const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const told = (what, values, limit, unit = 'ms') =>
  console.log(`${what.padEnd(52)} median ${middle(values).toFixed(0)} ${unit}, largest ${Math.max(...values).toFixed(0)} ${unit}${limit ? ` (wanted: ${limit})` : ''}`);

// From the choice of a run to its first pixels, from a change of the time line or a turn of the camera to those of the
// next picture. What WebGL drew is read back, which waits for the renderer.
async function timed(what, value) {
  const canvas = () => document.getElementById('canvas');
  const drawn = () => (what === 'frame' ? canvas().dataset.drawn?.split(' ')[0] : canvas()?.dataset.drawn);
  const before = drawn(), begin = performance.now();
  if (what === 'first') location.hash = value;
  else if (what === 'turn') dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', shiftKey: true, bubbles: true }));
  else {
    const slider = document.getElementById('time');
    if (Number(slider.value) === value) return null;
    slider.value = String(value);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }
  while (drawn() === before) await new Promise((done) => setTimeout(done, 1));
  if (canvas().dataset.view === 'browser') canvas().getContext('webgl2').readPixels(0, 0, 1, 1, 6408, 5121, new Uint8Array(4));
  return performance.now() - begin;
}
const rest = (ms) => new Promise((done) => setTimeout(done, ms));

try {
  let folder = results && resolve(results), run = '.';
  if (!folder) {
    folder = studio.folder;
    run = 'block';
    console.log(`a run with ${frames} frames of 100 000 grains ...`);
    studio.run(run, join(here, '../../bench/studio.toml'), '--set', `stages.fall.duration=${frames - 1}e-4`, '--set', 'output.frames=1e-4', '--set',
      'output.contact_frames=1', '--set', 'output.arrays=["velocity", "material", "group"]');
  }
  await studio.serve(folder);
  for (const webgl of [true, false]) {
    console.log(`\n${webgl ? 'WebGL in software' : 'drawn by the server'}${results ? ` (${basename(folder)})` : ''}`);
    const firsts = [];
    let page;
    for (let k = 0; k < 5; ++k) {
      await studio.browse({ webgl });
      page = await studio.plainPage();
      await page.until(() => document.querySelector('td.title') !== null);
      firsts.push(await page.evaluate(timed, 'first', `#/run/${encodeURIComponent(run)}`));
    }
    told('first picture', firsts, 'below 1000 ms');
    await rest(1500);
    const last = await page.evaluate(() => Number(document.getElementById('time').max));
    const some = Math.min(20, last), times = [], again = [], turns = [];
    for (let k = 0; k < some; ++k) times.push(await page.evaluate(timed, 'frame', k));
    told('another frame, never seen', times, 'below 200 ms');
    for (let k = some - 2; k >= 0; --k) again.push(await page.evaluate(timed, 'frame', k));
    told('a frame that the page has', again, 'below 200 ms');
    for (let k = 0; k < 12; ++k) turns.push(await page.evaluate(timed, 'turn'));
    told('a turn of the camera', turns);
    const memory = [await page.memory()];
    for (let k = 0; k <= last; ++k) {
      await page.evaluate(timed, 'frame', k);
      if (k % 20 === 19 || k === last) memory.push(await page.memory());
    }
    told(`memory of the page over ${last + 1} frames`, memory, 'below 256 MB', 'MB');
  }
} finally {
  await studio.end();
}
