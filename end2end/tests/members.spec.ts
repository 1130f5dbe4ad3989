// Members: somebody is invited, chooses a password, gets a role, and is removed. It must work without
// scripts too.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/world.js';
import type { World } from '../support/world.js';

async function invite(page: Page, email: string, name: string, role: string): Promise<void> {
  await page.locator('summary', { hasText: 'Invite somebody' }).click();
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption(role);
  await page.getByLabel('Name, for a new account').fill(name);
  await page.getByRole('button', { name: 'Invite somebody' }).click();
}

async function members(page: Page, world: World): Promise<void> {
  await page.context().clearCookies();
  await world.signIn(page, world.govern.admin);
  await page.goto(world.path('members'));
}

function address(): string {
  return `ada-${randomUUID().slice(0, 8)}@example.com`;
}

test('an invited person chooses a password by a link that works once', async ({ page, world }) => {
  const email = address();
  await members(page, world);
  await invite(page, email, 'Ada', 'author');
  const note = page.getByRole('status').filter({ hasText: `${email} is a member` });
  const link = (await note.locator('code').textContent()) ?? '';
  await page.reload();
  await expect(page.getByRole('rowheader', { name: email })).toBeVisible();
  expect(await page.content()).not.toContain(link);

  const choose = async (password: string) => {
    await page.goto(link);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
  };
  await page.context().clearCookies();
  await choose('too short');
  await expect(page.getByRole('alert')).toContainText('Password: must have at least 12 characters.');
  const password = 'seven wild geese over the bay';
  await choose(password);
  await expect(page.getByRole('status')).toHaveText('Your password is set. Sign in with it.');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inbox');
  await expect(page.getByRole('link', { name: 'Members' })).toHaveCount(0);

  await page.context().clearCookies();
  await choose('another seven wild geese');
  await expect(page.getByRole('alert')).toContainText('This link was used');
});

test('a role is changed in its row, and a member is removed', async ({ page, world }) => {
  const email = address();
  await members(page, world);
  await invite(page, email, 'Bo', 'viewer');
  const role = page.getByLabel(`Role of ${email}`, { exact: true });
  await expect(role).toHaveValue('viewer');
  await role.selectOption('ratifier');
  await page.getByRole('button', { name: `Change the role of ${email}` }).click();
  await expect(role).toHaveValue('ratifier');
  const listed = await world.govern.api('GET', '/v1/admin/members');
  const member = listed.items.find((member: { email: string }) => member.email === email);
  expect(member.role).toBe('ratifier');

  await page.getByRole('link', { name: `Remove ${email}` }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page).toHaveURL(world.path('members'));
  await expect(page.getByRole('rowheader', { name: email })).toHaveCount(0);
});

test('what is refused says why', async ({ page, world }) => {
  await members(page, world);
  const email = address();
  await invite(page, email, '', 'viewer');
  await expect(page.getByRole('alert')).toContainText('Nobody has an account with this address.');
  await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue(email);

  await page.goto(world.path('members'));
  const me = world.govern.admin.email;
  await page.getByLabel(`Role of ${me}`, { exact: true }).selectOption('viewer');
  await page.getByRole('button', { name: `Change the role of ${me}` }).click();
  await expect(page.getByRole('alert')).toContainText('last admin');
});
