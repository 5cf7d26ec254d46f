// Pictures of editing and comparing, for the documentation:   node control_screenshots.mjs PROGRAM OUTPUT
import { join } from 'node:path';
import { Studio } from './studio.mjs';

const [program, output] = process.argv.slice(2);
const studio = new Studio(program);
try {
  await studio.serve();
  const page = await studio.browse();
  const shoot = (name) => page.screenshot({ path: join(output, `studio_${name}.png`) });
  await page.goto(`${studio.address}#/examples`);
  await page.waitForFunction(() => document.querySelectorAll('.gallery img[src]').length > 5);
  await page.waitForTimeout(500);
  await shoot('examples');
  await page.locator('#example-06_hopper').getByRole('button').first().click();
  await page.locator('#chosen dt').first().waitFor();
  await page.waitForTimeout(1000);
  await shoot('edit');
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  for (let k = 0; k < 2; ++k) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type('\nyuong = 3');
  await page.locator('#problems li').first().waitFor();
  await page.waitForTimeout(300);
  await shoot('wrong');
  await page.locator('#tab-form').click();
  await page.locator('#language').click();
  await page.waitForTimeout(400);
  await shoot('form');
  await page.locator('#language').click();
  // one that was killed
  const process = studio.start('killed', join(studio.folder, '06_hopper/case.toml'), '--threads', '1');
  await page.evaluate(() => (location.hash = '/run/killed'));
  await page.locator('#speed').waitFor({ timeout: 60000 });
  await page.waitForFunction(() => Number(document.querySelector('#time').max) > 5, null, { timeout: 60000 });
  process.kill('SIGKILL');
  await page.locator('.chip.died').waitFor();
  await page.waitForTimeout(800);
  await shoot('died');
  for (const [name, mu] of [['smooth', 0.1], ['rough', 0.6]])
    studio.run(name, join(studio.folder, '06_hopper/case.toml'), '--set', `contacts.grain-grain.tangential.mu=${mu}`, '--set', 'title="Hopper, ' + name + '"');
  await page.evaluate(() => (location.hash = '/'));
  await page.locator('tr', { hasText: 'smooth' }).waitFor();
  for (const name of ['smooth', 'rough']) await page.locator('tr', { hasText: name }).locator('input').check();
  await page.locator('#columns').focus();
  await page.waitForFunction(() => document.querySelectorAll('#columns option').length > 3);
  await page.locator('#columns').selectOption(await page.locator('#columns option', { hasText: 'tangential.mu' }).first().textContent());
  await shoot('list');
  await page.locator('#compare').click();
  await page.waitForFunction(() => document.querySelectorAll('.pictures canvas').length === 2);
  await page.waitForTimeout(1000);
  await page.locator('#time').fill('17');
  await page.waitForTimeout(700);
  const box = await page.locator('.pictures canvas').first().boundingBox();
  await page.mouse.move(box.x + 300, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 330, box.y + 340, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(700);
  await shoot('compare');
  await page.locator('#tab-plots').click();
  await page.locator('.compare .plot canvas').first().waitFor();
  await page.waitForTimeout(500);
  await shoot('compare_plots');
  await page.locator('#tab-compareCases').click();
  await page.locator('#diff .in').first().waitFor();
  await shoot('compare_cases');
} finally {
  await studio.end();
}
