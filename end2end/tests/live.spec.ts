// What scripts add: contexts are evaluated while they are typed, pages hear what is new, and keys press what is
// on the page.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

test('a context is evaluated while it is typed, and the newest answer stays', async ({
  page,
  world,
}) => {
  await page.goto(world.path('try'));
  await page.waitForLoadState('networkidle'); // the page has woken
  const found = page.getByRole('region', { name: 'What would be decided' });
  const context = page.getByLabel('Context (JSON)');
  await context.fill('{');
  await expect(found).toContainText('the text is no valid JSON');
  await context.fill('{"decision_type": "consumer_loan", "fields": {}}');
  await expect(found.getByText('DENY', { exact: true })).toBeVisible();
  await context.press('Control+Enter');
  await expect(found.getByText('DENY', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(world.path('try'));

  await page.getByText('The same call with curl').click();
  const line = page.getByRole('region', { name: 'The same call with curl' });
  await expect(line).toContainText('"context": {"decision_type": "consumer_loan", "fields": {}}');
});

/** The stream begins a moment after the page, and is told at most every ten seconds. */
const TOLD = { timeout: 25_000 };

const isLive = (request: { url(): string }): boolean => request.url().includes('/console/live');

/** The count of open alerts in the navigation. */
const counted = (page: Page) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Alerts/ }).locator('span');

test('a pill says how many are new, and nothing moves until it is pressed', async ({ page, world }) => {
  await world.record(`before ${randomUUID()}`);
  for (const list of ['alerts', 'decisions']) {
    await page.goto(world.path(list));
    const rows = page.locator('[data-row]');
    const shown = await rows.allTextContents();
    const { decision } = await world.record(`live ${randomUUID()}`);
    const pill = page.getByRole('link', { name: 'new. Show' });
    await expect(pill).toHaveText('1 new. Show', TOLD);
    const { total } = await world.govern.api('GET', '/v1/alerts?status=open&limit=1');
    await expect(counted(page)).toHaveText(total.toLocaleString('en-GB'));
    expect(await rows.allTextContents()).toEqual(shown);
    await pill.click();
    await expect(pill).toHaveCount(0);
    const newest = page.getByRole('rowheader').getByRole('link').first();
    await expect(newest).toHaveAttribute('href', list === 'alerts' ? /alerts/ : new RegExp(decision.id));
    expect(await rows.allTextContents()).not.toEqual(shown);
  }
});

test('a page that was reached from within hears what came after it', async ({ page, world }) => {
  await page.goto(world.path('policies'));
  await page.waitForLoadState('networkidle');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Decisions' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Decisions');
  await expect(page.locator('[data-live]')).toBeHidden();
  await world.record(`within ${randomUUID()}`);
  await expect(page.getByRole('link', { name: 'new. Show' })).toHaveText('1 new. Show', TOLD);
});

test('nobody listens in a tab that nobody looks at', async ({ page, world }) => {
  const look = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, isHidden);
  const begun = page.waitForRequest(isLive);
  await page.goto(world.path('alerts'));
  await begun;
  const ended = Promise.race([
    page.waitForEvent('requestfailed', isLive),
    page.waitForEvent('requestfinished', isLive),
  ]);
  await look(true);
  await ended;
  await world.record(`unseen ${randomUUID()}`);
  const again = page.waitForRequest(isLive);
  await look(false);
  await again;
  await expect(page.getByRole('link', { name: 'new. Show' })).toHaveText('1 new. Show', TOLD);
});

test('who is signed out elsewhere hears no more, and is told so', async ({ page, world }) => {
  const begun = page.waitForRequest(isLive);
  await page.goto(world.path('alerts'));
  await begun;
  await page.request.delete('/v1/session');
  const pill = page.getByRole('link', { name: 'Live updates paused. Show' });
  await expect(pill).toBeVisible({ timeout: 30_000 });
  await pill.click();
  await expect(page).toHaveURL(/\/login/);
});

test('the keyboard alone opens an alert and acknowledges it', async ({ page, world }) => {
  await world.record(`opened ${randomUUID()}`);
  await page.goto(world.path('policies'));
  await page.waitForLoadState('networkidle'); // the page has woken
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Alerts');
  await page.keyboard.press('o');
  await expect(page).toHaveURL(/\/alerts\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toBeVisible();
  await page.keyboard.press('e');
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0);

  // The row that has the focus comes before the first one.
  await page.goto(world.path('decisions'));
  await page.waitForLoadState('networkidle');
  const second = await page.locator('[data-row]').nth(1).getAttribute('href');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await expect(page).toHaveURL(second ?? '');
});

test('the keyboard alone acknowledges a page of alerts', async ({ page, world }) => {
  await world.record(`one of many ${randomUUID()}`);
  await world.record(`many ${randomUUID()}`);
  await page.goto(world.path('policies'));
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  const boxes = page.getByRole('checkbox');
  await expect(boxes.first()).toBeVisible();
  const number = await boxes.count();
  await page.keyboard.press('Shift+X');
  await expect(boxes.last()).toBeChecked();
  await page.keyboard.press('e');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Acknowledge ${number} alerts`);
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(`${number} alerts acknowledged.`)).toBeVisible();
});
