// Requirements of every page, checked in one visit per page.

import type { Page } from '@playwright/test';
import {
  COLOR_RULES,
  accessibilityViolations,
  findOverflow,
  lengthenUserText,
  loadAxe,
} from '../support/accessibility.js';
import { SIZE_LIMITS, downloadSizes } from '../support/download-size.js';
import { expect, test } from '../support/fixtures.js';
import { startPageLog } from '../support/page-log.js';
import { PAGES } from '../support/pages.js';

// Pages with islands: the editor, trying a decision, and the verification of bundles.
const WITH_MODULE = /^(edit|dry-run|verify)/;

const WIDTHS = [1280, 320];
// Widths on both sides of the layout changes.
const OVERFLOW_WIDTHS = [1280, 1279, 1024, 640, 320];

// Limits of every page, in addition to the sizes of its files.
const HTML_BYTES_MAX = 60_000; // compressed
const CHUNKS_MAX = 10;
const LAYOUT_SHIFT_LIMIT = 0.05;

interface LayoutShifts {
  total: number;
  /** The elements that moved, with their top edge and height in pixels before and after, to find the cause. */
  moved: string[];
}

/** Returns the layout shifts of `page` since its first paint, without shifts that input caused. */
function layoutShifts(page: Page): Promise<LayoutShifts> {
  return page.evaluate(
    () =>
      new Promise<LayoutShifts>((resolve) => {
        type Source = { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };
        type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] };
        const shifts: LayoutShifts = { total: 0, moved: [] };
        const edges = (rect: DOMRectReadOnly) => `${rect.top}+${rect.height}`;
        new PerformanceObserver((list) => {
          for (const shift of list.getEntries() as LayoutShift[]) {
            if (shift.hadRecentInput) continue;
            shifts.total += shift.value;
            for (const { node, previousRect, currentRect } of shift.sources) {
              const name = node instanceof Element ? node.outerHTML.slice(0, 80) : (node?.textContent ?? 'removed');
              shifts.moved.push(`${name}: ${edges(previousRect)} to ${edges(currentRect)}`);
            }
          }
        }).observe({ type: 'layout-shift', buffered: true });
        // Buffered entries are delivered before the next frame ends.
        requestAnimationFrame(() => setTimeout(() => resolve(shifts)));
      }),
  );
}

for (const { name, path, isPublic, status = 200, prepare } of PAGES) {
  test(`${name} logs nothing, calls only its origin, meets size limits and is accessible in both themes`, async ({
    page,
    env,
  }) => {
    if (!isPublic) await env.useSharedAdminSession(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const { messages, files } = await startPageLog(page, env.server.url);

    const response = await page.goto(await path(env));
    expect(response?.status()).toBe(status);
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("'unsafe-inline'");
    const html = (await response?.text()) ?? '';
    expect(html, 'an inline style').not.toMatch(/<style|\sstyle=/);

    const sent = await response?.request().sizes();
    expect.soft(sent?.responseBodySize, 'bytes of compressed HTML').toBeLessThanOrEqual(HTML_BYTES_MAX);

    // At network idle, a page with a module is hydrated.
    await page.waitForLoadState('networkidle');
    const shifts = await layoutShifts(page);
    expect
      .soft(shifts.total, `cumulative layout shift: ${shifts.moved.join('; ')}`)
      .toBeLessThan(LAYOUT_SHIFT_LIMIT);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await prepare?.(page, env);
    const styles = await page.evaluate(() => document.querySelectorAll('[style], style').length);
    expect(styles, 'inline styles').toBe(0);
    // The browser logs the expected error status of the page itself; this line is ignored.
    const unexpected = messages.filter((line) => status === 200 || !line.includes(`status of ${status}`));
    expect(unexpected).toEqual([]);

    const sizes = downloadSizes(files);
    expect(sizes.wasm > 0, 'loads a module').toBe(WITH_MODULE.test(name));
    expect(sizes.verifier > 0, 'only on pages that verify bundles').toBe(name.startsWith('verify'));
    for (const kind of Object.keys(SIZE_LIMITS) as (keyof typeof SIZE_LIMITS)[]) {
      expect.soft(sizes[kind], kind).toBeLessThanOrEqual(SIZE_LIMITS[kind]);
    }
    // The verifier runs in a worker and has a limit of its own.
    const chunks = [...files].filter((file) => /\.(js|wasm)$/.test(file) && !file.includes('/verifier'));
    expect.soft(chunks.length, `chunks: ${chunks.join(' ')}`).toBeLessThanOrEqual(CHUNKS_MAX);

    await loadAxe(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      expect.soft(await accessibilityViolations(page), `light, ${width} px`).toEqual([]);
      expect.soft(await findOverflow(page), `${width} px`).toEqual([]);
      // Themes differ only in color values (style/tokens.css), so only color rules are checked again.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect.soft(await accessibilityViolations(page, COLOR_RULES), `dark, ${width} px`).toEqual([]);
    }

    await lengthenUserText(page);
    for (const width of OVERFLOW_WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await findOverflow(page), `long words, ${width} px`).toEqual([]);
    }
  });
}
