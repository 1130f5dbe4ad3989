// What a person with another sense, another pointer or a narrow screen would stumble over.

import axe from 'axe-core';
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The rules that look at colours. */
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Makes the page ready for [faults]. */
export function watchFaults(page: Page): Promise<void> {
  return page.evaluate(axe.source);
}

/** The serious and critical faults of the page as it is, by `rules` or by all. Only faults are described:
 * most of the time went into describing what is right. */
export async function faults(page: Page, rules?: string[]): Promise<string[]> {
  const violations = await page.evaluate(async (runOnly) => {
    const { violations } = await window.axe.run({ resultTypes: ['violations'], runOnly });
    return violations;
  }, rules);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`);
}

/** A page that scrolls sideways, and controls that reach over the edge of what holds them. */
export function overflow(page: Page): Promise<string[]> {
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

/** Makes everything that somebody wrote longer than any line, in one word. */
export function stretch(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const written of document.querySelectorAll('main bdi:not(:has(*))')) written.textContent = 'm'.repeat(120);
  });
}
