// Alerts are acknowledged, assigned and snoozed one by one and in bulk. This also works without scripts.

import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expect, test, type TestEnv } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

async function createAlert(env: TestEnv) {
  const { decision } = await env.recordDecision(`alert ${randomUUID()}`);
  const { items } = await env.server.api('GET', '/v1/alerts?limit=20');
  return items.find((alert: { decision_id?: string }) => alert.decision_id === decision.id);
}

/** Returns the link to an alert in a list. The alert next to the list has links too. */
function alertLink(within: Page | Locator, id: string): Locator {
  return within.locator(`:is(a[href$="/alerts/${id}"], a[href$="alert=${id}"]):not(.alert-pane a)`);
}

/** Returns the group of an alert in the list. */
function groupOf(page: Page, id: string): Locator {
  return page.locator('.alert-group').filter({ has: alertLink(page, id) });
}

/** Opens the menu of a filter. */
async function openFilter(page: Page, name: string) {
  await page.locator('.filter-menu > summary', { hasText: name }).click();
}

async function countOpenAlerts(env: TestEnv): Promise<number> {
  return (await env.server.api('GET', '/v1/alerts?status=open&limit=1')).total;
}

test('an alert is acknowledged in three steps: list, alert, acknowledge', async ({ page, env }) => {
  const { id } = await createAlert(env);
  await page.goto(env.path('alerts'));
  await alertLink(page, id).click();
  await expect(page).toHaveURL(env.path(`alerts?alert=${id}`));
  const pane = page.locator('.alert-pane');
  await pane.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByText('Alert acknowledged.')).toBeVisible();
  await expect(pane.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0);
  expect((await env.server.api('GET', `/v1/alerts/${id}`)).acknowledged_at).toBeTruthy();
});

test('an alert is shown next to the list, and instead of it on narrow pages', async ({ page, env }) => {
  const { id } = await createAlert(env);
  await page.goto(env.path('alerts'));
  const [pane, rows] = [page.locator('.alert-pane'), page.locator('[data-row]')];

  // The first alert is shown by default. On narrow pages there is only the list.
  const { width = 1280, height = 720 } = page.viewportSize() ?? {};
  await expect(pane).toBeVisible();
  await expect(page.locator('[data-row][aria-current]')).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(pane).toBeHidden();
  await expect(rows.first()).toBeVisible();
  await page.setViewportSize({ width, height });

  await alertLink(page, id).click();
  await expect(pane).toContainText('Created');
  await expect(rows.first()).toBeVisible();
  await expect(page.locator('[data-row][aria-current]')).toHaveCount(1);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(pane).toBeVisible();
  await expect(rows.first()).toBeHidden();
  await pane.getByRole('link', { name: 'Back to the alerts' }).click();
  await expect(rows.first()).toBeVisible();
  await expect(pane).toBeHidden();
  await page.goto(env.path(`alerts?alert=${id}`));
  await pane.getByRole('link', { name: 'Open as a page' }).click();
  await expect(page).toHaveURL(env.path(`alerts/${id}`));
});

test('alerts are listed by time, and the number of selected alerts is shown', async ({
  page,
  env,
  javaScriptEnabled,
}) => {
  await createAlert(env);
  await createAlert(env);
  await page.goto(env.path('alerts'));
  await page.getByRole('link', { name: 'By time' }).click();
  await expect(page).toHaveURL(env.path('alerts?order=time'));
  await expect(page.locator('.alert-group')).toHaveCount(1);
  await expect(page.locator('.alert-group summary')).toHaveCount(0);
  if (javaScriptEnabled === false) return;
  await page.waitForLoadState('networkidle');
  const count = page.locator('[data-selected]');
  await expect(count).toBeHidden();
  await page.getByRole('checkbox').nth(0).check();
  await page.getByRole('checkbox').nth(1).check();
  await expect(count).toHaveText('2 selected');
  await page.getByRole('checkbox').nth(0).uncheck();
  await expect(count).toHaveText('1 selected');
});

test('a rule links to its alerts and their age, and an unknown rule matches nothing', async ({ page, env }) => {
  const { id, data } = await createAlert(env);
  await page.goto(env.path('alerts'));
  const group = groupOf(page, id);
  const rule = (await group.locator('summary bdi').last().textContent()) ?? '';
  expect(data.rule_codes).toContain(rule);
  await group.getByRole('link', { name: 'All alerts of this rule' }).click();
  await expect(page).toHaveURL(env.path(`alerts?rule=${rule}`));
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText(rule);
  await expect(page.getByRole('row').filter({ has: alertLink(page, id) })).toContainText(/\b1 min/);
  await openFilter(page, 'Rule');
  await page.getByLabel('Rule', { exact: true }).last().fill('NO-SUCH-RULE');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('No results')).toBeVisible();
});

