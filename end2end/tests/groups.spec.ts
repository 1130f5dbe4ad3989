// Policy groups. Their pages also work without scripts.

import { randomUUID } from 'node:crypto';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('a group is created, filled, renamed, emptied and deleted', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  const suffix = randomUUID().slice(0, 8);
  await page.goto(env.path('policies'));
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Groups' }).click();
  await page.locator('summary', { hasText: 'Create a group' }).click();
  await page.getByLabel('Name').fill(`Travel ${suffix}`);
  await page.getByLabel('Code').fill(`TRAVEL-${suffix}`);
  await page.getByRole('button', { name: 'Create a group' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Travel ${suffix}`);
  await expect(page.getByText('No policy belongs to this group yet.')).toBeVisible();

  await page.getByLabel('Code of a policy to add').fill(policy.code.toLowerCase());
  await page.getByRole('button', { name: 'Add' }).click();
  const member = page.getByRole('rowheader', { name: policy.name });
  await expect(member).toBeVisible();
  const { policy_group_id } = await env.server.api('GET', `/v1/policies/${policy.id}`);
  expect(page.url()).toContain(policy_group_id);

  await page.locator('summary', { hasText: 'Delete this group' }).click();
  await expect(page.getByText('Remove them first.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete this group' })).toHaveCount(0);

  await page.locator('summary', { hasText: 'Edit details' }).click();
  await page.getByLabel('Name').fill(`Trips ${suffix}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Trips ${suffix}`);

  await page.getByRole('button', { name: `Remove: ${policy.name}` }).click();
  await expect(member).toHaveCount(0);
  await page.locator('summary', { hasText: 'Delete this group' }).click();
  await page.getByRole('button', { name: 'Delete this group' }).click();
  await expect(page).toHaveURL(env.path('groups'));
  await expect(page.getByRole('rowheader', { name: `Trips ${suffix}` })).toHaveCount(0);
});

test('a duplicate group code and an unknown policy code show an error and keep the input', async ({ page, env }) => {
  const { code } = await env.createGroup();
  await page.goto(env.path('groups'));
  await page.locator('summary', { hasText: 'Create a group' }).click();
  await page.getByLabel('Name').fill('Another one');
  await page.getByLabel('Code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Create a group' }).click();
  await expect(page.getByRole('alert')).toContainText(code.toLowerCase());
  await expect(page.getByLabel('Name')).toHaveValue('Another one');

  const { id } = await env.createGroup();
  await page.goto(env.path(`groups/${id}`));
  await page.getByLabel('Code of a policy to add').fill('NO-SUCH-POLICY');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('alert')).toContainText('no policy has this code');
  await expect(page.getByLabel('Code of a policy to add')).toHaveValue('NO-SUCH-POLICY');
});
