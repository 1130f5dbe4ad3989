// The audit log: who did what, and whether the log is whole. It must work without scripts too.

import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => {
  await world.signIn(page, world.govern.admin);
  await page.goto(world.path('audit'));
});

test('the whole log and a range of it are intact', async ({ page }) => {
  await page.locator('summary', { hasText: 'Verify the log' }).click();
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('status').filter({ hasText: /Intact, 1 to [\d,]+/ })).toBeVisible();

  await page.getByLabel('First number').fill('2');
  await page.getByLabel('Last number').fill('3');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL(/[?&]check=1&first=2&last=3/);
  await expect(page.getByRole('status').filter({ hasText: 'Intact, 2 to 3' })).toBeVisible();
});

test('a filter narrows the log, and its address can be kept', async ({ page }) => {
  const acts = page.getByRole('row').filter({ hasText: 'policy_version.ratify' });
  await page.getByLabel('Act, such as policy_version.ratify').fill('policy_version.ratify');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/[?&]action=policy_version.ratify/);
  const rows = await page.getByRole('rowheader').count();
  expect(rows).toBeGreaterThan(0);
  await expect(acts).toHaveCount(rows);

  await page.reload();
  await expect(acts).toHaveCount(rows);
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page.getByRole('rowheader').nth(rows)).toBeVisible();
});

test('the name of an act breaks between its words alone', async ({ page, world }) => {
  await page.setViewportSize({ width: 1024, height: 900 });
  await page.goto(world.path('audit?action=policy_version.activate'));
  const act = page.locator('td[data-label="Act"] > span').first();
  await expect(act).toHaveText('policy_version.activate');
  const lines = await act.evaluate((act) => {
    const range = document.createRange();
    const words = [...act.childNodes].filter((part) => part.nodeType === Node.TEXT_NODE && part.textContent);
    return words.map((word) => {
      range.selectNodeContents(word);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
  });
  expect(lines.length).toBe(3);
  expect(new Set(lines)).toEqual(new Set([1]));
});

test('an event shows exactly what was hashed', async ({ page }) => {
  const row = page.getByRole('row').nth(1);
  await row.getByText('Show', { exact: true }).click();
  await expect(row.getByRole('region', { name: 'Hashed event' })).toContainText(
    'service-audit-event/v1',
  );
});
