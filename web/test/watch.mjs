// What a page that follows a run costs it:   node web/test/watch.mjs PROGRAM [--windows N] [--length S]
// One run on one core for each kind of page; nobody looks and a page looks by turns, N windows of S seconds each (10 of 8).
// The rate of a window is that between heartbeats; a window with a page is held against the two beside it, so that what
// changes in the run or on the machine cancels. A heap of 12 360 grains with a frame every 10 ms of its time. The figures
// are those of bench/README.md.
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, skip, Studio, until } from './studio.mjs';

const words = process.argv.slice(2);
const option = (name, preset) => {
  const at = words.indexOf(name);
  return at < 0 ? preset : Number(words.splice(at, 2)[1]);
};
const windows = option('--windows', 10), length = option('--length', 8);
if (!chromium) skip('no chromium here; tools/setup browser installs it');
const studio = new Studio(resolve(words[0]));
const example = join(dirname(fileURLToPath(import.meta.url)), '../../examples/04_heap_collapse/case.toml');
const pause = (s) => new Promise((done) => setTimeout(done, 1000 * s));

// The last sign of life: steps, and when they were told.
function beat(results) {
  const file = join(studio.folder, results, 'heartbeat.json');
  try {
    const at = statSync(file).mtimeMs, { step } = JSON.parse(readFileSync(file, 'utf8'));
    return statSync(file).mtimeMs === at ? { at, step } : null;
  } catch {
    return null;
  }
}
async function nextBeat(results) {
  const before = beat(results)?.at ?? 0;
  let found;
  await until(() => (found = beat(results)) && found.at > before, 'the run gave a sign of life');
  return found;
}
async function rate(results) {
  const first = await nextBeat(results);
  await pause(length);
  const last = await nextBeat(results);
  return (last.step - first.step) / (last.at - first.at);
}

async function cost(results, webgl) {
  await studio.browse({ webgl });
  const page = await studio.plainPage('about:blank');
  const running = studio.start(results, example, '--threads', '1', '--checkpoint', '0', '--set', 'stages.collapse.duration=1000', '--set',
    'stages.settle.until.at_most=0.05', '--set', 'output.frames=0.01');
  const ratios = [];
  try {
    await nextBeat(results);
    await pause(15); // the collapse itself
    let alone = await rate(results);
    for (let k = 0; k < windows; ++k) {
      await page.evaluate((address) => void (location.href = address), `${studio.address}#/run/${results}`);
      await page.until(() => Number(document.getElementById('canvas')?.dataset.drawn?.split(' ')[1] ?? 0) > 1);
      const watched = await rate(results);
      await page.evaluate(() => void (location.href = 'about:blank'));
      await pause(1);
      const after = await rate(results);
      ratios.push((2 * watched) / (alone + after));
      alone = after;
    }
  } finally {
    running.kill('SIGKILL');
  }
  return ratios.sort((a, b) => a - b);
}

try {
  await studio.serve();
  for (const [name, webgl] of [['a page with WebGL in software', true], ['a page that the server draws for', false]]) {
    const ratios = await cost(webgl ? 'webgl' : 'server', webgl);
    const mean = ratios.reduce((sum, r) => sum + r, 0) / ratios.length;
    const scatter = Math.sqrt(ratios.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (ratios.length - 1) / ratios.length);
    console.log(`${name.padEnd(34)} ${mean.toFixed(4)} +- ${scatter.toFixed(4)} of the rate, median ${ratios[ratios.length >> 1].toFixed(4)}, ` +
      `${ratios[0].toFixed(3)} to ${ratios.at(-1).toFixed(3)} in ${windows} windows`);
  }
  console.log('wanted: 0.99 or more of the rate with nobody looking');
} finally {
  await studio.end();
}
