// Settings: what a change would do is shown before it is made. It must work without scripts too.

import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => {
  await world.signIn(page, world.govern.admin);
  await page.goto(world.path('settings'));
});

test('switching maker-checker off names what waits, and nothing happens yet', async ({
  page,
  world,
}) => {
  const policy = await world.submitted();
  await page.getByRole('button', { name: 'Maker-checker: Change to Off' }).click();
  const change = page.getByRole('region', { name: 'Change: Maker-checker' });
  await expect(change.getByRole('link', { name: `${policy.name} v1` })).toBeVisible();
  await expect(change.getByLabel('Reason')).toHaveAttribute('required', '');
  const { maker_checker_enabled } = await world.govern.api('GET', '/v1/settings');
  expect(maker_checker_enabled).toBe(true);
  await change.getByRole('link', { name: 'Cancel' }).click();
  await expect(change).toHaveCount(0);
});

test('a change is made with its reason and shown', async ({ page, world }) => {
  const { alert_min_severity: before } = await world.govern.api('GET', '/v1/settings');
  const after = before === 'high' ? 'critical' : 'high';
  await page.getByLabel('Alerts from severity: new value').selectOption(after);
  await page.getByRole('button', { name: 'Change: Alerts from severity' }).click();
  await page.getByLabel('Reason').fill('too many mild ones');
  await page.getByRole('button', { name: 'Make this change' }).click();
  await expect(page).toHaveURL(world.path('settings'));
  const { alert_min_severity: now } = await world.govern.api('GET', '/v1/settings');
  expect(now).toBe(after);
});
