// API keys: the secret is shown once, and revocation takes effect immediately. The page also works without
// scripts.

import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => {
  await env.signIn(page, env.server.admin);
  await page.goto(env.path('keys'));
});

/** Creates an API key through the form and returns its secret. */
async function create(page: Page, name: string): Promise<string> {
  await page.locator('summary', { hasText: 'Create API key' }).click();
  await page.getByLabel('Name, such as the service that uses it').fill(name);
  await page.getByRole('checkbox', { name: /policies:read/ }).check();
  await page.getByRole('button', { name: 'Create API key' }).click();
  const note = page.getByRole('status').filter({ hasText: `API key ${name} created.` });
  return (await note.locator('code').textContent()) ?? '';
}

test('a new API key is shown once and authenticates until it is revoked', async ({ page, env }) => {
  const name = `billing ${test.info().project.name}`;
  const secret = await create(page, name);
  expect(secret).toMatch(/^svc_[\w-]{43}$/);
  await expect(page).toHaveURL(env.path('keys'));
  const call = () =>
    fetch(`${env.server.url}/v1/policies`, {
      headers: { authorization: `Bearer ${secret}`, 'x-service-tenant-id': env.server.tenantId },
    });
  expect((await call()).status).toBe(200);

  await page.reload();
  await expect(page.getByRole('rowheader', { name })).toBeVisible();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('link', { name: `Revoke ${name}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Revoke ${name}`);
  await expect(page.getByText('This cannot be undone.')).toBeVisible();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect(page).toHaveURL(env.path('keys'));
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row.getByText('Revoked', { exact: true })).toBeVisible();
  await expect(row.getByRole('link', { name: `Revoke ${name}` })).toHaveCount(0);
  expect((await call()).status).toBe(401);
});
