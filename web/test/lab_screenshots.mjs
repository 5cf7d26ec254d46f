// The pictures of docs/studio-lab.md:
//   build/areia verify --quick --report build/studio-lab/report
//   node web/test/lab_screenshots.mjs build/areia build/studio-lab docs/images
import { join, resolve } from 'node:path';
import { chromium, skip, Studio } from './studio.mjs';

const [program, folder, out] = process.argv.slice(2);
if (!chromium) skip('no chromium here; tools/setup browser installs it');
const studio = new Studio(resolve(program));
try {
  await studio.serve(folder);
  const page = await studio.browse({ colorScheme: 'light' });
  const shot = async (name) => {
    await page.waitForTimeout(900);
    await page.screenshot({ path: join(out, `${name}.png`) });
  };
  await page.goto(`${studio.address}#/lab`);
  await page.locator('#plane-0').waitFor();
  await page.locator('#lab-example').selectOption('double_pendulum');
  await page.locator('.warning.energy_gain').waitFor();
  await shot('studio_lab');

  await page.locator('#lab-example').selectOption('ball');
  await page.locator('#lab-second').check();
  await page.locator('#b-model').selectOption('gp1');
  await page.locator('#stage-1 canvas').waitFor();
  await page.locator('#lab-time').fill('7');
  await page.locator('#lab-others').uncheck();
  await page.locator('h1').click();
  await page.keyboard.press('d');
  await page.locator('#language').click();
  await shot('studio_lab_two');
  await page.locator('#language').click();
  await page.keyboard.press('d');

  await page.goto(`${studio.address}#/verification?source=000&example=hertz-restitution`);
  await page.locator('#example').waitFor();
  await page.locator('.open-case').nth(1).click();
  await shot('studio_verification');
} finally {
  await studio.end();
}
