import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '../support/fixtures.js';
import type { TestEnv } from '../support/fixtures.js';
import type { Json } from '../support/govern.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

function overview(env: TestEnv, range = ''): string {
  return `/t/${env.server.tenantId}${range}`;
}

/** Returns the sum of a column in the table of a chart. */
async function sum(page: Page, title: string, column: string): Promise<number> {
  const card = page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
  const table = card.locator('table');
  if ((await table.count()) === 0) return 0;
  const cells = await table.locator(`td[data-label="${column}"]`).allTextContents();
  return cells.reduce((total, text) => total + Number(text.replaceAll(',', '')), 0);
}

/** Records a decision with the context of `original` and a new idempotency key. */
async function recordCopy(env: TestEnv, original: Json): Promise<void> {
  const { decision_type, fields } = original.context;
  await env.server.api('POST', '/v1/decisions/record', {
    idempotency_key: randomUUID(),
    context: { decision_type, fields },
  });
}

async function countDecisions(env: TestEnv, verdict: string): Promise<number> {
  let [count, cursor] = [0, ''];
  do {
    const page = await env.server.api('GET', `/v1/decisions?limit=100&decision=${verdict}${cursor}`);
    count += page.items.length;
    cursor = page.next_cursor ? `&cursor=${encodeURIComponent(page.next_cursor)}` : '';
  } while (cursor);
  return count;
}

test('the current range is marked', async ({ page, env }) => {
  const ranges = page.getByRole('navigation', { name: 'Range' });
  const current = ranges.locator('[aria-current="page"]');
  for (const [range, label] of [['', '7 days'], ['?range=30d', '30 days']] as const) {
    await page.goto(overview(env, range));
    await expect(current).toHaveText(label);
    // The mark is the lower edge of the link. It is not cut off.
    const [link, bar] = [(await current.boundingBox())!, (await ranges.boundingBox())!];
    expect(link.y + link.height).toBeLessThanOrEqual(bar.y + bar.height);
    const edge = await current.evaluate((element) => getComputedStyle(element).borderBottomColor);
    expect(edge).not.toBe('rgba(0, 0, 0, 0)');
  }
  await page.goto(overview(env, '?range=custom&from=2026-01-01&to=2026-01-31'));
  await expect(page.locator('summary', { hasText: 'Custom' })).toHaveAttribute('aria-current', 'true');
  await expect(current).toHaveCount(0);
});

test('the verdict counts of the charts equal those of the decision list', async ({ page, env }) => {
  await page.goto(overview(env, '?range=90d'));
  for (const verdict of ['ALLOW', 'REVIEW', 'DENY', 'ALERT']) {
    const shown =
      (await sum(page, 'Verdicts over time', verdict)) +
      (await sum(page, 'Verdicts in shadow mode', verdict));
    expect(shown, verdict).toBe(await countDecisions(env, verdict));
  }
});

test('a new decision is counted, and the count of a verdict links to its decisions', async ({
  page,
  env,
}) => {
  const [denied] = await env.listDecisions('&decision=DENY');
  const total = () => sum(page, 'Verdicts over time', 'Decisions');
  await page.goto(overview(env, '?range=24h'));
  const before = await total();
  await recordCopy(env, denied);
  await page.goto(overview(env, '?range=24h'));
  expect(await total()).toBeGreaterThan(before);

  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Verdicts over time' }) });
  await card.getByText('As a table').click();
  const cell = card.locator('td[data-label="DENY"] a').last();
  const count = Number(await cell.textContent());
  await cell.click();
  await expect(page).toHaveURL(/decisions\?verdict=DENY&from=/);
  await expect(page.locator('[data-row]')).toHaveCount(Math.min(count, 50));
});

