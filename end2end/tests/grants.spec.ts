// Authoring capabilities: a program works on one version, its key is shown once, and revocation takes effect
// immediately. The pages also work without scripts.

import type { Page } from '@playwright/test';
import { expect, test, type TestPolicy, type TestEnv } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => {
  await env.signIn(page, env.server.admin);
});

/** Issues a capability through the form and returns its API key. */
async function issue(page: Page, env: TestEnv, policy: TestPolicy, name: string): Promise<string> {
  await page.goto(env.path(`capabilities?version=${policy.id}/1`));
  await expect(page.getByLabel('Version to work on')).toHaveValue(`${policy.id}/1`);
  await page.getByLabel('Name of the program').fill(name);
  await page.getByRole('checkbox', { name: /policy\.read/ }).check();
  await page.getByRole('checkbox', { name: /policy\.draft\.edit/ }).check();
  await page.getByLabel('Maximum writes (optional)').fill('2');
  await page.getByRole('button', { name: 'Issue capability' }).click();
  const note = page.getByRole('status').filter({ hasText: `Capability for ${name} issued.` });
  return (await note.locator('code').textContent()) ?? '';
}

/** Calls `/v1` with the program's key and returns the status, followed by the code of an error. */
async function call(env: TestEnv, key: string, path: string): Promise<string> {
  const response = await fetch(env.server.url + path, {
    headers: { authorization: `Bearer ${key}`, 'x-service-tenant-id': env.server.tenantId },
  });
  const { error } = await response.json();
  return error ? `${response.status} ${error.code}` : String(response.status);
}

test('a capability is issued, carried over to the next draft and revoked', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  const name = `assistant ${policy.code}`;
  const key = await issue(page, env, policy, name);
  expect(key).toMatch(/^svc_[\w-]{43}$/);
  await expect(page).toHaveURL(env.path('capabilities'));
  const version = (number: number) => `/v1/policies/${policy.id}/versions/${number}`;
  expect(await call(env, key, version(1))).toBe('200');

  await page.reload();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row.getByText('Active', { exact: true })).toBeVisible();
  await expect(row.getByText('0 of 2 writes made')).toBeVisible();
  await expect(row.getByRole('link', { name: `Carry over the capability of ${name}` })).toHaveCount(0);
  expect(await page.content()).not.toContain(key);

  await env.replaceFirstVersion(policy);
  await page.reload();
  await row.getByRole('link', { name: `Carry over the capability of ${name}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Carry over the capability of ${name}`);
  await page.getByRole('button', { name: 'Carry over to version 2' }).click();
  await expect(page).toHaveURL(env.path('capabilities'));
  await expect(row.getByRole('link', { name: `${policy.code} v2` })).toBeVisible();
  await expect(row.getByText('2 grants')).toBeVisible();
  expect(await call(env, key, version(2))).toBe('200');
  expect(await call(env, key, version(1))).toBe('403 AUTHORING_CAPABILITY_OUT_OF_SCOPE');

  await row.getByRole('link', { name: `Revoke the capability of ${name}` }).click();
  await expect(page.getByText('This cannot be undone.')).toBeVisible();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect(page).toHaveURL(env.path('capabilities'));
  await expect(row.getByText('Revoked', { exact: true })).toBeVisible();
  await expect(row.getByRole('link', { name: `Revoke the capability of ${name}` })).toHaveCount(0);
  expect(await call(env, key, version(2))).toBe('403 AUTHORING_CAPABILITY_REVOKED');
});

test('an auditor sees capabilities without controls to issue or revoke them', async ({ page, env }) => {
  const name = `audited ${test.info().project.name}`;
  await env.issueCapability(await env.draftPolicy(), name);
  const auditor = await env.server.createUser(`auditor-of-capabilities-${test.info().project.name}`, 'auditor');
  await env.signIn(page, auditor);
  await page.goto(env.path('capabilities'));
  await expect(page.getByRole('rowheader', { name })).toBeVisible();
  await expect(page.getByText('Issue capability')).toHaveCount(0);
  await expect(page.getByRole('link', { name: `Revoke the capability of ${name}` })).toHaveCount(0);
});
