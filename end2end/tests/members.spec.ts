// Members: invitations, passwords, roles and removal. The pages also work without scripts.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.js';
import type { TestEnv } from '../support/fixtures.js';

async function invite(page: Page, email: string, name: string, role: string): Promise<void> {
  await page.locator('summary', { hasText: 'Invite member' }).click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption(role);
  await page.getByLabel('Name, for a new account').fill(name);
  await page.getByRole('button', { name: 'Invite member' }).click();
}

async function openMembers(page: Page, env: TestEnv): Promise<void> {
  await page.context().clearCookies();
  await env.signIn(page, env.server.admin);
  await page.goto(env.path('members'));
}

async function openInvitations(page: Page): Promise<void> {
  const tabs = page.getByRole('navigation', { name: 'Members', exact: true });
  await tabs.getByRole('link', { name: 'Invitations' }).click();
}

function newEmail(): string {
  return `ada-${randomUUID().slice(0, 8)}@example.com`;
}

test('an invited user chooses a password with a one-time setup link', async ({ page, env }) => {
  const email = newEmail();
  await openMembers(page, env);
  await invite(page, email, 'Ada', 'author');
  const note = page.getByRole('status').filter({ hasText: `${email} can choose a password` });
  const link = (await note.locator('code').textContent()) ?? '';
  await page.reload();
  await openInvitations(page);
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
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inbox');
  await expect(page.getByRole('link', { name: 'Members' })).toHaveCount(0);

  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByText('This link has expired or was already used.')).toBeVisible();
  await expect(page.getByLabel('Password')).toHaveCount(0);
});

test('the role of a member is changed, and the member is removed', async ({ page, env }) => {
  const { email } = await env.server.createUser(`bo-${randomUUID().slice(0, 8)}`, 'viewer');
  await openMembers(page, env);
  await page.getByRole('link', { name: `Change the role of ${email}` }).click();
  const role = page.getByRole('combobox', { name: 'Role', exact: true });
  await expect(role).toHaveValue('viewer');
  await role.selectOption('ratifier');
  await page.getByRole('button', { name: 'Change role' }).click();
  await expect(page).toHaveURL(env.path('members'));
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Ratifier');
  const members = await env.server.api('GET', '/v1/admin/members');
  const member = members.items.find((member: { email: string }) => member.email === email);
  expect(member.role).toBe('ratifier');

  await page.getByRole('link', { name: `Remove ${email}` }).click();
  await page.getByRole('button', { name: 'Remove member' }).click();
  await expect(page).toHaveURL(env.path('members'));
  await expect(page.getByRole('status').filter({ hasText: 'Member removed.' })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: email })).toHaveCount(0);
});

test('journey 12: a member is removed in three steps, and another admin takes the API keys over', { tag: '@firefox' }, async ({
  page,
  env,
}) => {
  const user = await env.server.createUser(`key-owner-${randomUUID().slice(0, 8)}`, 'admin');
  const body = { name: 'Payroll run', scopes: ['policies:read'] };
  const { key } = await env.server.apiAs(user, 'POST', '/v1/api-keys', body);
  await openMembers(page, env);
  // Step 1 opens the page, step 2 selects what happens to the keys, step 3 confirms.
  await page.getByRole('link', { name: `Remove ${user.email}` }).click();
  await expect(page.getByText('1 API key will be revoked, unless you transfer it')).toBeVisible();
  const choice = page.getByLabel('What happens to these API keys');
  await expect(choice).toHaveValue('');
  const receiver = await choice.locator('option', { hasText: env.server.admin.email }).getAttribute('value');
  await choice.selectOption(receiver);
  await page.getByRole('button', { name: 'Remove member' }).click();
  await expect(page).toHaveURL(env.path('members'));
  const { items } = await env.server.api('GET', '/v1/api-keys?limit=200');
  const transferred = items.find((item: { id: string }) => item.id === key.id);
  expect([transferred.is_active, transferred.created_by]).toEqual([true, receiver]);
});

test('a user without an account is invited by email and accepts with the link', async ({ page, env }) => {
  const email = newEmail();
  await openMembers(page, env);
  await invite(page, email, '', 'viewer');
  await expect(page.getByRole('status').filter({ hasText: `${email} is invited.` })).toBeVisible();
  await openInvitations(page);
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Invited');

  // In development without a mail server, the service lists emails instead of sending them.
  const mail = page.getByRole('article').filter({ hasText: email });
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(mail).toContainText('Invitation to');
  }).toPass();
  await page.context().clearCookies();
  await mail.getByRole('link', { name: /\/setup\?token=/ }).click();
  await page.getByLabel('Password').fill('seven wild geese over the bay');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByRole('status')).toHaveText('Your password is set. Sign in with it.');
  await openMembers(page, env);
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Viewer');
});

test('a forgotten password is reset with an emailed link', async ({ page, env }) => {
  const email = newEmail();
  await openMembers(page, env);
  await invite(page, email, 'Cy', 'viewer');
  const note = page.getByRole('status').filter({ hasText: email });
  const link = (await note.locator('code').textContent()) ?? '';
  const choose = async (password: string) => {
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await expect(page.getByRole('status')).toHaveText('Your password is set. Sign in with it.');
  };
  await page.context().clearCookies();
  await page.goto(link);
  await choose('seven wild geese over the bay');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('status')).toContainText('If an account uses this email, a link has been sent.');
  const mail = page.getByRole('article').filter({ hasText: email }).filter({ hasText: 'Reset your Govern password' });
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(mail).toHaveCount(1);
  }).toPass();
  await mail.getByRole('link').first().click();
  await choose('eight tame ducks under the bridge');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('eight tame ducks under the bridge');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
});
