// Lighthouse scores of the pages that most people see first.

import { createServer, type AddressInfo } from 'node:net';
import { chromium } from '@playwright/test';
import lighthouse, { desktopConfig } from 'lighthouse';
import { expect, test } from '../support/fixtures.js';
import { PAGES } from '../support/pages.js';

const TESTED = ['login', 'inbox', 'decisions', 'receipt', 'form-public', 'verify'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const SCORE_MIN = 0.95;

/** Returns a port that no process listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('performance, accessibility and best practices score at least 95', async ({ env, launchOptions }, testInfo) => {
  test.setTimeout(240_000);
  const port = await freePort();
  const args = [...(launchOptions.args ?? []), `--remote-debugging-port=${port}`];
  // Lighthouse uses the cookies of the browser itself, so the session must be in its default context.
  const context = await chromium.launchPersistentContext(testInfo.outputPath('profile'), { ...launchOptions, args });
  const page = context.pages()[0] ?? (await context.newPage());
  try {
    for (const { name, path, isPublic } of PAGES.filter(({ name }) => TESTED.includes(name))) {
      await context.clearCookies();
      const url = env.server.url + (await path(env));
      if (!isPublic) await env.useSharedAdminSession(page);
      const flags = { port, onlyCategories: CATEGORIES, disableStorageReset: true, logLevel: 'error' as const };
      const result = await lighthouse(url, flags, desktopConfig);
      if (!result) throw new Error(`no result for ${name}`);
      const { categories, audits, finalDisplayedUrl } = result.lhr;
      expect(finalDisplayedUrl, 'is not redirected').toBe(url);
      for (const category of Object.values(categories)) {
        const failed = category.auditRefs.filter(({ id }) => (audits[id]?.score ?? 1) < 1);
        const reasons = failed.map(({ id }) => `${id} ${audits[id]?.displayValue ?? ''}`).join(', ');
        expect.soft(category.score, `${name}, ${category.id}: ${reasons}`).toBeGreaterThanOrEqual(SCORE_MIN);
      }
    }
  } finally {
    await context.close();
  }
});
