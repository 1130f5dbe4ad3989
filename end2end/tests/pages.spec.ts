// What every page keeps to, each looked at in one visit.

import { listen } from '../support/ear.js';
import { COLOURS, faults, overflow, stretch, watchFaults } from '../support/faults.js';
import { PAGES } from '../support/pages.js';
import { LIMITS, weigh } from '../support/weight.js';
import { expect, test } from '../support/world.js';

const WIDTHS = [1280, 320];
// On both sides of where the layout changes.
const TIGHT = [1280, 1279, 1024, 640, 320];

for (const { name, path, isPublic, isPlain = false, status = 200, prepare } of PAGES) {
  test(`${name} is quiet, stays at home, is light, and accessible in both themes, wide and narrow`, async ({
    page,
    world,
  }) => {
    if (!isPublic) await world.seat(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const { heard, files } = await listen(page, world.govern.url);

    const answer = await page.goto(await path(world));
    expect(answer?.status()).toBe(status);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("'unsafe-inline'");
    const html = (await answer?.text()) ?? '';
    expect(html, 'an inline style').not.toMatch(/<style|\sstyle=/);

    // By then the module is here, and has woken the page.
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await prepare?.(page);
    const styled = await page.evaluate(() => document.querySelectorAll('[style], style').length);
    expect(styled, 'inline styles').toBe(0);
    // A browser tells of every page that is missing; that is no word of ours.
    const told = heard.filter((line) => status === 200 || !line.includes(`status of ${status}`));
    expect(told).toEqual([]);

    const weight = weigh(files);
    expect(weight.wasm > 0).toBe(!isPlain);
    expect(weight.verifier > 0, 'only where bundles are checked').toBe(name.startsWith('verify'));
    for (const kind of Object.keys(LIMITS) as (keyof typeof LIMITS)[]) {
      expect.soft(weight[kind], kind).toBeLessThanOrEqual(LIMITS[kind]);
    }

    await watchFaults(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      expect.soft(await faults(page), `light, ${width} px`).toEqual([]);
      expect.soft(await overflow(page), `${width} px`).toEqual([]);
      // Themes differ in the values of colours alone (style/tokens.css), so no other rule can find more.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect.soft(await faults(page, COLOURS), `dark, ${width} px`).toEqual([]);
    }

    await stretch(page);
    for (const width of TIGHT) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await overflow(page), `long words, ${width} px`).toEqual([]);
    }
  });
}
