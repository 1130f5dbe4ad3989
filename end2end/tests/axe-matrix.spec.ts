import axe from 'axe-core';
import type { Page } from '@playwright/test';
import { PAGES } from '../support/pages.js';
import { expect, test } from '../support/world.js';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const WIDTHS = [1280, 320];

/** The rules that look at colours. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** The serious and critical faults of the page as it is, by `rules` or by all. Only faults are described:
 * most of the time went into describing what is right. */
async function faults(page: Page, rules?: string[]): Promise<string[]> {
  const violations = await page.evaluate(async (runOnly) => {
    const { violations } = await window.axe.run({ resultTypes: ['violations'], runOnly });
    return violations;
  }, rules);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`);
}

/** A page that scrolls sideways, and controls that reach over the edge of what holds them. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const sideways = root.scrollWidth - root.clientWidth;
    const faults = sideways > 0 ? [`the page scrolls sideways by ${sideways} px`] : [];
    for (const control of document.querySelectorAll('main :is(button, .button, input, select, textarea)')) {
      const holder = control.closest('.card, tr, dialog, main');
      const scrolls = control.closest('.tabs, pre') !== null;
      if (scrolls || !holder || !control.checkVisibility({ visibilityProperty: true })) continue;
      const over = control.getBoundingClientRect().right - holder.getBoundingClientRect().right;
      if (over > 1) faults.push(`${control.textContent || control.outerHTML} reaches out by ${over} px`);
    }
    return faults;
  });
}

for (const { name, path, isPublic } of PAGES) {
  test(`${name} is accessible in both themes, wide and narrow`, async ({ page, world }) => {
    if (!isPublic) await world.seat(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(await path(world));
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await page.evaluate(axe.source);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      expect.soft(await faults(page), `light, ${width} px`).toEqual([]);
      expect.soft(await overflow(page), `${width} px`).toEqual([]);
      // Themes differ in the values of colours alone (style/tokens.css), so no other rule can find more.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect.soft(await faults(page, COLOURS), `dark, ${width} px`).toEqual([]);
    }
  });
}
