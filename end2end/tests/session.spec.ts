// The end of a session on an open page. The clock of the page is advanced; the service answers for its own clock, or a
// test answers for it.

import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.js';

const MINUTE_MS = 60_000;

/** Opens a server page with a form, on which the clock of the page can be advanced. */
async function openForm(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await page.goto(path);
  await page.getByLabel('URL').fill('https://typed.example/');
}

/** Answers requests for the time left of the session. */
async function answerTimeLeft(page: Page, idleMs: number, limitMs: number): Promise<void> {
  await page.unroute('**/console/session');
  await page.route('**/console/session', (route) => route.fulfill({ json: { idle_ms: idleMs, limit_ms: limitMs } }));
}

const warning = (page: Page) => page.getByRole('dialog', { name: 'Your session ends in 2 minutes.' });
const signInDialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in' });

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('two minutes before the end, a dialog offers to stay signed in', async ({ page, env }) => {
  await openForm(page, env.path('webhooks/new'));
  await answerTimeLeft(page, 2 * MINUTE_MS - 1, 600 * MINUTE_MS);
  await page.clock.fastForward(27 * MINUTE_MS);
  await expect(warning(page)).toHaveCount(0);
  await page.clock.fastForward(2 * MINUTE_MS);
  await expect(warning(page)).toBeVisible();
  await expect(warning(page).getByRole('heading')).toBeFocused();
  await expect(warning(page).getByRole('button', { name: 'Sign in again' })).toBeHidden();

  // The service has extended the session.
  await page.unroute('**/console/session');
  const request = page.waitForRequest('**/console/stay-signed-in');
  await warning(page).getByRole('button', { name: 'Stay signed in' }).click();
  await request;
  await expect(warning(page)).toHaveCount(0);
  await expect(page.getByLabel('URL')).toHaveValue('https://typed.example/');
});

test('a session that another page extends shows no dialog', async ({ page, env }) => {
  await openForm(page, env.path('webhooks/new'));
  const request = page.waitForResponse('**/console/session');
  await page.clock.fastForward(29 * MINUTE_MS);
  await request;
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('at the absolute limit, the dialog offers to sign in again', async ({ page, env }) => {
  await openForm(page, env.path('webhooks/new'));
  await answerTimeLeft(page, 20 * MINUTE_MS, 2 * MINUTE_MS - 1);
  await page.clock.fastForward(29 * MINUTE_MS);
  await expect(warning(page).getByRole('button', { name: 'Stay signed in' })).toBeHidden();
  await warning(page).getByRole('button', { name: 'Sign in again' }).click();
  await page.unroute('**/console/session');
  await expect(signInDialog(page).getByLabel('Email')).toHaveValue(env.server.admin.email);
  await signInDialog(page).getByLabel('Password').fill(env.server.admin.password);
  await signInDialog(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('URL')).toHaveValue('https://typed.example/');
});

test('an expired session is renewed over the page, and nothing is repeated', { tag: '@firefox' }, async ({ page, env }) => {
  await openForm(page, env.path('webhooks/new'));
  await page.request.delete('/v1/session', { headers: env.program });
  await page.clock.fastForward(31 * MINUTE_MS);
  const dialog = signInDialog(page);
  await expect(dialog).toContainText('Your session has expired. Sign in to continue. Your text is preserved.');
  const password = dialog.getByLabel('Password');
  await expect(password).toBeFocused();

  await password.fill('not the password');
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Incorrect email or password.');
  await expect(password).toHaveValue('');

  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname);
  });
  await password.fill(env.server.admin.password);
  await password.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(env.path('webhooks/new'));
  await expect(page.getByLabel('URL')).toHaveValue('https://typed.example/');
  expect(posts).toEqual(['/console/log-in']);
});

test('a form of an expired session is not sent, and keeps its text', async ({ page, env }) => {
  await openForm(page, env.path('webhooks/new'));
  await page.request.delete('/v1/session', { headers: env.program });
  await page.clock.fastForward(31 * MINUTE_MS);
  await expect(signInDialog(page)).toBeVisible();
  // A browser without `closedby` lets the user close the dialog.
  await page.evaluate(() => document.querySelector<HTMLDialogElement>('dialog[open]')?.close());
  await page.getByLabel('URL').press('Enter');
  await expect(signInDialog(page)).toBeVisible();
  await expect(page).toHaveURL(env.path('webhooks/new'));
  await expect(page.getByLabel('URL')).toHaveValue('https://typed.example/');
});

test('the dialog also opens on a page with hydrated content', async ({ page, env }) => {
  await page.clock.install();
  await page.goto(env.path('settings'));
  await page.request.delete('/v1/session', { headers: env.program });
  await page.clock.fastForward(31 * MINUTE_MS);
  await signInDialog(page).getByLabel('Password').fill(env.server.admin.password);
  await signInDialog(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
});
