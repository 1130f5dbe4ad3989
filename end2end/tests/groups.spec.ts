// Policy groups: made, filled, renamed, emptied and deleted. It must work without scripts too.

import { randomUUID } from 'node:crypto';
import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

test('a group is made, filled, renamed, emptied and deleted', async ({ page, world }) => {
  const policy = await world.draft();
  const mark = randomUUID().slice(0, 8);
  await page.goto(world.path('policies'));
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Groups' }).click();
  await page.locator('summary', { hasText: 'Create a group' }).click();
  await page.getByLabel('Name').fill(`Travel ${mark}`);
  await page.getByLabel('Code').fill(`TRAVEL-${mark}`);
  await page.getByRole('button', { name: 'Create a group' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Travel ${mark}`);
  await expect(page.getByText('No policy belongs to this group yet.')).toBeVisible();

  await page.getByLabel('Code of a policy to add').fill(policy.code.toLowerCase());
  await page.getByRole('button', { name: 'Add' }).click();
  const member = page.getByRole('rowheader', { name: policy.name });
  await expect(member).toBeVisible();
  const { policy_group_id } = await world.govern.api('GET', `/v1/policies/${policy.id}`);
  expect(page.url()).toContain(policy_group_id);

  await page.locator('summary', { hasText: 'Delete this group' }).click();
  await expect(page.getByText('Take them out of it first.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete this group' })).toHaveCount(0);

  await page.locator('summary', { hasText: 'Change its details' }).click();
  await page.getByLabel('Name').fill(`Trips ${mark}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Trips ${mark}`);

  await page.getByRole('button', { name: `Take out: ${policy.name}` }).click();
  await expect(member).toHaveCount(0);
  await page.locator('summary', { hasText: 'Delete this group' }).click();
  await page.getByRole('button', { name: 'Delete this group' }).click();
  await expect(page).toHaveURL(world.path('groups'));
  await expect(page.getByRole('rowheader', { name: `Trips ${mark}` })).toHaveCount(0);
});

test('what is refused says why, and what was typed stays', async ({ page, world }) => {
  const { code } = await world.group();
  await page.goto(world.path('groups'));
  await page.locator('summary', { hasText: 'Create a group' }).click();
  await page.getByLabel('Name').fill('Another one');
  await page.getByLabel('Code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Create a group' }).click();
  await expect(page.getByRole('alert')).toContainText(code.toLowerCase());
  await expect(page.getByLabel('Name')).toHaveValue('Another one');

  const { id } = await world.group();
  await page.goto(world.path(`groups/${id}`));
  await page.getByLabel('Code of a policy to add').fill('NO-SUCH-POLICY');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('alert')).toContainText('no policy has this code');
  await expect(page.getByLabel('Code of a policy to add')).toHaveValue('NO-SUCH-POLICY');
});
