// Passkeys, with the virtual authenticator of Chromium. They belong to a host name, so the server has one.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { accessibilityViolations, findOverflow, loadAxe } from '../support/accessibility.js';
import { expect, test, type TestEnv } from '../support/fixtures.js';
import type { TestUser } from '../support/govern.js';
import { addAuthenticator, totp } from '../support/second-factor.js';

test.use({ host: 'localhost' });

/** Signs a new user in with the password. */
async function signInAsNewUser(page: Page, env: TestEnv, role: string): Promise<TestUser> {
  const user = await env.server.createUser(`passkey-${randomUUID().slice(0, 8)}`, role);
  await env.signIn(page, user);
  return user;
}

/** Adds a passkey with the form of the current page, and leaves the page with the recovery codes. */
async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name of the new passkey').fill(name);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Save your recovery codes');
  await page.getByRole('link', { name: 'I have saved the codes' }).click();
}

async function addFirstPasskey(page: Page, name: string): Promise<void> {
  await page.goto('/account');
  await addPasskey(page, name);
  await expect(page.getByRole('status').filter({ hasText: 'Passkey added.' })).toBeVisible();
}

async function openSignIn(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/login');
}

/** Returns the way in which the session of the page was started. */
async function authMethod(page: Page): Promise<string> {
  const response = await page.request.get('/v1/session');
  expect(response.status()).toBe(200);
  return (await response.json()).auth_method;
}

test('a passkey is added, renamed, used after the password, and removed', async ({ page, env }) => {
  await addAuthenticator(page);
  const user = await signInAsNewUser(page, env, 'operator');
  await page.goto('/account');
  await expect(page.getByText('No passkeys', { exact: true })).toBeVisible();
  await addFirstPasskey(page, 'Laptop');
  const passkeys = page.getByRole('table', { name: 'Passkeys' });
  await expect(passkeys.getByRole('rowheader', { name: 'Laptop' })).toBeVisible();
  const row = passkeys.getByRole('row').nth(1);
  await expect(row).toContainText('Never');

  await row.locator('summary', { hasText: 'Rename' }).click();
  await row.getByLabel('New name').fill('Work laptop');
  await row.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Passkey renamed.' })).toBeVisible();
  await expect(passkeys.getByRole('rowheader', { name: 'Work laptop' })).toBeVisible();

  // The authenticator has a passkey of the account already.
  await page.getByLabel('Name of the new passkey').fill('Again');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const alert = page.locator('#security [role=alert]');
  await expect(alert).toHaveText('This device already has a passkey for your account.');

  await openSignIn(page);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm that it is you');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(env.path('inbox'));
  expect(await authMethod(page)).toBe('password+passkey');

  await page.goto('/account');
  await expect(row).not.toContainText('Never');
  await row.locator('summary', { hasText: 'Remove' }).click();
  await row.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Passkey removed.' })).toBeVisible();
  await expect(page.getByText('No passkeys', { exact: true })).toBeVisible();
});

test('a passkey signs in without a password, and a removed one does not', async ({ page, env }) => {
  await addAuthenticator(page);
  await signInAsNewUser(page, env, 'operator');
  await addFirstPasskey(page, 'Phone');
  await openSignIn(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(env.path('inbox'));
  expect(await authMethod(page)).toBe('passkey');

  const { passkeys } = await (await page.request.get('/v1/session/second-factors')).json();
  expect((await page.request.delete(`/v1/session/passkeys/${passkeys[0].id}`, { headers: env.program })).status()).toBe(204);
  await openSignIn(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The passkey was not accepted.' })).toBeVisible();
});

test('the browser offers passkeys in the field of the email', async ({ page, env }) => {
  await addAuthenticator(page, true);
  await signInAsNewUser(page, env, 'operator');
  await addFirstPasskey(page, 'Autofill');
  await page.context().clearCookies();
  await page.goto('/login').catch(() => null); // the authenticator confirms while the page is loaded
  await expect(page).toHaveURL(env.path('inbox'));
  expect(await authMethod(page)).toBe('passkey');
});

test('a passkey confirms the identity, and an approval names it', async ({ page, env }) => {
  const setUserVerified = await addAuthenticator(page);
  await signInAsNewUser(page, env, 'ratifier');
  await addFirstPasskey(page, 'Key of the ratifier');
  await openSignIn(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(env.path('inbox'));

  const policy = await env.submittedPolicy();
  const ratify = `${policy.versionPath}/ratify`;
  await page.goto(`/login/confirm?next=${encodeURIComponent(ratify)}`);
  const usePasskey = page.getByRole('button', { name: 'Use a passkey' });
  await setUserVerified(false);
  await usePasskey.click();
  await expect(page.getByRole('alert').filter({ hasText: /passkey/ })).toBeVisible();
  await setUserVerified(true);
  await usePasskey.click();
  await expect(page).toHaveURL(ratify);
  await page.getByLabel(/^I have read the 2 rules/).check();
  await page.getByRole('button', { name: 'Sign and ratify v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is ratified.' })).toBeVisible();
  const { approval } = await env.server.api('GET', `/v1/policies/${policy.id}/versions/1/approval`);
  expect(approval.ratifier).toMatchObject({ role: 'ratifier', auth_method: 'passkey' });
});

test('an expired session is renewed over the page with a passkey', async ({ page, env }) => {
  await addAuthenticator(page);
  await signInAsNewUser(page, env, 'operator');
  await addFirstPasskey(page, 'Renewal');
  await page.clock.install();
  await page.goto(env.path('webhooks/new'));
  await page.getByLabel('URL').fill('https://typed.example/');
  await page.request.delete('/v1/session', { headers: env.program });
  await page.clock.fastForward(31 * 60_000);
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('URL')).toHaveValue('https://typed.example/');
  expect(await authMethod(page)).toBe('passkey');
});

test('a tenant that requires a second factor asks its members to add one', async ({ page, browser, env }) => {
  await addAuthenticator(page);
  await signInAsNewUser(page, env, 'admin');
  await addFirstPasskey(page, 'Key of the admin');
  const context = await browser.newContext({ baseURL: env.server.url });
  const member = await context.newPage();
  await signInAsNewUser(member, env, 'operator');
  await page.goto(env.path('settings'));
  await page.getByRole('button', { name: 'Second factor: Turn on…' }).click();
  await page.getByLabel('Reason').fill('passwords are not enough');
  await page.getByRole('button', { name: 'Save change' }).click();
  await expect(page).toHaveURL(env.path('settings'));
  try {
    const policies = env.path('policies');
    await member.goto(policies);
    await expect(member.getByRole('heading', { level: 1 })).toHaveText('Add a second factor');
    await expect(member.getByText(/requires a second factor, in addition to your password\./)).toBeVisible();
    await loadAxe(member);
    expect(await accessibilityViolations(member)).toEqual([]);
    await member.setViewportSize({ width: 320, height: 900 });
    expect(await findOverflow(member)).toEqual([]);

    await member.getByRole('button', { name: 'Set up authenticator app' }).click();
    const secret = (await member.locator('main code').textContent()) ?? '';
    await member.getByLabel('Code from your authenticator app').fill(totp(secret));
    await member.getByRole('button', { name: 'Confirm code' }).click();
    await member.getByRole('link', { name: 'I have saved the codes' }).click();
    await expect(member).toHaveURL(policies);
    await expect(member.getByRole('heading', { level: 1 })).toHaveText('Policies');
  } finally {
    const response = await page.request.patch('/v1/settings', {
      data: { second_factor_required: false },
      headers: { 'x-service-tenant-id': env.server.tenantId },
    });
    expect(response.status()).toBe(200);
    await context.close();
  }
});
