// API keys: the secret is seen once, and a revoked key is out at once. It must work without scripts too.

import type { Page } from '@playwright/test';
import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => {
  await world.signIn(page, world.govern.admin);
  await page.goto(world.path('keys'));
});

async function create(page: Page, name: string): Promise<string> {
  await page.locator('summary', { hasText: 'Create a key' }).click();
  await page.getByLabel('Name, such as the service that uses it').fill(name);
  await page.getByRole('checkbox', { name: /policies:read/ }).check();
  await page.getByRole('button', { name: 'Create a key' }).click();
  const note = page.getByRole('status').filter({ hasText: `The key ${name} is made.` });
  return (await note.locator('code').textContent()) ?? '';
}

test('a new key is shown once, and opens the door until it is revoked', async ({ page, world }) => {
  const name = `billing ${test.info().project.name}`;
  const secret = await create(page, name);
  expect(secret).toMatch(/^svc_[\w-]{43}$/);
  await expect(page).toHaveURL(world.path('keys'));
  const call = () =>
    fetch(`${world.govern.url}/v1/policies`, {
      headers: { authorization: `Bearer ${secret}`, 'x-service-tenant-id': world.govern.tenant },
    });
  expect((await call()).status).toBe(200);

  await page.reload();
  await expect(page.getByRole('rowheader', { name })).toBeVisible();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('link', { name: `Revoke ${name}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Revoke ${name}`);
  await expect(page.getByText('That is final')).toBeVisible();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect(page).toHaveURL(world.path('keys'));
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row.getByText('Revoked', { exact: true })).toBeVisible();
  await expect(row.getByRole('link', { name: `Revoke ${name}` })).toHaveCount(0);
  expect((await call()).status).toBe(401);
});

test('a form that is sent twice makes one key', async ({ page, world }) => {
  const name = `twice ${test.info().project.name}`;
  await page.locator('summary', { hasText: 'Create a key' }).click();
  await page.getByLabel('Name, such as the service that uses it').fill(name);
  await page.getByRole('checkbox', { name: /policies:read/ }).check();
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Create a key' }) });
  const fields = await form.locator('input[type=hidden]').evaluateAll((inputs) =>
    inputs.map((input) => [(input as HTMLInputElement).name, (input as HTMLInputElement).value]),
  );
  await page.getByRole('button', { name: 'Create a key' }).click();
  await expect(page.getByRole('status').filter({ hasText: `The key ${name} is made.` })).toBeVisible();
  // The same form once more, as a press on the way to the answer sends it.
  await page.request.post('/console/create-key', {
    headers: { origin: world.govern.url, accept: 'text/html' },
    form: Object.fromEntries([...fields, ['name', name], ['scopes[]', 'policies:read']]),
  });
  await page.goto(world.path('keys'));
  await expect(page.getByRole('rowheader', { name })).toHaveCount(1);
});

test('a key without a scope is refused, and what was typed stays', async ({ page }) => {
  await page.locator('summary', { hasText: 'Create a key' }).click();
  await page.getByLabel('Name, such as the service that uses it').fill('payroll');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await expect(page.getByRole('alert')).toContainText('Scopes: tick at least one.');
  await expect(page.getByLabel('Name, such as the service that uses it')).toHaveValue('payroll');
  await expect(page.getByRole('rowheader', { name: 'payroll' })).toHaveCount(0);
});
