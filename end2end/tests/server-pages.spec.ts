// Pages that are rendered only on the server: navigation, preview, copying and unsaved input.

import { expect, test } from '../support/fixtures.js';

test('links, Back and Forward work between server pages and other pages', async ({ page, env }) => {
  await env.useSharedAdminSession(page);
  await page.goto(env.path('policies'));
  await page.waitForLoadState('networkidle');
  const pages = page.getByRole('navigation', { name: 'Main navigation' });
  const title = page.getByRole('heading', { level: 1 });
  await pages.getByRole('link', { name: 'Forms' }).click();
  await expect(title).toHaveText('Forms');
  await expect(page).toHaveTitle(/^Forms/);
  await pages.getByRole('link', { name: 'Policies' }).click();
  await expect(title).toHaveText('Policies');
  await page.goBack();
  await expect(title).toHaveText('Forms');
  await page.goBack();
  await expect(title).toHaveText('Policies');
  await page.goForward();
  await expect(title).toHaveText('Forms');
  await expect(page).toHaveURL(env.path('forms'));

  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByRole('link', { name: 'Integrate' }).click();
  await expect(page.getByRole('region', { name: 'curl' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Questions' })).toBeVisible();
});

test('questions are previewed while they are typed, and the link is copied', async ({ page, context, env }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await env.signIn(page, env.server.admin); // unsaved input belongs to the session
  await page.goto(env.path('forms'));
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.waitForLoadState('networkidle');
  const preview = page.locator('.preview');
  await page.locator('summary', { hasText: 'Question 1:' }).click();
  const first = page.getByRole('group', { name: 'Question 1:' });
  await first.getByLabel('Question', { exact: true }).fill('<b>Just</b> written');
  await expect(preview.getByText('<b>Just</b> written')).toBeVisible();
  await first.getByLabel('Field name').fill('');
  await expect(preview.getByRole('status')).toContainText('Question 1, field name: must not be empty');
  await expect(preview.getByText('<b>Just</b> written')).toHaveCount(0);

  // The preview request does not contain the password.
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  await page.waitForLoadState('networkidle');
  const request = page.waitForRequest('**/console/preview-questions');
  await page.getByLabel('New password').fill('open sesame');
  expect((await request).postData()).not.toContain('sesame');

  await page.getByRole('link', { name: 'Fields', exact: true }).click();
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Questions as JSON' }).click();
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Questions as JSON').fill('[');
  await expect(preview.getByRole('status')).toContainText('not JSON');

  await page.getByRole('button', { name: 'Copy: ' }).first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/\/f\/[0-9a-f-]{36}$/);
});

test('unsaved input is restored when the page is reopened, until it is discarded', async ({ page, env }) => {
  await env.signIn(page, env.server.admin);
  await page.goto(env.path('forms'));
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.waitForLoadState('networkidle');
  const formUrl = page.url();
  const savedTitle = await page.getByLabel('Title', { exact: true }).inputValue();
  const response = page.waitForResponse('**/console/preview-questions');
  await page.getByLabel('Title', { exact: true }).fill('Unsaved title');
  expect((await response).status()).toBe(200);
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Webhooks');
  await page.goto(formUrl);
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Unsaved title');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(savedTitle);
});

test('only files of the built site are served, and no directory is listed', async ({ page }) => {
  expect((await page.request.get('/pkg/verifier_worker.js')).status()).toBe(200);
  for (const path of ['/pkg', '/pkg/', '/.git/config', '/.gitignore', '/Cargo.toml', '/..%2f..%2fCargo.toml']) {
    expect((await page.request.get(path)).status(), path).toBe(404);
  }
});
