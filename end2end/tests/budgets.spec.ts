// What a browser fetches before a page is awake.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/govern.js';
import { PAGES } from '../support/pages.js';
import { expect, test } from '../support/world.js';

/** Compressed, in bytes. The editor's own module is weighed apart: only who writes a policy fetches it. */
const LIMITS = { wasm: 400_000, editor: 150_000, js: 20_000, css: 30_000 };
const EDITOR = /\/split_show_author_page[^/]*\.wasm$/;

for (const { name, path, isPublic } of PAGES) {
  test(`${name} is light`, async ({ page, world }) => {
    if (!isPublic) await world.seat(page);
    const files = new Set<string>();
    page.on('response', (response) => files.add(new URL(response.url()).pathname));
    await page.goto(await path(world));
    await page.waitForLoadState('networkidle');
    const weight = { wasm: 0, editor: 0, js: 0, css: 0 };
    for (const file of files) {
      const kind = (EDITOR.test(file) ? 'editor' : file.split('.').pop()) as keyof typeof LIMITS;
      if (kind in weight) weight[kind] += statSync(join(ROOT, 'target/site', `${file}.br`)).size;
    }
    expect(weight.wasm).toBeGreaterThan(0);
    for (const kind of Object.keys(LIMITS) as (keyof typeof LIMITS)[]) {
      expect.soft(weight[kind], kind).toBeLessThanOrEqual(LIMITS[kind]);
    }
  });
}
