// Alerts are acknowledged one by one and in bulk. This also works without scripts.

import { randomUUID } from 'node:crypto';
import { expect, test, type TestEnv } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

async function createAlert(env: TestEnv) {
  const { decision } = await env.recordDecision(`alert ${randomUUID()}`);
  const { items } = await env.server.api('GET', '/v1/alerts?limit=20');
  return items.find((alert: { decision_id?: string }) => alert.decision_id === decision.id);
}

async function countOpenAlerts(env: TestEnv): Promise<number> {
  return (await env.server.api('GET', '/v1/alerts?status=open&limit=1')).total;
}

test('an alert is acknowledged in three steps: list, alert, acknowledge', async ({ page, env }) => {
  const { id, message } = await createAlert(env);
  await page.goto(env.path('alerts'));
  await page.getByRole('link', { name: message }).click();
  await expect(page).toHaveURL(env.path(`alerts/${id}`));
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0);
  expect((await env.server.api('GET', `/v1/alerts/${id}`)).acknowledged_at).toBeTruthy();
});

test('a rule links to its alerts and their age, and an unknown rule matches nothing', async ({ page, env }) => {
  const { message, data } = await createAlert(env);
  await page.goto(env.path('alerts'));
  await page.getByRole('rowheader', { name: data.rule_codes[0] }).getByRole('link').click();
  await expect(page).toHaveURL(env.path(`alerts?rule=${data.rule_codes[0]}`));
  await expect(page.getByLabel('Rule')).toHaveValue(data.rule_codes[0]);
  await expect(page.getByRole('row').filter({ hasText: message })).toContainText(/\b1 min/);
  await page.getByLabel('Rule').fill('NO-SUCH-RULE');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page.getByText('No results')).toBeVisible();
});

test('one click in the row of an alert acknowledges it', async ({ page, env }) => {
  const { id, message } = await createAlert(env);
  await page.goto(env.path('alerts'));
  const row = page.getByRole('row').filter({ hasText: message });
  await row.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page).toHaveURL(new RegExp(env.path('alerts')));
  await expect(row).toHaveCount(0);
  expect((await env.server.api('GET', `/v1/alerts/${id}`)).acknowledged_at).toBeTruthy();
});

test('a page of alerts is acknowledged in four steps: list, select, acknowledge, confirm', async ({ page, env }) => {
  const alerts = [await createAlert(env), await createAlert(env)];
  await page.goto(env.path('alerts'));
  await page.getByRole('link', { name: 'Select this page' }).click();
  const boxes = page.getByRole('checkbox');
  const count = await boxes.count();
  for (const box of await boxes.all()) await expect(box).toBeChecked();
  await page.getByRole('button', { name: 'Acknowledge selected' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Acknowledge ${count} alerts`);
  await expect(page.getByText('Acknowledging cannot be undone')).toBeVisible();
  await page.getByRole('button', { name: `Acknowledge ${count} alerts` }).click();
  await expect(page.getByText(`${count} alerts acknowledged.`)).toBeVisible();
  for (const { id } of alerts) {
    expect((await env.server.api('GET', `/v1/alerts/${id}`)).acknowledged_at).toBeTruthy();
  }
});

test('acknowledging all matching alerts affects exactly the counted ones and lists those already acknowledged', async ({
  page,
  env,
}) => {
  const acknowledgedByOther = await createAlert(env);
  await createAlert(env);
  await createAlert(env);
  const count = await countOpenAlerts(env);
  await page.goto(env.path('alerts'));
  await page.getByRole('link', { name: `All matching (${count})` }).click();
  const acknowledge = page.getByRole('button', { name: `Acknowledge ${count} alerts` });
  await expect(acknowledge).toBeVisible();

  // After the count, one alert is created and another user acknowledges one of those counted.
  const newer = await createAlert(env);
  const path = `/v1/alerts/${acknowledgedByOther.id}/acknowledge`;
  await env.server.apiAs(env.ratifier, 'POST', path, {});
  await acknowledge.click();
  const result = page.getByRole('status').filter({ hasText: 'acknowledged.' });
  await expect(result).toContainText(`${count - 1} alerts acknowledged.`);
  await expect(result).toContainText('1 alert was already acknowledged by someone else:');
  await expect(result.getByRole('listitem')).toHaveCount(1);
  await expect(result.getByRole('link', { name: acknowledgedByOther.message })).toBeVisible();
  await expect(page.getByRole('link', { name: newer.message })).toBeVisible();
  expect(await countOpenAlerts(env)).toBe(1);
});
