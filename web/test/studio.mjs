// What tests and screenshots share: a case that was run, the server on it, and one browser.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

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
        const found = /http:\S+token=\S+/.exec(text);
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
    this.page = await this.context.newPage();
    return this.page;
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
