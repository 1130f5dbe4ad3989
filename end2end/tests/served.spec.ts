// Pages whose code stays on the server: what the document does for them, and how one gets there and back.

import { expect, test } from '../support/world.js';

test('a page of the server is reached, left and come back to like any other', async ({ page, world }) => {
  await world.seat(page);
  await page.goto(world.path('policies'));
  await page.waitForLoadState('networkidle');
  const pages = page.getByRole('navigation', { name: 'Pages' });
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
  await expect(page).toHaveURL(world.path('forms'));

  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByRole('link', { name: 'Integrate' }).click();
  await expect(page.getByRole('region', { name: 'curl' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Questions' })).toBeVisible();
});

test('questions are previewed while they are written, and a text is copied', async ({ page, context, world }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await world.signIn(page, world.govern.admin); // what is typed stays with the sign-in
  await page.goto(world.path('forms'));
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.waitForLoadState('networkidle');
  const preview = page.locator('.preview');
  await page.locator('summary', { hasText: 'Question 1:' }).click();
  const first = page.getByRole('group', { name: 'Question 1:' });
  await first.getByLabel('Question', { exact: true }).fill('<b>Just</b> written');
  await expect(preview.getByText('<b>Just</b> written')).toBeVisible();
  await first.getByLabel('Field that takes the answer').fill('');
  await expect(preview.getByRole('status')).toContainText('Question 1, field that takes the answer: must not be empty');
  await expect(preview.getByText('<b>Just</b> written')).toHaveCount(0);

  // The password is nobody's business there.
  const asked = page.waitForRequest('**/console/preview-questions');
  await page.getByLabel('New password').fill('open sesame');
  expect((await asked).postData()).not.toContain('sesame');

  await page.getByRole('button', { name: 'Questions as JSON' }).click();
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Questions as JSON').fill('[');
  await expect(preview.getByRole('status')).toContainText('not JSON');

  await page.getByRole('button', { name: 'Copy: ' }).first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/\/f\/[0-9a-f-]{36}$/);
});

test('what is typed is there again when its page was left, until it is discarded', async ({ page, world }) => {
  await world.signIn(page, world.govern.admin);
  await page.goto(world.path('forms'));
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.waitForLoadState('networkidle');
  const form = page.url();
  const saved = await page.getByLabel('Title', { exact: true }).inputValue();
  const held = page.waitForResponse('**/console/preview-questions');
  await page.getByLabel('Title', { exact: true }).fill('Half a thou');
  expect((await held).status()).toBe(200);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Webhooks');
  await page.goto(form);
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Half a thou');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(saved);
});