test('a chart table is downloaded as CSV, and every table has the link', async ({ page, env }) => {
  await page.goto(overview(env, '?range=90d'));
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Top violated rules' }) });
  await card.getByText('As a table').click();
  const download = page.waitForEvent('download');
  await card.getByRole('link', { name: 'Download as CSV: Top violated rules' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('top-violated-rules.csv');
  const [header, ...lines] = readFileSync(await file.path(), 'utf8').trimEnd().split('\r\n');
  expect(header).toBe('Rule,Policy,Violated,Decisions of the policy,Share,Not applicable');
  expect(lines).toHaveLength(await card.locator('tbody tr').count());
  const tables = await page.getByText('As a table').count();
  expect(await page.getByRole('link', { name: /^Download as CSV/, includeHidden: true }).count()).toBe(tables);
});

test('the range is part of the URL, and an empty or invalid range shows a message', async ({ page, env }) => {
  await page.goto(overview(env));
  const range = page.getByRole('navigation', { name: 'Range' });
  await expect(range.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'page');
  await range.getByRole('link', { name: '30 days' }).click();
  await expect(page).toHaveURL(/\?range=30d$/);
  await expect(range.getByRole('link', { name: '30 days' })).toHaveAttribute('aria-current', 'page');

  await page.getByText('Custom', { exact: true }).click();
  await page.getByLabel('From day (UTC)').fill('2020-01-01');
  await page.getByLabel('To day (UTC)').fill('2020-01-31');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/range=custom&from=2020-01-01&to=2020-01-31/);
  await expect(page.getByText('No decisions in this range.').first()).toBeVisible();

  await page.goto(overview(env, '?range=custom&from=2020-02-01&to=2020-01-31'));
  await expect(page.getByText(/^Choose a first day/)).toBeVisible();
});

test('a policy limits the figures and charts of decisions, and stays when the range changes', async ({ page, env }) => {
  const { policy_id: policy } = (await env.recordDecision(randomUUID())).decision.result.violations[0];
  await page.goto(overview(env, '?range=30d'));
  await page.locator('.chip-bar summary').click();
  await page.getByRole('combobox', { name: 'Policy' }).selectOption(policy);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(new RegExp(`policy=${policy}`));
  await expect(page).toHaveURL(/range=30d/);
  const figures = page.getByRole('list', { name: 'Key figures' });
  await expect(figures.getByRole('listitem')).toHaveCount(5);
  await expect(page.getByText(/^The evaluation time is measured for a whole decision/)).toBeVisible();
  const list = figures.getByRole('link', { name: /^Decisions/ });
  await expect(list).toHaveAttribute('href', new RegExp(`policy=${policy}`));
  await page.getByRole('navigation', { name: 'Range' }).getByRole('link', { name: '90 days' }).click();
  await expect(page).toHaveURL(new RegExp(`policy=${policy}&range=90d`));
  await page.getByRole('link', { name: /^Clear/ }).click();
  await expect(page).not.toHaveURL(/policy=/);
  await expect(figures.getByRole('listitem')).toHaveCount(6);
});

test('each key figure shows its trend and links to its list', async ({ page, env }) => {
  for (const [label, list, title] of [
    ['Needs your action', /\/inbox$/, 'Inbox'],
    ['Open alerts', /\/alerts$/, 'Alerts'],
    ['DENY rate', /\/decisions\?verdict=DENY&from=/, 'Decisions'],
    ['Decisions', /\/decisions\?from=/, 'Decisions'],
  ] as const) {
    await page.goto(overview(env, '?range=30d'));
    const figures = page.getByRole('list', { name: 'Key figures' });
    await expect(figures.getByRole('listitem')).toHaveCount(6);
    const figure = figures.getByRole('link', { name: new RegExp(`^${label}`) });
    await expect(figure).toContainText(/ the 30 days before$| in this range$/);
    await figure.click();
    await expect(page).toHaveURL(list);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  }
});

test('a chart has labeled axes, and a mark shows its number and links to its decisions', async ({ page, env }) => {
  await page.goto(overview(env, '?range=90d'));
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Verdicts over time' }) });
  const labels = await card.locator('.values text').allTextContents();
  expect(labels[0]).toBe('0');
  expect(labels.length).toBeGreaterThan(1);
  await expect(card.locator('.grid-line')).toHaveCount(labels.length - 1);
  await expect(card.locator('.axis span')).toHaveCount(3);
  const mark = card.locator('.plot a').first();
  await expect(mark.locator('title')).toHaveText(/: [\d,]+ decisions?, from /);
  await expect(mark).toHaveAttribute('href', /\/decisions\?verdict=[A-Z]+&from=/);
});

test('each current total links to its list', async ({ page, env }) => {
  for (const [count, list, title] of [
    ['Dead deliveries to webhooks', 'webhooks/deliveries?status=dead', 'Deliveries'],
    ['Active policies in shadow mode', 'policies?state=shadow', 'Policies'],
  ] as const) {
    await page.goto(overview(env));
    const totals = page.getByRole('region', { name: 'Overview: Current status' });
    await totals.getByRole('link', { name: count }).click();
    await expect(page).toHaveURL(env.path(list));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  }
});
