// Settings: the effect of a change is shown before it is saved. The page also works without scripts.

import { expect, test } from '../support/fixtures.js';

/** Returns the label of a severity. */
const label = (severity: string): string => severity.charAt(0).toUpperCase() + severity.slice(1);

test.beforeEach(async ({ page, env }) => {
  await env.signIn(page, env.server.admin);
  await page.goto(env.path('settings'));
});

test('a setting is changed with a reason', async ({ page, env }) => {
  const { alert_min_severity: before } = await env.server.api('GET', '/v1/settings');
  const after = before === 'high' ? 'critical' : 'high';
  await page.getByLabel('Alerts from severity: new value').selectOption(after);
  await page.getByRole('button', { name: 'Alerts from severity: Change…' }).click();
  await page.getByLabel('Reason').fill('too many mild ones');
  await page.getByRole('button', { name: 'Save change' }).click();
  await expect(page).toHaveURL(env.path('settings'));
  const { alert_min_severity: now } = await env.server.api('GET', '/v1/settings');
  expect(now).toBe(after);
  const history = page.getByRole('region', { name: 'Changes', exact: true }).getByRole('listitem').first();
  await expect(history).toContainText(`Alerts from severity from ${label(before)} to ${label(after)}`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Minimum severity' })).toContainText('Changed');
});
