import { expect, test } from '../support/fixtures.js';
import type { Page } from '@playwright/test';

async function submitSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a wrong password and an unknown email show the same error', async ({ page, env }) => {
  await page.goto('/login');
  await submitSignIn(page, env.server.admin.email, 'not the password');
  const error = page.getByRole('alert').filter({ hasText: 'Incorrect email or password.' });
  await expect(error).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(env.server.admin.email);

  await page.goto('/login');
  await submitSignIn(page, 'nobody@acme.example', 'not the password');
  await expect(error).toBeVisible();
});

test('signing in opens the inbox, and signing out ends the session', { tag: '@firefox' }, async ({ page, env }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/login/);
  await submitSignIn(page, env.server.admin.email, env.server.admin.password);
  await expect(page).toHaveURL(env.path('inbox'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inbox');

  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');

  await page.goto(env.path('policies'));
  await expect(page).toHaveURL(/\/login\?next=/);
});

test('signing in redirects to the requested page', async ({ page, env }) => {
  const requested = env.path('decisions?verdict=DENY');
  await page.goto(requested);
  await expect(page).toHaveURL(/\/login\?next=/);
  await submitSignIn(page, env.server.admin.email, env.server.admin.password);
  await expect(page).toHaveURL(requested);
});

for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
  test(`signing in does not redirect to ${next}`, async ({ page, env }) => {
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await submitSignIn(page, env.server.admin.email, env.server.admin.password);
    await expect(page).toHaveURL(env.path('inbox'));
  });
}
