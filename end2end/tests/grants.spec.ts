// Authoring grants: a program works on one version, its key is seen once, and a revoked grant is out at
// once. It must work without scripts too.

import type { Page } from '@playwright/test';
import { expect, test, type MadePolicy, type World } from '../support/world.js';

test.beforeEach(async ({ page, world }) => {
  await world.signIn(page, world.govern.admin);
});

async function issue(page: Page, world: World, policy: MadePolicy, name: string): Promise<string> {
  await page.goto(world.path(`capabilities?version=${policy.id}/1`));
  await expect(page.getByLabel('Version to work on')).toHaveValue(`${policy.id}/1`);
  await page.getByLabel('Name of the program').fill(name);
  await page.getByRole('checkbox', { name: /policy\.read/ }).check();
  await page.getByRole('checkbox', { name: /policy\.draft\.edit/ }).check();
  await page.getByLabel('Writes; empty for any number').fill('2');
  await page.getByRole('button', { name: 'Issue a grant' }).click();
  const note = page.getByRole('status').filter({ hasText: `The grant of ${name} is issued.` });
  return (await note.locator('code').textContent()) ?? '';
}

/** A call of `/v1` with the program's key: its status, and the code of a refusal. */
async function call(world: World, key: string, path: string): Promise<string> {
  const answer = await fetch(world.govern.url + path, {
    headers: { authorization: `Bearer ${key}`, 'x-service-tenant-id': world.govern.tenant },
  });
  const { error } = await answer.json();
  return error ? `${answer.status} ${error.code}` : String(answer.status);
}

test('a grant is issued, carried to the next draft, and revoked', async ({ page, world }) => {
  const policy = await world.draft();
  const name = `assistant ${policy.code}`;
  const key = await issue(page, world, policy, name);
  expect(key).toMatch(/^svc_[\w-]{43}$/);
  await expect(page).toHaveURL(world.path('capabilities'));
  const version = (number: number) => `/v1/policies/${policy.id}/versions/${number}`;
  expect(await call(world, key, version(1))).toBe('200');

  await page.reload();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row.getByText('Live', { exact: true })).toBeVisible();
  await expect(row.getByText('0 of 2 writes made')).toBeVisible();
  await expect(row.getByRole('link', { name: `Carry the grant of ${name}` })).toHaveCount(0);
  expect(await page.content()).not.toContain(key);

  await world.anew(policy);
  await page.reload();
  await row.getByRole('link', { name: `Carry the grant of ${name}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Carry the grant of ${name}`);
  await page.getByRole('button', { name: 'Carry to version 2' }).click();
  await expect(page).toHaveURL(world.path('capabilities'));
  await expect(row.getByRole('link', { name: `${policy.code} v2` })).toBeVisible();
  await expect(row.getByText('2 grants')).toBeVisible();
  expect(await call(world, key, version(2))).toBe('200');
  expect(await call(world, key, version(1))).toBe('403 AUTHORING_CAPABILITY_OUT_OF_SCOPE');

  await row.getByRole('link', { name: `Revoke the grant of ${name}` }).click();
  await expect(page.getByText('That is final')).toBeVisible();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect(page).toHaveURL(world.path('capabilities'));
  await expect(row.getByText('Revoked', { exact: true })).toBeVisible();
  await expect(row.getByRole('link', { name: `Revoke the grant of ${name}` })).toHaveCount(0);
  expect(await call(world, key, version(2))).toBe('403 AUTHORING_CAPABILITY_REVOKED');
});

test('a grant of nothing is refused, and what was typed stays', async ({ page, world }) => {
  const policy = await world.draft();
  await page.goto(world.path(`capabilities?version=${policy.id}/1`));
  await page.getByLabel('Name of the program').fill('idle assistant');
  await page.getByRole('button', { name: 'Issue a grant' }).click();
  await expect(page.getByRole('alert')).toContainText('It may: tick at least one.');
  await expect(page.getByLabel('Name of the program')).toHaveValue('idle assistant');
  await expect(page.getByLabel('Version to work on')).toHaveValue(`${policy.id}/1`);
  await expect(page.getByRole('rowheader', { name: 'idle assistant' })).toHaveCount(0);
});

test('an auditor sees the grants and changes none', async ({ page, world }) => {
  const name = `watched ${test.info().project.name}`;
  await world.grant(await world.draft(), name);
  const auditor = await world.govern.person(`auditor-of-grants-${test.info().project.name}`, 'auditor');
  await world.signIn(page, auditor);
  await page.goto(world.path('capabilities'));
  await expect(page.getByRole('rowheader', { name })).toBeVisible();
  await expect(page.getByText('Issue a grant')).toHaveCount(0);
  await expect(page.getByRole('link', { name: `Revoke the grant of ${name}` })).toHaveCount(0);
});
