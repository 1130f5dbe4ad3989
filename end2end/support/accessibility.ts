// Accessibility and layout checks of a page.

import axe from 'axe-core';
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The axe rules that check colors. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Loads axe into the page. [accessibilityViolations] needs it. */
export function loadAxe(page: Page): Promise<void> {
  return page.evaluate(axe.source);
}

/** Returns the serious and critical violations of `rules`, or of all rules. Details are limited to violations,
 * because details of passed checks took most of the time. */
export async function accessibilityViolations(page: Page, rules?: string[]): Promise<string[]> {
  const violations = await page.evaluate(async (runOnly) => {
    const { violations } = await window.axe.run({ resultTypes: ['violations'], runOnly });
    return violations;
  }, rules);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`);
}

/** Returns layout errors: a page that scrolls sideways, and controls that extend beyond their container. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const pageExcess = root.scrollWidth - root.clientWidth;
    const errors = pageExcess > 0 ? [`the page scrolls sideways by ${pageExcess} px`] : [];
    for (const control of document.querySelectorAll('main :is(button, .button, input, select, textarea)')) {
      const container = control.closest('.card, tr, dialog, main');
      const scrolls = control.closest('.tabs, pre') !== null;
      if (scrolls || !container || !control.checkVisibility({ visibilityProperty: true })) continue;
      const excess = control.getBoundingClientRect().right - container.getBoundingClientRect().right;
      if (excess > 1) errors.push(`${control.textContent || control.outerHTML} extends by ${excess} px`);
    }
    return errors;
  });
}

/** Replaces every text that a user wrote with one word that is longer than a line. */
export function lengthenUserText(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const text of document.querySelectorAll('main bdi:not(:has(*))')) text.textContent = 'm'.repeat(120);
  });
}
