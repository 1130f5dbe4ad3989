// Pictures of every page, for people to look at: GOVERN_SCREENS=folder make e2e

import { join } from 'node:path';
import { PAGES } from '../support/pages.js';
import { test } from '../support/world.js';

for (const { name, path, isPublic, prepare } of PAGES) {
  test(`pictures of ${name}`, async ({ page, world }) => {
    if (!isPublic) await world.signIn(page, world.govern.admin);
    await page.goto(await path(world));
    await prepare?.(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 320]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const file = join(process.env.GOVERN_SCREENS ?? '.', `${name}-${colorScheme}-${width}.png`);
        // As high as the page: what is out of sight may not have been painted yet.
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: file, fullPage: true });
      }
    }
  });
}
