// Second factors without a device: an authenticator app and recovery codes. The pages also work without scripts.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.js';
import type { TestUser } from '../support/govern.js';
import { addAuthenticatorApp, nextTotp, totp } from '../support/second-factor.js';

const newName = (name: string) => `${name}-${randomUUID().slice(0, 8)}`;

/** Signs a user in with the password, up to the page of the second factor. */
async function enterPassword(page: Page, user: TestUser): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/login');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm that it is you');
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code from your authenticator app').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function enterRecoveryCode(page: Page, code: string): Promise<void> {
  const isOpen = await page.getByLabel('Recovery code').isVisible();
  if (!isOpen) await page.locator('summary', { hasText: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Use recovery code' }).click();
}

test('an authenticator app is set up with its key, and its codes sign the user in', async ({ page, env }) => {
  const user = await env.server.createUser(newName('app'), 'operator');
  await env.signIn(page, user);
  await page.goto('/account');
  const security = page.locator('#security');
  await expect(security).toContainText('You get recovery codes when you add your first second factor.');
  await security.getByRole('button', { name: 'Set up authenticator app' }).click();
  await expect(page.getByRole('img', { name: 'QR code of the key for the authenticator app' })).toBeVisible();
  const secret = (await page.locator('main code').textContent()) ?? '';
  const confirm = async (code: string) => {
    await page.getByLabel('Code from your authenticator app').fill(code);
    await page.getByRole('button', { name: 'Confirm code' }).click();
  };
  await confirm('000000');
  await expect(page.getByRole('alert').filter({ hasText: 'Incorrect code.' })).toBeVisible();
  await confirm(totp(secret));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Save your recovery codes');
  await expect(page.getByRole('listitem')).toHaveCount(10);
  await page.getByRole('link', { name: 'I have saved the codes' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Authenticator app set up.' })).toBeVisible();
  await expect(security).toContainText('10 recovery codes left.');
  await page.goto('/account/recovery-codes');
  await expect(page.getByText('The codes are no longer shown.')).toBeVisible();

  await enterPassword(page, user);
  await enterCode(page, '000000');
  await expect(page.getByRole('alert').filter({ hasText: 'Incorrect code.' })).toBeVisible();
  await expect(page.getByLabel('Code from your authenticator app')).toHaveAttribute('aria-invalid', 'true');
  await enterCode(page, nextTotp(secret));
  await expect(page).toHaveURL(env.path('inbox'));
});

test('a recovery code replaces the app once', async ({ page, env }) => {
  const user = await env.server.createUser(newName('recovery'), 'operator');
  const { recoveryCodes } = await addAuthenticatorApp(env.server, user);
  const [code = ''] = recoveryCodes;
  await enterPassword(page, user);
  await enterRecoveryCode(page, code.toUpperCase());
  await expect(page).toHaveURL(env.path('inbox'));
  await page.goto('/account');
  await expect(page.getByText('9 recovery codes left.')).toBeVisible();

  await enterPassword(page, user);
  await enterRecoveryCode(page, code);
  await expect(page.getByRole('alert').filter({ hasText: 'Incorrect recovery code' })).toBeVisible();
});

test('new recovery codes replace the old ones, and removing the app ends the second step', async ({ page, env }) => {
  const user = await env.server.createUser(newName('replace'), 'operator');
  const { secret, recoveryCodes } = await addAuthenticatorApp(env.server, user);
  await enterPassword(page, user);
  await enterCode(page, nextTotp(secret));
  await expect(page).toHaveURL(env.path('inbox'));
  await page.goto('/account');
  await page.locator('summary', { hasText: 'Generate new codes' }).click();
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  const codes = page.getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [code = ''] = await codes.allTextContents();
  expect(recoveryCodes).not.toContain(code);

  await page.getByRole('link', { name: 'I have saved the codes' }).click();
  await page.locator('summary', { hasText: 'Remove authenticator app' }).click();
  await page.getByRole('button', { name: 'Remove authenticator app' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Authenticator app removed.' })).toBeVisible();
  await page.context().clearCookies();
  await page.goto('/login');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(env.path('inbox'));
});

test('an action is confirmed with the password and a code', async ({ page, env }) => {
  const user = await env.server.createUser(newName('confirm'), 'operator');
  const { secret, recoveryCodes } = await addAuthenticatorApp(env.server, user);
  await enterPassword(page, user);
  await enterCode(page, nextTotp(secret));
  await expect(page).toHaveURL(env.path('inbox'));
  await page.goto('/login/confirm?next=/account');
  const confirm = async (code: string) => {
    await page.getByLabel('Password').fill(user.password);
    await page.getByLabel('Code from your authenticator app').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
  };
  await confirm('000000');
  await expect(page.getByRole('alert').filter({ hasText: 'Incorrect password or code.' })).toBeVisible();
  await confirm(recoveryCodes[1] ?? '');
  await expect(page).toHaveURL('/account');
});

test('the step without a password leads back to the sign-in page, and passkeys need scripts', async ({
  page,
}, { project }) => {
  await page.goto('/login/second-factor?next=/account');
  await expect(page).toHaveURL(/\/login\?next=%2Faccount&problem=expired$/);
  await expect(page.getByRole('alert').filter({ hasText: 'The sign-in took too long.' })).toBeVisible();
  const passkey = page.getByRole('button', { name: 'Sign in with a passkey' });
  if (project.name === 'no-scripts') await expect(passkey).toBeHidden();
  else await expect(passkey).toBeVisible();
});

test('an expired session is renewed over the page with the password and a code', async ({ page, env }, { project }) => {
  test.skip(project.name === 'no-scripts', 'the dialog needs scripts');
  const user = await env.server.createUser(newName('dialog'), 'operator');
  const { secret, recoveryCodes } = await addAuthenticatorApp(env.server, user);
  await enterPassword(page, user);
  await enterCode(page, nextTotp(secret));
  await expect(page).toHaveURL(env.path('inbox'));
  await page.clock.install();
  await page.goto(env.path('webhooks/new'));
  await page.getByLabel('URL').fill('https://typed.example/');
  await page.request.delete('/v1/session', { headers: env.program });
  await page.clock.fastForward(31 * 60_000);
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByLabel('Password').fill(user.password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  const code = dialog.getByLabel('Code from your authenticator app, or a recovery code');
  await expect(code).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Use a passkey' })).toBeHidden();
  await code.fill('000000');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Incorrect code.' })).toBeVisible();
  await code.fill(recoveryCodes[0] ?? '');
  await code.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('URL')).toHaveValue('https://typed.example/');
});
