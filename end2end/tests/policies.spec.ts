import { procurement } from '../support/pages.js';
import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

test('from the list to a policy and to one of its versions', async ({ page, world }) => {
  await page.goto(world.path('policies'));
  await page.getByRole('link', { name: 'Public procurement: award and modification' }).click();
  await expect(page).toHaveURL(await procurement(world));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Public procurement/);
  await expect(page.getByText('PROC-PARTICULARS', { exact: true })).toBeVisible();

  await page.getByRole('heading', { name: /^Active version/ }).getByRole('link').click();
  await expect(page).toHaveURL(`${await procurement(world)}/versions/1`);
  await expect(page.getByText('This version decides.')).toBeVisible();
  await expect(page.getByText('PROC-PARTICULARS', { exact: true })).toBeVisible();
});

test('the exact bytes of a version are one press away', async ({ page, world }) => {
  await page.goto(`${await procurement(world)}/versions/1`);
  await page.getByText(/^Show the exact bytes/).click();
  await expect(page.getByText('"code":"PROC-PARTICULARS"')).toBeVisible();
});

test('a search narrows the list, and its address can be kept', async ({ page, world }) => {
  await page.goto(world.path('policies'));
  await page.getByLabel('Name or code').fill('CONSUMER');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/[?&]q=CONSUMER/);
  await expect(page.getByRole('rowheader')).toHaveCount(1);

  await page.reload();
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page.getByRole('rowheader').nth(1)).toBeVisible();
});

test('a search without a match says so', async ({ page, world }) => {
  await page.goto(world.path('policies?q=nothing-is-called-so'));
  await expect(page.getByText('Nothing matches')).toBeVisible();
});
