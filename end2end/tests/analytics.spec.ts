// Analytics of a policy and its rules. They also work without scripts.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

/** Returns the counts of a rule in the table of a chart, without rates. Without a row, all counts are 0. */
async function ruleCounts(page: Page, title: string, rule: string): Promise<number[]> {
  const card = page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
  const row = card.locator('tr').filter({ has: page.locator('th').getByText(rule, { exact: true }) });
  const cells = await row.locator('td').allTextContents();
  const counts = cells.filter((text) => /^[\d,]+$/.test(text)).map((text) => Number(text.replaceAll(',', '')));
  return counts.length > 0 ? counts : [0, 0, 0];
}

test('a policy links to its analytics, which count new decisions and outcomes', async ({ page, env }) => {
  const record = async () => (await env.recordDecision(randomUUID())).decision;
  const { policy_id: policy, rule_code: rule } = (await record()).result.violations[0];
  await page.goto(env.path(`policies/${policy}`));
  await page.getByRole('navigation', { name: 'Parts of the policy' }).getByRole('link', { name: 'Analytics' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Analytics of');
  const day = page.getByRole('link', { name: '24 hours' });
  await day.click();
  await expect(day).toHaveAttribute('aria-current', 'page');
  const violationCounts = await ruleCounts(page, 'Rules', rule);
  const overrideCounts = await ruleCounts(page, 'Override rate', rule);

  for (const status of ['overridden', 'overridden', 'accepted', 'accepted', 'expired']) {
    const { id } = await record();
    await env.server.api('POST', `/v1/decisions/${id}/outcome`, { status });
  }
  await page.reload();
  const [violated = 0, evaluated = 0] = violationCounts;
  expect(await ruleCounts(page, 'Rules', rule)).toEqual([violated + 5, evaluated + 5]);
  const [overridden = 0, known = 0] = overrideCounts;
  expect(await ruleCounts(page, 'Override rate', rule)).toEqual([overridden + 2, known + 5, violated + 5]);
  await page.getByRole('listitem').getByRole('link', { name: rule, exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`decisions\\?policy=${policy}&rule=${rule}`));
  await expect(page.getByRole('row', { name: 'DENY' }).first()).toBeVisible();
});

test('an invalid or too long range shows an error, and an empty range says so', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  for (const [from, message] of [
    ['2026-02-30', 'Choose a first day and a last day'],
    ['2020-01-01', 'Choose a shorter range'],
  ]) {
    await page.goto(`${policy.path}/analytics?range=custom&from=${from}&to=2026-01-31`);
    await expect(page.getByRole('alert')).toContainText(message ?? '');
  }
  await page.goto(`${policy.path}/analytics`);
  await expect(page.getByText('No decisions in this range.').first()).toBeVisible();
});
