// The documentation at /docs/start: navigation, search and narrow pages.

import { expect, test } from '../support/fixtures.js';

test('the help page and the menu of the user lead to the documentation', { tag: '@firefox' }, async ({ page, env }) => {
  await page.goto('/help');
  await page.getByRole('link', { name: 'Concepts' }).click();
  await expect(page).toHaveURL('/docs/concepts');
  await expect(page.getByRole('heading', { level: 1, name: 'Concepts' })).toBeVisible();
  await env.useSharedAdminSession(page);
  await page.goto(env.path('policies'));
  await page.locator('button.person').click();
  await page.getByRole('link', { name: 'Documentation' }).click();
  await expect(page).toHaveURL('/docs/start');
});

test('pages are read in order, and the contents lead to a heading', async ({ page }) => {
  await page.goto('/docs/concepts');
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'Forms' }).click();
  await expect(page).toHaveURL('/docs/concepts#forms');
  await expect(page.getByRole('heading', { name: 'Forms' })).toBeInViewport();
  await page.getByRole('navigation', { name: 'Previous and next page' }).getByRole('link', { name: /^Next/ }).click();
  await page.getByRole('navigation', { name: 'Previous and next page' }).getByRole('link', { name: /^Previous/ }).click();
  await expect(page).toHaveURL('/docs/concepts');
});

test('the keyboard skips the navigation, and searches', async ({ page }) => {
  await page.goto('/docs/start');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/docs/start#main');
  await page.getByRole('searchbox', { name: 'Search the documentation' }).focus();
  await page.keyboard.type('idempotency key');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/docs/search?q=idempotency+key');
  await expect(page.getByRole('searchbox')).toHaveValue('idempotency key');
  await expect(page.locator('mark').first()).toHaveText(/idempotency|key/i);
  await page.locator('.docs-results a').first().press('Enter');
  await expect(page).not.toHaveURL(/search/);
});

test('a narrow page has its navigation and contents as popovers', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/docs/concepts');
  const pages = page.getByRole('navigation', { name: 'Documentation' });
  await expect(pages).toBeHidden();
  await page.getByRole('button', { name: 'Pages' }).click();
  await expect(pages).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(pages).toBeHidden();
  await page.getByRole('button', { name: 'On this page' }).click();
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Forms' }).click();
  await expect(page).toHaveURL('/docs/concepts#forms');
});

test('drawings and pages have the theme of the device, and pages print without navigation', async ({ page }) => {
  await page.goto('/docs/concepts');
  const colors = async () => ({
    box: await page.locator('.drawing .box').first().evaluate((box) => getComputedStyle(box).fill),
    page: await page.locator(':root').evaluate((root) => getComputedStyle(root).backgroundColor),
  });
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await colors();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await colors();
  expect(dark.box).not.toBe(light.box);
  expect(dark.page).not.toBe(light.page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation', { name: 'Documentation' })).toBeHidden();
  await expect(page.getByRole('search')).toBeHidden();
});

test('screenshots load from the service', async ({ page }) => {
  await page.goto('/docs/guide/author');
  const picture = page.getByRole('img', { name: /The editor with a rule/ });
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1280);
});
