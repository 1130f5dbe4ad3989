import { expect, test as base } from '../support/fixtures.js';
import { freePort } from '../support/govern.js';
import { createRecord, IdentityProvider } from '../support/identity-provider.js';
import type { Page } from '@playwright/test';

const test = base.extend<{ provider: IdentityProvider }>({
  provider: async ({ env }, use, info) => {
    const provider = await IdentityProvider.start(env.server, `Acme SSO ${info.testId}`);
    await use(provider);
    await provider.stop();
  },
});

/** Signs a person in with the provider, from the sign-in page of the tenant. */
async function signIn(page: Page, provider: Pick<IdentityProvider, 'record'>, person: string): Promise<void> {
  await page.goto(`/login?tenant=${provider.record.tenant_id}`);
  await page.getByRole('link', { name: `Sign in with ${provider.record.name}` }).click();
  await page.locator('input[name=login]').fill(person);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('the first sign-in creates a member who ratifies, and signing out ends both sessions', async ({ page, env, provider }) => {
  const policy = await env.submittedPolicy();
  await signIn(page, provider, 'grace');
  await expect(page).toHaveURL(env.path('inbox'));

  await page.goto(policy.versionPath);
  await page.getByRole('link', { name: 'Ratify v1' }).click();
  await page.getByLabel(/^I have read the 2 rules/).check();
  await page.getByRole('button', { name: 'Sign and ratify v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is ratified.' })).toBeVisible();
  const approval = await env.server.api('GET', `/v1/policies/${policy.id}/versions/1/approval`);
  expect(approval.approval.ratifier).toMatchObject({ role: 'ratifier', auth_method: 'oidc' });

  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page).toHaveURL(`/login?tenant=${env.server.tenantId}`);
  await page.goto(env.path('policies'));
  await expect(page).toHaveURL(/\/login\?next=/);
  // The provider asks for the password again, and the browser still shows the provider of its last sign-in.
  await page.getByRole('link', { name: `Sign in with ${provider.record.name}` }).click();
  await expect(page.locator('input[name=password]')).toBeVisible();
});

test('a sign-out at the provider ends the session of Govern', async ({ page, env, provider }) => {
  await signIn(page, provider, 'heidi');
  await expect(page).toHaveURL(env.path('inbox'));
  await page.goto(`${provider.issuer}/session/end`);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page.getByText('Sign-out Success')).toBeVisible();
  await page.goto(env.path('inbox'));
  await expect(page).toHaveURL(/\/login\?next=/);
});

test('a person without a role is refused with the reason', async ({ page, provider }) => {
  await signIn(page, provider, 'visitor');
  await expect(page.getByRole('alert').filter({ hasText: 'gives you no role in this organization' })).toBeVisible();
});

test('a provider that is down is reported on the sign-in page', async ({ page, env }) => {
  const record = await createRecord(env.server, 'Broken SSO', `http://localhost:${await freePort()}`);
  await page.goto(`/login?tenant=${record.tenant_id}`);
  await page.getByRole('link', { name: 'Sign in with Broken SSO' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The identity provider is not available.' })).toBeVisible();
  await expect(page.getByLabel('Password')).toBeVisible();
});

test('a changed provider keeps its issuer and its secret', async ({ page, env, provider }) => {
  await env.signIn(page, env.server.admin);
  await page.goto(env.path('settings/identity-providers'));
  const { name, issuer } = provider.record;
  const address = `${env.server.url}/login?tenant=${env.server.tenantId}`;
  await expect(page.getByRole('link', { name: address })).toHaveAttribute('href', address);
  await page.getByRole('link', { name: new RegExp(`^Edit: .*${name}`) }).click();
  await expect(page.getByLabel('Issuer')).toHaveValue(issuer);
  await expect(page.getByLabel('Issuer')).not.toBeEditable();
  await expect(page.getByLabel('New client secret')).toHaveValue('');
  await expect(page.getByLabel('Roles of the values')).toHaveValue('ops = ratifier');
  await page.getByLabel('Roles of the values').fill('ops');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByLabel('Roles of the values')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Name on the button').fill(`${name} changed`);
  await page.getByLabel('Roles of the values').fill('ops = auditor');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page).toHaveURL(env.path('settings/identity-providers'));
  await expect(page.getByRole('row').filter({ hasText: `${name} changed` })).toContainText('ops: auditor');

  // The provider requires the stored secret, so this sign-in fails without it.
  await page.context().clearCookies();
  await signIn(page, { record: { ...provider.record, name: `${name} changed` } }, 'ivan');
  await expect(page).toHaveURL(`/t/${env.server.tenantId}`);
});
