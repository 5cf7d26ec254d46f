// What a page that follows a run costs it:   node web/test/watch.mjs PROGRAM [--repeats N] [--seconds S]
// The same case on one core, by turns with nobody looking, with a page that draws by WebGL and with one that the server
// draws for: the rate that the run tells, and the processor time of its process. The case is a heap of 12 360 grains for
// S seconds of its own time (2.5) with a frame every 10 ms. The figures are those of bench/README.md.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, skip, Studio } from './studio.mjs';

const words = process.argv.slice(2);
const option = (name, preset) => {
  const at = words.indexOf(name);
  return at < 0 ? preset : Number(words.splice(at, 2)[1]);
};
const repeats = option('--repeats', 5), seconds = option('--seconds', 2.5);
if (!chromium) skip('no chromium here; tools/setup browser installs it');
const studio = new Studio(resolve(words[0]));
const example = join(dirname(fileURLToPath(import.meta.url)), '../../examples/04_heap_collapse/case.toml');

// Particle-steps per second of the loop, and processor seconds of the whole process.
function run(name) {
  const command = ['run', example, '--out', join(studio.folder, name), '--quiet', '--threads', '1', '--set', `stages.collapse.duration=${seconds}`,
    '--set', 'stages.settle.until.at_most=0.05', '--set', 'output.frames=0.01'];
  const process = spawn('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'bash', studio.program, ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  process.stderr.on('data', (text) => (said += text));
  return new Promise((done, fail) => process.on('exit', (code) => {
    if (code !== 0) return fail(new Error(said));
    const processor = said.trim().split('\n').pop().split(' ').reduce((sum, n) => sum + Number(n), 0);
    done({ rate: JSON.parse(readFileSync(join(studio.folder, name, 'summary.json'), 'utf8')).particle_steps_per_s, processor });
  }));
}

const kinds = { 'nobody looks': null, 'a page with WebGL in software': true, 'a page that the server draws for': false };
const found = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
try {
  await studio.serve();
  for (let k = 0; k < repeats; ++k)
    for (const [name, webgl] of Object.entries(kinds)) {
      const results = `${k} ${name}`;
      let page;
      if (webgl === null) await studio.browser?.close();
      else {
        await studio.browse({ webgl });
        page = await studio.plainPage();
        await page.until(() => document.getElementById('language') !== null);
      }
      const running = run(results);
      if (page) {
        await page.evaluate((where) => void (location.hash = where), `#/run/${encodeURIComponent(results)}`);
        await running;
        const seen = await page.evaluate(() => Number(document.getElementById('canvas')?.dataset.drawn?.split(' ')[1] ?? 0));
        if (seen < 3) throw new Error(`the page did not follow: ${seen} pictures`);
      }
      found[name].push(await running);
    }
  const best = (list) => Math.max(...list.map((r) => r.rate));
  const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const alone = found['nobody looks'];
  for (const [name, list] of Object.entries(found))
    console.log(`${name.padEnd(34)} best ${(best(list) / 1e6).toFixed(2)} M/s (${(best(list) / best(alone)).toFixed(3)}), median ${(middle(list.map((r) => r.rate)) / 1e6).toFixed(2)} M/s ` +
      `(${(middle(list.map((r) => r.rate)) / middle(alone.map((r) => r.rate))).toFixed(3)}), processor time ${middle(list.map((r) => r.processor)).toFixed(2)} s (${(middle(list.map((r) => r.processor)) / middle(alone.map((r) => r.processor))).toFixed(3)})`);
  console.log('wanted: 0.99 or more of the rate with nobody looking');
} finally {
  await studio.end();
}
