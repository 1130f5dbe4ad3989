// Writing a policy from nothing to a draft that is sent. It must work without scripts too.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

/** The fields of the rule type that is chosen. */
const condition = (page: Page, type: string) => page.locator(`[data-type="${type}"]`);

/** Presses the button that saves, and waits until it has. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: /Saved .*r\d+/ })).toBeVisible();
}

test('an author writes a policy, tries it and sends it', async ({ page, world }) => {
  const code = `GIFTS-${randomUUID().slice(0, 8)}`;
  await page.goto(world.path('policies'));
  await page.getByRole('link', { name: 'New policy' }).click();
  // Until it is here the list stays, which has fields of like names.
  await expect(page.getByRole('heading', { name: 'New policy' })).toBeVisible();
  await page.getByLabel('Code').fill(code);
  await page.getByLabel('Name').fill('Gifts to officials');
  await page.getByLabel('Decision types').fill(`gift_${code}`);
  await page.getByRole('button', { name: 'Create and write the first rule' }).click();

  await expect(page.getByRole('heading', { name: 'New rule' })).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill('GIFT-LIMIT');
  await page.getByLabel('Name', { exact: true }).fill('Gifts have a limit');
  await page.getByLabel('Type', { exact: true }).selectOption('threshold');
  await page.getByLabel('Severity').selectOption('critical');
  const limit = condition(page, 'threshold');
  await limit.getByLabel('Field').fill('value');
  await limit.getByLabel('At most').fill('fifty');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('1 thing to correct');
  await expect(limit.getByText('Must be a number')).toBeVisible();
  await expect(limit.getByLabel('At most')).toHaveValue('fifty');
  await limit.getByLabel('At most').fill('50');
  await save(page);

  await page.getByRole('button', { name: 'Add a condition' }).click();
  const line = page.getByRole('group', { name: 'Condition 1' });
  await line.getByLabel('Field').fill('recipient');
  await line.getByLabel('Value', { exact: true }).fill('official');
  await page
    .getByLabel('Sample context (JSON)')
    .fill(`{"decision_type":"gift_${code}","fields":{"value":51,"recipient":"official"}}`);
  await page.getByRole('button', { name: 'Run sample' }).click();
  const found = page.getByRole('region', { name: 'What would be decided' });
  await expect(found.getByText('VALUE_ABOVE_MAX')).toBeVisible();
  await save(page);

  await page.getByRole('link', { name: 'v1', exact: true }).click();
  await expect(page.getByText('When recipient is "official" (exact case), value is at most 50.').first()).toBeVisible();
  await page.getByRole('link', { name: 'Send for review' }).click();
  await page.getByRole('button', { name: 'Seal and send v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is sealed and sent.' })).toBeVisible();

  const { items } = await world.govern.api('GET', `/v1/policies?q=${code}`);
  const version = await world.govern.api('GET', `/v1/policies/${items[0].id}/versions/1`);
  expect(version.rules).toEqual([
    {
      code: 'GIFT-LIMIT',
      name: 'Gifts have a limit',
      rule_type: 'threshold',
      severity: 'critical',
      condition: { field: 'value', max: 50 },
      when: { field: 'recipient', equals: 'official' },
    },
  ]);
});

test('a draft starts from the active version, is changed and deleted', async ({ page, world }) => {
  const policy = await world.draft();
  await page.goto(policy.version);
  await page.getByRole('link', { name: 'Edit draft' }).click();
  await page.getByRole('link', { name: /EXP-RECEIPT/ }).click();
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('EXP-RECEIPT');
  await page.locator('summary', { hasText: 'Move, copy or remove' }).click();
  await page.getByRole('button', { name: 'Move up' }).click();
  await expect(page.getByRole('navigation', { name: 'Rules' }).getByRole('listitem').first()).toContainText('EXP-RECEIPT');

  await page.getByRole('link', { name: 'All rules as JSON' }).click();
  await expect(page.getByLabel('Rules (JSON)')).toHaveValue(/EXP-RECEIPT[\s\S]*EXP-LIMIT/);
  await page.goto(policy.version);
  await page.locator('summary', { hasText: 'More' }).click();
  await page.getByRole('link', { name: 'Delete draft' }).click();
  await page.getByRole('button', { name: 'Delete v1' }).click();
  await expect(page).toHaveURL(policy.page);
  await expect(page.getByText('No version has been written yet.')).toBeVisible();
});
