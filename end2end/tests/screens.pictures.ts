// Screenshots of every page for manual review: GOVERN_SCREENS=directory make e2e

import { join } from 'node:path';
import { PAGES } from '../support/pages.js';
import { test } from '../support/fixtures.js';

for (const { name, path, isPublic, prepare } of PAGES) {
  test(`screenshots of ${name}`, async ({ page, env }) => {
    if (!isPublic) await env.signIn(page, env.server.admin);
    await page.goto(await path(env));
    await prepare?.(page, env);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 320]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const file = join(process.env.GOVERN_SCREENS ?? '.', `${name}-${colorScheme}-${width}.png`);
        // The viewport is as high as the page, because content outside of it may not be painted yet.
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: file, fullPage: true });
      }
    }
  });
}
