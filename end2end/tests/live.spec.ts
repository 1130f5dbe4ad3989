// Functions that need scripts: evaluation while typing, live updates and keyboard shortcuts.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('a context is evaluated while it is typed, and the page shows the latest result', async ({ page, env }) => {
  await page.goto(env.path('try'));
  await page.waitForLoadState('networkidle');
  const result = page.getByRole('region', { name: 'Result' });
  const context = page.getByLabel('Context (JSON)');
  await context.fill('{');
  await expect(result).toContainText('the text is not valid JSON');
  await context.fill('{"decision_type": "consumer_loan", "fields": {}}');
  await expect(result.getByText('DENY', { exact: true })).toBeVisible();
  await context.press('Control+Enter');
  await expect(result.getByText('DENY', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(env.path('try'));

  await page.getByText('The same call with curl').click();
  const command = page.getByRole('region', { name: 'The same call with curl' });
  await expect(command).toContainText('"context": {"decision_type": "consumer_loan", "fields": {}}');
});

/** The stream starts shortly after the page and sends counts at most every ten seconds. */
const LIVE_TIMEOUT = { timeout: 25_000 };

const isLive = (request: { url(): string }): boolean => request.url().includes('/console/live');

const alertCount = (page: Page) =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: /^Alerts/ }).locator('.count');

test('a notice counts new items, and only a click on it updates the list', async ({ page, env }) => {
  await env.recordDecision(`before ${randomUUID()}`);
  for (const list of ['alerts', 'decisions']) {
    await page.goto(env.path(list));
    const rows = page.locator('[data-row]');
    const before = await rows.allTextContents();
    const { decision } = await env.recordDecision(`live ${randomUUID()}`);
    const notice = page.getByRole('link', { name: /^Show \d+ new/ });
    await expect(notice).toHaveText('Show 1 new', LIVE_TIMEOUT);
    const { total } = await env.server.api('GET', '/v1/alerts?status=open&limit=1');
    await expect(alertCount(page)).toHaveText(total.toLocaleString('en-GB'));
    expect(await rows.allTextContents()).toEqual(before);
    await notice.click();
    await expect(notice).toHaveCount(0);
    const newest = page.getByRole('rowheader').getByRole('link').first();
    await expect(newest).toHaveAttribute('href', list === 'alerts' ? /alerts/ : new RegExp(decision.id));
    expect(await rows.allTextContents()).not.toEqual(before);
  }
});

test('a page that was opened from another page receives live updates', async ({ page, env }) => {
  await page.goto(env.path('policies'));
  await page.waitForLoadState('networkidle');
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Decisions' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Decisions');
  await expect(page.locator('[data-live]')).toBeHidden();
  await env.recordDecision(`within ${randomUUID()}`);
  await expect(page.getByRole('link', { name: /^Show \d+ new/ })).toHaveText('Show 1 new', LIVE_TIMEOUT);
});

test('a hidden tab closes its stream and catches up when it is visible', async ({ page, env }) => {
  const setHidden = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, isHidden);
  const streamRequest = page.waitForRequest(isLive);
  await page.goto(env.path('alerts'));
  await streamRequest;
  const streamEnd = Promise.race([
    page.waitForEvent('requestfailed', isLive),
    page.waitForEvent('requestfinished', isLive),
  ]);
  await setHidden(true);
  await streamEnd;
  await env.recordDecision(`unseen ${randomUUID()}`);
  const nextStreamRequest = page.waitForRequest(isLive);
  await setHidden(false);
  await nextStreamRequest;
  await expect(page.getByRole('link', { name: /^Show \d+ new/ })).toHaveText('Show 1 new', LIVE_TIMEOUT);
});

test('live updates pause with a notice when the session has ended', async ({ page, env }) => {
  const streamRequest = page.waitForRequest(isLive);
  await page.goto(env.path('alerts'));
  await streamRequest;
  await page.request.delete('/v1/session', { headers: env.program });
  const notice = page.getByRole('link', { name: 'Live updates paused. Show' });
  await expect(notice).toBeVisible({ timeout: 30_000 });
  await notice.click();
  await expect(page).toHaveURL(/\/login/);
});

test('keyboard shortcuts open and acknowledge an alert', async ({ page, env }) => {
  await env.recordDecision(`opened ${randomUUID()}`);
  await page.goto(env.path('policies'));
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Alerts');
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('o');
  await expect(page).toHaveURL(/\/alerts\?alert=[0-9a-f-]{36}$/);
  const acknowledge = page.locator('.alert-pane').getByRole('button', { name: 'Acknowledge' });
  await expect(acknowledge).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('e');
  await expect(acknowledge).toHaveCount(0);

  // The focused row is opened instead of the first one.
  await page.goto(env.path('decisions'));
  await page.waitForLoadState('networkidle');
  const second = await page.locator('[data-row]').nth(1).getAttribute('href');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await expect(page).toHaveURL(second ?? '');
});

test('keyboard shortcuts acknowledge a page of alerts', async ({ page, env }) => {
  await env.recordDecision(`one of many ${randomUUID()}`);
  await env.recordDecision(`many ${randomUUID()}`);
  await page.goto(env.path('policies'));
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  const boxes = page.getByRole('checkbox');
  await expect(boxes.first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const count = await boxes.count();
  await page.keyboard.press('Shift+X');
  await expect(boxes.last()).toBeChecked();
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('e');
  await expect(page.getByText(`${count} alerts acknowledged.`)).toBeVisible();
});

test('a key moves the focus to the snooze time of an alert', async ({ page, env }) => {
  await env.recordDecision(`snooze ${randomUUID()}`);
  const { items } = await env.server.api('GET', '/v1/alerts?status=open&limit=1');
  await page.goto(env.path(`alerts/${items[0].id}`));
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('h');
  await expect(page.getByLabel('Snooze for')).toBeFocused();
});
