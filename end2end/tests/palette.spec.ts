// The command palette: keys, results and focus.

import type { Route } from '@playwright/test';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('the palette finds a policy and opens it with the keyboard', { tag: '@firefox' }, async ({ page, env }) => {
  await page.goto(env.path('decisions'));
  const palette = page.getByRole('dialog', { name: 'Search and actions' });
  const field = palette.getByRole('combobox');
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await field.fill('procurement');
  const policy = palette.getByRole('option', { name: /^Public procurement: award/ }).first();
  await expect(policy).toBeVisible();
  await expect(field).toHaveAttribute('aria-expanded', 'true');

  // The arrow keys move the current option, and the focus stays in the field.
  const current = palette.locator('[aria-selected=true]');
  await expect(current).toHaveCount(1);
  const first = await current.getAttribute('id');
  expect(await field.getAttribute('aria-activedescendant')).toBe(first);
  await page.keyboard.press('ArrowDown');
  expect(await current.getAttribute('id')).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  expect(await current.getAttribute('id')).toBe(first);
  await expect(field).toBeFocused();

  await field.fill('PUBLIC-PROCUREMENT');
  await expect(palette.getByRole('status')).toHaveText(/result/);
  await expect(current).toContainText('PUBLIC-PROCUREMENT');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Public procurement/);
  await expect(palette).toBeHidden();
});

test('Ctrl+K opens the palette also in a field, and Escape returns the focus', async ({ page, env }) => {
  await page.goto(env.path('policies'));
  const palette = page.getByRole('dialog', { name: 'Search and actions' });
  const filter = page.getByLabel('Name or code');
  await filter.click();
  await page.keyboard.type('a/b');
  await expect(palette).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await palette.getByRole('combobox').fill('new api');
  await expect(palette.getByRole('option', { name: 'New API key' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(filter).toBeFocused();
  await expect(filter).toHaveValue('a/b');
});

test('a pasted ID opens its decision before its results arrive', { tag: '@firefox' }, async ({ page, env }) => {
  const [decision] = await env.listDecisions('&decision=ALLOW');
  const requests: Route[] = [];
  await page.route('**/console/palette', (route) => void requests.push(route));
  await page.goto(env.path('inbox'));
  await page.keyboard.press('Control+k');
  await expect.poll(() => requests.length).toBe(1);
  const field = page.getByRole('dialog').getByRole('combobox');
  await field.fill(decision.id);
  // The results of the empty field arrive late.
  const response = page.waitForResponse('**/console/palette');
  await requests[0]?.continue();
  await (await response).finished();
  await field.press('Enter');
  await expect(page).toHaveURL(env.path(`decisions/${decision.id}`));
});
