// How fast the picture of a large run comes and changes, and what the page keeps in memory, in both views:
//   node web/test/speed.mjs PROGRAM [RESULTS] [--frames N]
// Without RESULTS, a run of bench/studio.toml is made first, with N frames (100; 500 for the figure of the memory, a
// gigabyte of files). The figures are those of bench/README.md.
import { readFileSync } from 'node:fs';
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

// Memory of the process that runs the page, without what it shares with others (code).
async function memoryOf(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return Math.max(...processInfo.filter((p) => p.type === 'renderer').map((p) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${p.id}/status`, 'utf8'))[1]))) / 1024;
}

// From the change of the time line to the pixels: the picture is read back, which waits for the renderer.
const change = (page, at) => page.evaluate(async (to) => {
  const canvas = document.getElementById('canvas'), slider = document.getElementById('time');
  const shown = () => canvas.dataset.drawn?.split(' ')[0];
  const before = shown(), begin = performance.now();
  slider.value = String(to);
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  while (shown() === before) await new Promise((done) => setTimeout(done, 1));
  if (canvas.dataset.view === 'browser') {
    const gl = canvas.getContext('webgl2');
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
  return performance.now() - begin;
}, at);

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
    const view = webgl ? 'WebGL in software' : 'drawn by the server';
    console.log(`\n${view}${results ? ` (${basename(folder)})` : ''}`);
    const firsts = [];
    for (let k = 0; k < 5; ++k) {
      const page = await studio.browse({ webgl });
      await page.goto(studio.address);
      await page.locator('td.title').first().waitFor();
      // the page is loaded; from the choice of a run to its first pixels
      firsts.push(await page.evaluate(async (address) => {
        const begin = performance.now();
        location.hash = address;
        for (;;) {
          const canvas = document.getElementById('canvas');
          if (canvas?.dataset.drawn) {
            if (canvas.dataset.view !== 'browser') break;
            const gl = canvas.getContext('webgl2');
            const pixel = new Uint8Array(4);
            gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
            break;
          }
          await new Promise((done) => setTimeout(done, 1));
        }
        return performance.now() - begin;
      }, `#/run/${encodeURIComponent(run)}`));
    }
    told('first picture', firsts, 'below 1000 ms');
    const { page, browser } = studio;
    await page.waitForTimeout(1500);
    const last = Number(await page.locator('#time').getAttribute('max'));
    const times = [];
    for (let k = 0; k < Math.min(20, last); ++k) times.push(await change(page, k));
    told('another frame, never seen', times, 'below 200 ms');
    const again = [];
    for (let k = Math.min(20, last) - 2; k >= 0; --k) again.push(await change(page, k));
    told('a frame that the page has', again, 'below 200 ms');
    const turns = [];
    for (let k = 0; k < 12; ++k)
      turns.push(await page.evaluate(async () => {
        const canvas = document.getElementById('canvas');
        const before = canvas.dataset.drawn, begin = performance.now();
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', shiftKey: true, bubbles: true }));
        while (canvas.dataset.drawn === before) await new Promise((done) => setTimeout(done, 1));
        if (canvas.dataset.view === 'browser') canvas.getContext('webgl2').readPixels(0, 0, 1, 1, 6408, 5121, new Uint8Array(4));
        return performance.now() - begin;
      }));
    told('a turn of the camera', turns);
    const memory = [await memoryOf(browser)];
    for (let k = 0; k <= last; ++k) {
      await change(page, k === Number(await page.locator('#time').inputValue()) ? (k + 1) % (last + 1) : k);
      if (k % 20 === 19 || k === last) memory.push(await memoryOf(browser));
    }
    told(`memory of the page over ${last + 1} frames`, memory, 'below 256 MB', 'MB');
  }
} finally {
  await studio.end();
}