test('a group is folded, and its alerts stay selected', async ({ page, env, javaScriptEnabled }) => {
  const { id } = await createAlert(env);
  await page.goto(env.path('alerts'));
  const [group, row] = [groupOf(page, id), page.getByRole('row').filter({ has: alertLink(page, id) })];
  await row.getByRole('checkbox').check();
  await group.locator('summary').click();
  await expect(alertLink(page, id)).toBeHidden();
  if (javaScriptEnabled !== false) {
    // The shortcuts skip the rows of a folded group.
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('j');
    await expect(group.locator('[data-row]:focus')).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Acknowledge selected' }).click();
  await expect(page.getByText('Alert acknowledged.')).toBeVisible();
  expect((await env.server.api('GET', `/v1/alerts/${id}`)).acknowledged_at).toBeTruthy();
});

test('the actions for selected alerts stay in view while an alert is selected', async ({ page, env }) => {
  for (let count = 0; count < 8; count += 1) await createAlert(env);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 500 });
    await page.goto(env.path('alerts'));
    const actions = page.getByRole('group', { name: 'Selected alerts' });
    await expect(actions).not.toBeInViewport();
    const first = page.getByRole('checkbox').first();
    await first.check();
    await expect(actions).toBeInViewport({ ratio: 1 });
    await page.getByRole('checkbox').nth(3).scrollIntoViewIfNeeded();
    await expect(actions).toBeInViewport({ ratio: 1 });
    await first.uncheck();
    await page.evaluate(() => scrollTo(0, 0));
    await expect(actions).not.toBeInViewport();
  }
});

test('one click in the row of an alert acknowledges it', async ({ page, env }) => {
  const { id } = await createAlert(env);
  await page.goto(env.path('alerts'));
  const row = page.getByRole('row').filter({ has: alertLink(page, id) });
  await row.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page).toHaveURL(new RegExp(env.path('alerts')));
  await expect(row).toHaveCount(0);
  expect((await env.server.api('GET', `/v1/alerts/${id}`)).acknowledged_at).toBeTruthy();
});

test('alerts are filtered by policy', async ({ page, env }) => {
  const { id } = await createAlert(env);
  await page.goto(env.path('alerts'));
  const row = page.getByRole('row').filter({ has: alertLink(page, id) });
  const policy = (await row.locator('th .text-muted bdi').first().textContent()) ?? '';
  await openFilter(page, 'Policy');
  await page.locator('select[name=policy]').selectOption(policy);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText(policy);
  await expect(alertLink(page, id)).toBeVisible();
  await page.getByRole('link', { name: 'Clear filter: Policy' }).click();
  await expect(page.getByRole('list', { name: 'Active filters' })).toHaveCount(0);
});

