import { AxeBuilder } from '@axe-core/playwright';
import { PAGES } from '../support/pages.js';
import { expect, test } from '../support/world.js';

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 320];

for (const { name, path, isPublic } of PAGES) {
  test(`${name} is accessible in both themes, wide and narrow`, async ({ page, world }) => {
    if (!isPublic) await world.signIn(page, world.govern.admin);
    await page.goto(await path(world));
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    for (const colorScheme of SCHEMES) {
      for (const width of WIDTHS) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 900 });
        const { violations } = await new AxeBuilder({ page }).analyze();
        const grave = violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`);
        expect.soft(grave, `${colorScheme}, ${width} px`).toEqual([]);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect.soft(overflow, `sideways scroll, ${colorScheme}, ${width} px`).toBe(0);
      }
    }
  });
}
