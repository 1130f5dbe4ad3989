// How one policy and its rules fare. It must work without scripts too.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

/** The numbers of a rule in the table behind a chart, without the rates; zeros when it is not there. */
async function numbers(page: Page, title: string, rule: string): Promise<number[]> {
  const card = page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
  const row = card.locator('tr').filter({ has: page.locator('th').getByText(rule, { exact: true }) });
  const cells = await row.locator('td').allTextContents();
  const found = cells.filter((text) => /^[\d,]+$/.test(text)).map((text) => Number(text.replaceAll(',', '')));
  return found.length > 0 ? found : [0, 0, 0];
}

test('the page of a policy leads to its charts, and they count what was decided', async ({ page, world }) => {
  const record = async () => (await world.record(randomUUID())).decision;
  const { policy_id: policy, rule_code: rule } = (await record()).result.violations[0];
  await page.goto(world.path(`policies/${policy}`));
  await page.getByRole('link', { name: 'Analytics' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Analytics of');
  const day = page.getByRole('link', { name: '24 hours' });
  await day.click();
  await expect(day).toHaveAttribute('aria-current', 'page');
  const fared = await numbers(page, 'Rules', rule);
  const judged = await numbers(page, 'Override rate', rule);

  for (const status of ['overridden', 'overridden', 'accepted', 'accepted', 'expired']) {
    const { id } = await record();
    await world.govern.api('POST', `/v1/decisions/${id}/outcome`, { status });
  }
  await page.reload();
  const [violated = 0, looked = 0] = fared;
  expect(await numbers(page, 'Rules', rule)).toEqual([violated + 5, looked + 5]);
  const [overridden = 0, known = 0] = judged;
  expect(await numbers(page, 'Override rate', rule)).toEqual([overridden + 2, known + 5, violated + 5]);
  await page.getByRole('listitem').getByRole('link', { name: rule, exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`decisions\\?policy=${policy}&rule=${rule}`));
  await expect(page.getByRole('row', { name: 'DENY' }).first()).toBeVisible();
});

test('a range that is none, or too long, is said to be so', async ({ page, world }) => {
  const policy = await world.draft();
  for (const [from, said] of [
    ['2026-02-30', 'Choose a first day and a last day'],
    ['2020-01-01', 'Choose a shorter range'],
  ]) {
    await page.goto(`${policy.page}/analytics?range=custom&from=${from}&to=2026-01-31`);
    await expect(page.getByRole('alert')).toContainText(said ?? '');
  }
  await page.goto(`${policy.page}/analytics`);
  await expect(page.getByText('No decisions in this range.').first()).toBeVisible();
});