test('selected alerts are acknowledged in two steps: select, acknowledge', { tag: '@firefox' }, async ({ page, env }) => {
  const alerts = [await createAlert(env), await createAlert(env)];
  await page.goto(env.path('alerts'));
  for (const { id } of alerts) {
    await page.getByRole('row').filter({ has: alertLink(page, id) }).getByRole('checkbox').check();
  }
  await expect(page.locator('.bulk').getByText('Acknowledging cannot be undone')).toBeVisible();
  await page.getByRole('button', { name: 'Acknowledge selected' }).click();
  await expect(page.getByText('2 alerts acknowledged.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expect(new URL(page.url()).search).not.toContain(alerts[0].id);
  for (const { id } of alerts) {
    expect((await env.server.api('GET', `/v1/alerts/${id}`)).acknowledged_at).toBeTruthy();
  }
});

test('a page of alerts is selected with one link', async ({ page, env }) => {
  await createAlert(env);
  await page.goto(env.path('alerts'));
  await page.getByRole('link', { name: 'Select this page' }).click();
  for (const box of await page.getByRole('checkbox').all()) await expect(box).toBeChecked();
});

test('acknowledging all matching alerts affects exactly those of the page and lists those that changed', async ({
  page,
  env,
}) => {
  const acknowledgedByOther = await createAlert(env);
  await createAlert(env);
  await createAlert(env);
  const count = await countOpenAlerts(env);
  await page.goto(env.path('alerts'));
  await page.getByText(`All matching (${count})`).click();
  await page.getByRole('button', { name: 'Acknowledge all' }).click();
  await expect(page).toHaveURL(env.path('alerts/acknowledge'));
  const acknowledge = page.getByRole('button', { name: `Acknowledge ${count} alerts` });
  await expect(acknowledge).toBeVisible();

  // After the page, one alert is created and another user acknowledges one of those shown.
  const newer = await createAlert(env);
  const path = `/v1/alerts/${acknowledgedByOther.id}/acknowledge`;
  await env.server.apiAs(env.ratifier, 'POST', path, {});
  await acknowledge.click();
  const result = page.getByRole('status').filter({ hasText: 'acknowledged.' });
  await expect(result).toContainText(`${count - 1} alerts acknowledged.`);
  await expect(result).toContainText('1 alert was already acknowledged by someone else:');
  await expect(result.getByRole('listitem')).toHaveCount(1);
  await expect(alertLink(result, acknowledgedByOther.id)).toBeVisible();
  await expect(alertLink(page, newer.id)).toBeVisible();
  expect(await countOpenAlerts(env)).toBe(1);
});

test('a confirmation page without a selection leads back to the list', async ({ page, env }) => {
  await page.goto(env.path('alerts/snooze'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No alerts selected');
  await page.getByRole('link', { name: 'Back to the alerts' }).click();
  await expect(page).toHaveURL(env.path('alerts'));
});

test('an assignment is undone with a button or a key, unless another person changed the alert', { tag: '@firefox' }, async ({
  page,
  env,
  javaScriptEnabled,
}) => {
  const { id } = await createAlert(env);
  const assigned = async () => (await env.server.api('GET', `/v1/alerts/${id}`)).assigned_to;
  const assign = async () => {
    await page.goto(env.path(`alerts/${id}`));
    await page.getByLabel('Assigned to').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Assign' }).click();
    await expect(page.getByText(/^Alert assigned to /)).toBeVisible();
    expect(await assigned()).toBeTruthy();
  };
  await assign();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Alert restored.')).toBeVisible();
  expect(await assigned()).toBeUndefined();

  if (javaScriptEnabled !== false) {
    await assign();
    await page.waitForLoadState('networkidle'); // the script of the page is loaded
    await page.keyboard.press('z');
    await expect(page.getByText('Alert restored.')).toBeVisible();
    expect(await assigned()).toBeUndefined();
  }

  await assign();
  await env.server.apiAs(env.ratifier, 'POST', `/v1/alerts/${id}/acknowledge`, {});
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('1 alert has changed in the meantime.')).toBeVisible();
  expect(await assigned()).toBeTruthy();
});

test('the notice disappears after ten seconds, and stays without scripts', async ({ page, env, javaScriptEnabled }) => {
  const { id } = await createAlert(env);
  if (javaScriptEnabled !== false) await page.clock.install();
  await page.goto(env.path(`alerts/${id}`));
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  if (javaScriptEnabled === false) {
    await undo.click();
    await expect(page.getByText('Alert restored.')).toBeVisible();
    return;
  }
  await page.mouse.move(0, 0);
  await page.waitForLoadState('networkidle');
  await page.clock.fastForward(11_000);
  await expect(undo).toHaveCount(0);
});

test('a selection is assigned and snoozed after a confirmation page', async ({ page, env }) => {
  const { id } = await createAlert(env);
  await page.goto(env.path('alerts'));
  const row = page.getByRole('row').filter({ has: alertLink(page, id) });
  await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Assign selected' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Assign 1 alert');
  await page.getByLabel('Assigned to').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Assign 1 alert' }).click();
  await expect(page.getByText(/^Alert assigned to /)).toBeVisible();
  const { assigned_to } = await env.server.api('GET', `/v1/alerts/${id}`);
  expect(assigned_to).toBeTruthy();

  await openFilter(page, 'Assigned to');
  await page.locator('.filter-menu select[name=assignee]').selectOption(assigned_to);
  await page.getByRole('button', { name: 'Apply' }).click();
  await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Snooze selected' }).click();
  await page.getByLabel('Snooze for').selectOption('4 hours');
  await page.getByRole('button', { name: 'Snooze 1 alert' }).click();
  await expect(page.getByText(/^Alert snoozed until /)).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.getByRole('link', { name: /^Snoozed/ }).click();
  await expect(row).toContainText('Until');
});

test('an alert is opened again on its page', async ({ page, env }) => {
  const { id } = await createAlert(env);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await env.server.api('POST', `/v1/alerts/${id}/snooze`, { until });
  await page.goto(env.path(`alerts/${id}`));
  const snoozed = page.locator('dl.facts').getByText('Snoozed until');
  await expect(snoozed).toBeVisible();
  await page.getByLabel('Snooze for').selectOption('Not snoozed: open now');
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await expect(snoozed).toHaveCount(0);
  expect((await env.server.api('GET', `/v1/alerts/${id}`)).snoozed_until).toBeUndefined();
});
