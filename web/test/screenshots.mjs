// The pictures of docs/studio.md, from results of the examples:
//   for e in 04_heap_collapse 05_rotating_drum 12_bonded_beam; do
//     build/areia run examples/$e/case.toml --out build/studio/$e; done
//   node web/test/screenshots.mjs build/areia build/studio docs/images
import { join, resolve } from 'node:path';
import { chromium, skip, Studio } from './studio.mjs';

const [program, folder, out] = process.argv.slice(2);
if (!chromium) skip('no chromium here; tools/setup browser installs it');
const studio = new Studio(resolve(program));
try {
  await studio.serve(folder);
  const page = await studio.browse({ colorScheme: 'light' });
  const shot = async (name) => {
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(out, `${name}.png`) });
  };
  const open = async (run, at) => {
    await page.goto('about:blank');
    await page.goto(`${studio.address}#/run/${encodeURIComponent(run)}`);
    await page.locator('#legend').waitFor();
    if (at !== undefined) {
      const max = Number(await page.locator('#time').getAttribute('max'));
      await page.locator('#time').fill(String(Math.round(at * max)));
      await page.waitForTimeout(800);
    }
  };
  await page.goto(studio.address);
  await page.locator('td.title').first().waitFor();
  await shot('studio_runs');

  await open('04_heap_collapse', 0.55);
  await page.getByRole('button', { name: 'Fit' }).click();
  const box = await page.locator('.picture').boundingBox();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.55 * box.height);
  await shot('studio_view');
  await page.locator('#tab-ledger').click();
  await page.locator('#residual canvas').waitFor();
  await shot('studio_energy');

  await page.locator('#tab-view').click();
  await page.keyboard.press('Escape');
  await page.locator('#canvas').focus();
  await page.keyboard.press('x');
  await page.locator('#part').selectOption('x');
  await page.locator('#map').selectOption('diverging');
  await page.locator('#measuring').check();
  for (const [x, y] of [[0.42, 0.6], [0.3, 0.58]]) await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
  await page.locator('.controls').evaluate((e) => (e.scrollTop = 0));
  await shot('studio_cut');

  await open('12_bonded_beam', 1);
  await page.locator('#chains').check();
  await shot('studio_bonds');

  await open('05_rotating_drum', 1);
  await page.locator('#chains').check();
  await page.locator('#tab-plots').click();
  await page.locator('.plot canvas').first().waitFor();
  await page.keyboard.press('d');
  await page.locator('#language').click();
  await shot('studio_chains_dark');
} finally {
  await studio.end();
}
