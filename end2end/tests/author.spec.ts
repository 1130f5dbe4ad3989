// An author creates a policy and submits it for review. This also works without scripts.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

const condition = (page: Page, type: string) => page.locator(`[data-type="${type}"]`);

/** Clicks the save button and waits until the draft is saved. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: /Saved .*r\d+/ })).toBeVisible();
}

test('an author creates a policy, runs a sample and submits it for review', { tag: '@firefox' }, async ({ page, env }) => {
  const code = `GIFTS-${randomUUID().slice(0, 8)}`;
  await page.goto(env.path('policies'));
  await page.getByRole('link', { name: 'New policy' }).click();
  // The list stays until the new page is shown, and has fields with the same labels.
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
  await expect(page.getByRole('alert')).toContainText('1 field needs attention.');
  await expect(limit.getByText('Must be a number')).toBeVisible();
  await expect(limit.getByLabel('At most')).toHaveAttribute('aria-invalid', 'true');
  await expect(limit.getByLabel('Field')).not.toHaveAttribute('aria-invalid', 'true');
  await expect(limit.getByLabel('At most')).toHaveValue('fifty');
  await limit.getByLabel('At most').fill('50');
  await save(page);

  await page.getByRole('button', { name: 'Add a condition' }).click();
  const gate = page.getByRole('group', { name: 'Condition 1' });
  await gate.getByLabel('Field').fill('recipient');
  await gate.getByLabel('Value', { exact: true }).fill('official');
  await page
    .getByLabel('Sample context (JSON)')
    .fill(`{"decision_type":"gift_${code}","fields":{"value":51,"recipient":"official"}}`);
  await page.getByRole('button', { name: 'Run sample' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText('VALUE_ABOVE_MAX')).toBeVisible();
  await save(page);

  await page.getByRole('link', { name: 'v1', exact: true }).click();
  await expect(page.getByText('When recipient is "official" (exact case), value is at most 50.').first()).toBeVisible();
  await page.getByRole('link', { name: 'Submit v1 for review' }).click();
  await page.getByRole('button', { name: 'Submit v1 for review' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 submitted for review.' })).toBeVisible();

  const { items } = await env.server.api('GET', `/v1/policies?q=${code}`);
  const version = await env.server.api('GET', `/v1/policies/${items[0].id}/versions/1`);
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

test('an author reorders the rules of a draft and deletes the draft', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  await page.goto(policy.versionPath);
  await page.getByRole('link', { name: 'Edit v1' }).click();
  await page.getByRole('link', { name: /EXP-RECEIPT/ }).click();
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('EXP-RECEIPT');
  await page.getByRole('button', { name: 'Move up' }).click();
  const firstRule = page.getByRole('navigation', { name: 'Rules' }).getByRole('listitem').first();
  await expect(firstRule).toContainText('EXP-RECEIPT');

  await page.getByRole('link', { name: 'All rules as JSON' }).click();
  await expect(page.getByLabel('Rules (JSON)')).toHaveValue(/EXP-RECEIPT[\s\S]*EXP-LIMIT/);
  await page.goto(policy.versionPath);
  await page.locator('summary', { hasText: 'More' }).click();
  await page.getByRole('link', { name: 'Delete draft' }).click();
  await page.getByRole('button', { name: 'Delete draft' }).click();
  await expect(page).toHaveURL(policy.path);
  await expect(page.getByText('Draft deleted.')).toBeVisible();
  await page.goto(`${policy.path}?tab=versions`);
  await expect(page.getByText('No versions yet.')).toBeVisible();
});
