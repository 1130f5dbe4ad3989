import { procurementPath } from '../support/pages.js';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('the list links to a policy, and the policy links to its active version', async ({ page, env }) => {
  await page.goto(env.path('policies'));
  await page.getByRole('link', { name: 'Public procurement: award and modification' }).click();
  await expect(page).toHaveURL(await procurementPath(env));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Public procurement/);
  await expect(page.getByText('PROC-PARTICULARS', { exact: true })).toBeVisible();

  await page.getByRole('heading', { name: /^Active version/ }).getByRole('link').click();
  await expect(page).toHaveURL(`${await procurementPath(env)}/versions/1`);
  await expect(page.getByText('Active version')).toBeVisible();
  await expect(page.getByText('PROC-PARTICULARS', { exact: true })).toBeVisible();
});

test('one click shows the exact bytes of a version', async ({ page, env }) => {
  await page.goto(`${await procurementPath(env)}/versions/1`);
  await page.getByText(/^Show the exact bytes/).click();
  await expect(page.getByText('"code":"PROC-PARTICULARS"')).toBeVisible();
});

test('a search narrows the list and survives a reload', async ({ page, env }) => {
  await page.goto(env.path('policies'));
  await page.getByLabel('Name or code').fill('CONSUMER');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/[?&]q=CONSUMER/);
  await expect(page.getByRole('rowheader')).toHaveCount(1);

  await page.reload();
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page.getByRole('rowheader').nth(1)).toBeVisible();
});

test('a search without a match shows an empty state', async ({ page, env }) => {
  await page.goto(env.path('policies?q=no-such-policy'));
  await expect(page.getByText('No results')).toBeVisible();
});
