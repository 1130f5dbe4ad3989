import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '../support/world.js';
import type { World } from '../support/world.js';
import type { Json } from '../support/govern.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

/** The overview of the tenant. */
function overview(world: World, range = ''): string {
  return `/t/${world.govern.tenant}${range}`;
}

/** The sum of one column of the table behind a chart. */
async function sum(page: Page, title: string, column: string): Promise<number> {
  const card = page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
  const table = card.locator('table');
  if ((await table.count()) === 0) return 0;
  const cells = await table.locator(`td[data-label="${column}"]`).allTextContents();
  return cells.reduce((total, text) => total + Number(text.replaceAll(',', '')), 0);
}

/** Records a decision under a key that nobody else uses. */
async function record(world: World, like: Json): Promise<void> {
  const { decision_type, fields } = like.context;
  await world.govern.api('POST', '/v1/decisions/record', {
    idempotency_key: randomUUID(),
    context: { decision_type, fields },
  });
}

/** How many decisions of a verdict the log holds. */
async function logged(world: World, verdict: string): Promise<number> {
  let [count, cursor] = [0, ''];
  do {
    const page = await world.govern.api('GET', `/v1/decisions?limit=100&decision=${verdict}${cursor}`);
    count += page.items.length;
    cursor = page.next_cursor ? `&cursor=${encodeURIComponent(page.next_cursor)}` : '';
  } while (cursor);
  return count;
}

test('the numbers of the charts are those of the log', async ({ page, world }) => {
  await page.goto(overview(world, '?range=90d'));
  for (const verdict of ['ALLOW', 'REVIEW', 'DENY', 'ALERT']) {
    const shown =
      (await sum(page, 'Verdicts over time', verdict)) +
      (await sum(page, 'Verdicts in shadow mode', verdict));
    expect(shown, verdict).toBe(await logged(world, verdict));
  }
});

test('a decision that was just recorded counts, and its mark leads to the log', async ({
  page,
  world,
}) => {
  const [denied] = await world.decisions('&decision=DENY');
  const total = () => sum(page, 'Verdicts over time', 'Decisions');
  await page.goto(overview(world, '?range=24h'));
  const before = await total();
  await record(world, denied);
  await page.goto(overview(world, '?range=24h'));
  expect(await total()).toBeGreaterThan(before);

  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Verdicts over time' }) });
  await card.getByText('As a table').click();
  const cell = card.locator('td[data-label="DENY"] a').last();
  const count = Number(await cell.textContent());
  await cell.click();
  await expect(page).toHaveURL(/decisions\?verdict=DENY&from=/);
  await expect(page.getByRole('rowheader')).toHaveCount(Math.min(count, 50));
});

test('every table of a chart is there as a file', async ({ page, world }) => {
  await page.goto(overview(world, '?range=90d'));
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Top violated rules' }) });
  await card.getByText('As a table').click();
  const download = page.waitForEvent('download');
  await card.getByRole('link', { name: 'Download as CSV: Top violated rules' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('top-violated-rules.csv');
  const [head, ...lines] = readFileSync(await file.path(), 'utf8').trimEnd().split('\r\n');
  expect(head).toBe('Rule,Policy,Violated,Decisions of the policy,Share,Not applicable');
  expect(lines).toHaveLength(await card.locator('tbody tr').count());
  const tables = await page.getByText('As a table').count();
  expect(await page.getByRole('link', { name: /^Download as CSV/, includeHidden: true }).count()).toBe(tables);
});

test('the range stands in the address', async ({ page, world }) => {
  await page.goto(overview(world));
  const range = page.getByRole('navigation', { name: 'Range' });
  await expect(range.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'page');
  await range.getByRole('link', { name: '30 days' }).click();
  await expect(page).toHaveURL(/\?range=30d$/);
  await expect(range.getByRole('link', { name: '30 days' })).toHaveAttribute('aria-current', 'page');

  await page.getByLabel('From day (UTC)').fill('2020-01-01');
  await page.getByLabel('To day (UTC)').fill('2020-01-31');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(/range=custom&from=2020-01-01&to=2020-01-31/);
  await expect(page.getByText('No decisions in this range.').first()).toBeVisible();

  await page.goto(overview(world, '?range=custom&from=2020-02-01&to=2020-01-31'));
  await expect(page.getByText(/^Choose a first day/)).toBeVisible();
});

test('what stands at this moment is counted, and each count leads to its list', async ({ page, world }) => {
  for (const [count, list, title] of [
    ['Versions that need me', 'inbox', 'Inbox'],
    ['Unacknowledged alerts', 'alerts', 'Alerts'],
    ['Dead deliveries to webhooks', 'webhooks/deliveries?status=dead', 'Deliveries'],
    ['Active policies in shadow mode', 'policies?state=shadow', 'Policies'],
  ] as const) {
    await page.goto(overview(world));
    const standing = page.getByRole('region', { name: 'Overview: At this moment' });
    await standing.getByRole('link', { name: count }).click();
    await expect(page).toHaveURL(world.path(list));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  }
});
