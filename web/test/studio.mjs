// What tests and screenshots share: a case that was run, the server on it, and one browser.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

// The picture at rest. What was done in the page has its effects a frame or two later; then nothing is under way, and the
// picture is drawn in full. `frame`: the one that is to be seen.
export async function atRest(page, frame) {
  await effects(page);
  await page.waitForFunction((index) => {
    const { drawn, busy, awaited, fitting } = document.getElementById('canvas')?.dataset ?? {};
    return drawn && busy === undefined && awaited === undefined && fitting === undefined && (index === undefined || Number(drawn.split(' ')[0]) === index);
  }, frame);
}
export const effects = (page) => page.evaluate(async () => {
  for (let k = 0; k < 4; ++k) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
});

// Waits for what no event tells; a machine that is busy takes its time.
export async function until(condition, what) {
  for (const end = Date.now() + patience; !(await condition()); await new Promise((done) => setTimeout(done, 50)))
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
}
// Assertions about what is to come: pages compute after every key, and show what comes between.
export async function becomes(assertions) {
  for (const end = Date.now() + patience;; await new Promise((done) => setTimeout(done, 50))) {
    try {
      return await assertions();
    } catch (wrong) {
      if (wrong.code !== 'ERR_ASSERTION' || Date.now() > end) throw wrong;
    }
  }
}
export const slower = Number(process.env.AREIA_PATIENCE ?? 1); // tests/CMakeLists.txt
const patience = 120_000 * slower; // ms

export const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

export class Studio {
  folder = mkdtempSync(join(tmpdir(), 'areia-studio-'));
  constructor(program) {
    this.program = program;
  }
  run(out, caseFile, ...options) {
    const done = spawnSync(this.program, ['run', caseFile, '--out', join(this.folder, out), '--quiet', ...options], { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
  }
  start(out, caseFile, ...options) {
    return spawn(this.program, ['run', caseFile, '--out', join(this.folder, out), '--quiet', ...options], { stdio: 'ignore' });
  }
  read(...names) {
    return readFileSync(join(this.folder, ...names));
  }
  async serve(folder = this.folder) {
    this.server = spawn(this.program, ['studio', folder, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.address = await new Promise((done, fail) => {
      let text = '';
      this.server.stdout.on('data', (data) => {
        text += data;
        const found = /http:\S+token=\S+(?=\s)/.exec(text);
        if (found) done(found[0]);
      });
      this.server.on('exit', (code) => fail(new Error(`areia studio ended with ${code}`)));
    });
  }
  // `webgl`: with the software renderer, or without any.
  async browse({ webgl = true, flags = [], ...options } = {}) {
    const { chromium: playwright } = await import('playwright-core');
    await this.browser?.close();
    this.browser = await playwright.launch({
      executablePath: chromium,
      args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
        '--disable-sync', ...(webgl ? ['--enable-unsafe-swiftshader'] : ['--disable-gpu', '--disable-3d-apis']), ...flags],
    });
    this.context = await this.browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', acceptDownloads: true, ...options });
    this.context.setDefaultTimeout(patience);
    this.page = await this.context.newPage();
    return this.page;
  }
  // A page of the same browser that nobody records. Playwright has the browser keep what pages load, up to 200 MB of it
  // in the process of the page: for figures of memory and time that is not what people have.
  async plainPage(address = this.address) {
    const browser = await this.browser.newBrowserCDPSession();
    const { browserContextId } = await browser.send('Target.createBrowserContext');
    const { targetId } = await browser.send('Target.createTarget', { url: address, browserContextId, width: 1440, height: 900 });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: false });
    const waiting = new Map();
    browser.on('Target.receivedMessageFromTarget', ({ message }) => {
      const answer = JSON.parse(message);
      waiting.get(answer.id)?.(answer);
    });
    let count = 0;
    const evaluate = async (f, ...given) => {
      const id = ++count, expression = `(${f})(${given.map((value) => JSON.stringify(value)).join(', ')})`;
      const answer = await new Promise((done) => {
        waiting.set(id, done);
        const params = { expression, awaitPromise: true, returnByValue: true };
        void browser.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method: 'Runtime.evaluate', params }) });
      });
      waiting.delete(id);
      if (answer.error || answer.result.exceptionDetails) throw new Error(JSON.stringify(answer.error ?? answer.result.exceptionDetails));
      return answer.result.result.value;
    };
    return {
      evaluate,
      until: (condition) => until(() => evaluate(condition), `${condition}`),
      // MB of the process that runs the page, without what it shares with others (code)
      memory: async () => {
        const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
        return Math.max(...processInfo.filter((p) => p.type === 'renderer').map((p) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${p.id}/status`, 'utf8'))[1]))) / 1024;
      },
    };
  }
  async end() {
    await this.browser?.close();
    if (this.server && this.server.exitCode === null) {
      const over = new Promise((done) => this.server.on('exit', done));
      this.server.kill('SIGTERM');
      await over;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
