// Journey 2: triage alerts, one by one and many at once. It must work without scripts too.

import { randomUUID } from 'node:crypto';
import { expect, test, type World } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

/** Raises an alert, and gives it as the service tells it. */
async function raised(world: World) {
  const { decision } = await world.record(`alert ${randomUUID()}`);
  const { items } = await world.govern.api('GET', '/v1/alerts?limit=20');
  return items.find((alert: { decision_id?: string }) => alert.decision_id === decision.id);
}

/** How many alerts are open. */
async function open(world: World): Promise<number> {
  return (await world.govern.api('GET', '/v1/alerts?status=open&limit=1')).total;
}

test('an alert is triaged in three steps: the list, the alert, acknowledge', async ({ page, world }) => {
  const { id, message } = await raised(world);
  await page.goto(world.path('alerts'));
  await page.getByRole('link', { name: message }).click();
  await expect(page).toHaveURL(world.path(`alerts/${id}`));
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0);
  expect((await world.govern.api('GET', `/v1/alerts/${id}`)).acknowledged_at).toBeTruthy();
});

test('a rule leads to its own alerts, and says how old they are', async ({ page, world }) => {
  const { message, data } = await raised(world);
  await page.goto(world.path('alerts'));
  await page.getByRole('rowheader', { name: data.rule_codes[0] }).getByRole('link').click();
  await expect(page).toHaveURL(world.path(`alerts?rule=${data.rule_codes[0]}`));
  await expect(page.getByLabel('Rule')).toHaveValue(data.rule_codes[0]);
  await expect(page.getByRole('row').filter({ hasText: message })).toContainText(/\b1 min/);
  await page.getByLabel('Rule').fill('NO-SUCH-RULE');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page.getByText('Nothing matches')).toBeVisible();
});

test('an alert is acknowledged in its row with one press', async ({ page, world }) => {
  const { id, message } = await raised(world);
  await page.goto(world.path('alerts'));
  const row = page.getByRole('row').filter({ hasText: message });
  await row.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page).toHaveURL(new RegExp(world.path('alerts')));
  await expect(row).toHaveCount(0);
  expect((await world.govern.api('GET', `/v1/alerts/${id}`)).acknowledged_at).toBeTruthy();
});

test('a page of alerts goes in four steps: the list, select, acknowledge, confirm', async ({ page, world }) => {
  const alerts = [await raised(world), await raised(world)];
  await page.goto(world.path('alerts'));
  await page.getByRole('link', { name: 'Select this page' }).click();
  const boxes = page.getByRole('checkbox');
  const number = await boxes.count();
  for (const box of await boxes.all()) await expect(box).toBeChecked();
  await page.getByRole('button', { name: 'Acknowledge selected' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Acknowledge ${number} alerts`);
  await expect(page.getByText('There is no undo')).toBeVisible();
  await page.getByRole('button', { name: `Acknowledge ${number} alerts` }).click();
  await expect(page.getByText(`${number} alerts acknowledged.`)).toBeVisible();
  for (const { id } of alerts) {
    expect((await world.govern.api('GET', `/v1/alerts/${id}`)).acknowledged_at).toBeTruthy();
  }
});

test('all that match are counted exactly, and one that somebody else was first with is told', async ({
  page,
  world,
}) => {
  const taken = await raised(world);
  await raised(world);
  await raised(world);
  const number = await open(world);
  await page.goto(world.path('alerts'));
  await page.getByRole('link', { name: `All matching (${number})` }).click();
  const act = page.getByRole('button', { name: `Acknowledge ${number} alerts` });
  await expect(act).toBeVisible();

  // One more comes, and of those that were counted one goes.
  const newer = await raised(world);
  const path = `/v1/alerts/${taken.id}/acknowledge`;
  await world.govern.apiAs(world.ratifier, 'POST', path, {});
  await act.click();
  const told = page.getByRole('status').filter({ hasText: 'acknowledged.' });
  await expect(told).toContainText(`${number - 1} alerts acknowledged.`);
  await expect(told).toContainText('1 alert was not, because somebody was first:');
  await expect(told.getByRole('listitem')).toHaveCount(1);
  await expect(told.getByRole('link', { name: taken.message })).toBeVisible();
  await expect(page.getByRole('link', { name: newer.message })).toBeVisible();
  expect(await open(world)).toBe(1);
});
