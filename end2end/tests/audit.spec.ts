// The audit log: its events, filters and verification. It also works without scripts.

import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => {
  await env.signIn(page, env.server.admin);
  await page.goto(env.path('audit'));
});

test('verification reports the whole audit log and a range of it as intact', async ({ page }) => {
  await page.locator('summary', { hasText: 'Verify the log' }).click();
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('status').filter({ hasText: /Intact, 1 to [\d,]+/ })).toBeVisible();

  await page.getByLabel('First number').fill('2');
  await page.getByLabel('Last number').fill('3');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL(/[?&]check=1&first=2&last=3/);
  await expect(page.getByRole('status').filter({ hasText: 'Intact, 2 to 3' })).toBeVisible();
});

test('a filter narrows the audit log and survives a reload', async ({ page }) => {
  const events = page.getByRole('row').filter({ hasText: 'policy_version.ratify' });
  await page.locator('.filter-menu > summary', { hasText: 'Action' }).click();
  await page.getByLabel('Action, for example policy_version.ratify').fill('policy_version.ratify');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/[?&]action=policy_version.ratify/);
  const rows = await page.getByRole('rowheader').count();
  expect(rows).toBeGreaterThan(0);
  await expect(events).toHaveCount(rows);

  await page.reload();
  await expect(events).toHaveCount(rows);
  await page.getByRole('link', { name: 'Clear filter: Action' }).click();
  await expect(page.getByRole('rowheader').nth(rows)).toBeVisible();
});

test('an action name wraps only between its words', async ({ page, env }) => {
  await page.setViewportSize({ width: 1024, height: 900 });
  await page.goto(env.path('audit?action=policy_version.activate'));
  await page.locator('details.event summary').first().click();
  const action = page.locator('details.event dd > span.font-mono').first();
  await expect(action).toHaveText('policy_version.activate');
  const lines = await action.evaluate((action) => {
    const range = document.createRange();
    const words = [...action.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent);
    return words.map((word) => {
      range.selectNodeContents(word);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
  });
  expect(lines.length).toBe(3);
  expect(new Set(lines)).toEqual(new Set([1]));
});

test('an event is a sentence with the names of its actor and object', async ({ page, env }) => {
  await page.goto(env.path('audit?action=policy_version.ratify'));
  await expect(page.locator('details.event summary').first()).toHaveText(/ ratified .+ v\d+$/);
});

test('an event shows the content that was hashed', async ({ page }) => {
  const row = page.getByRole('row').nth(1);
  await row.locator('summary').click();
  await expect(row.getByText('Correlation ID', { exact: true })).toBeVisible();
  await expect(row.getByRole('region', { name: 'Hashed event' })).toContainText(
    'service-audit-event/v1',
  );
});
