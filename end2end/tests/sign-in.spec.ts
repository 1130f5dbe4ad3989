import { expect, test } from '../support/world.js';
import type { Page } from '@playwright/test';

async function fill(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a wrong password is refused without saying which part was wrong', async ({ page, world }) => {
  await page.goto('/login');
  await fill(page, world.govern.admin.email, 'not the password');
  const said = page.getByRole('alert');
  await expect(said).toHaveText('The e-mail address or the password is wrong.');
  await expect(page.getByLabel('E-mail')).toHaveValue(world.govern.admin.email);

  await fill(page, 'nobody@acme.example', 'not the password');
  await expect(said).toHaveText('The e-mail address or the password is wrong.');
});

test('the right password leads to the tenant, and signing out leads out', async ({ page, world }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/login/);
  await fill(page, world.govern.admin.email, world.govern.admin.password);
  await expect(page).toHaveURL(world.path('inbox'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inbox');

  await page.getByRole('button', { name: 'admin', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');

  await page.goto(world.path('policies'));
  await expect(page).toHaveURL(/\/login\?next=/);
});

test('signing in leads on to the page that was asked for', async ({ page, world }) => {
  const wanted = world.path('decisions?verdict=DENY');
  await page.goto(wanted);
  await expect(page).toHaveURL(/\/login\?next=/);
  await fill(page, world.govern.admin.email, world.govern.admin.password);
  await expect(page).toHaveURL(wanted);
});

for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
  test(`signing in does not lead on to ${next}`, async ({ page, world }) => {
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await fill(page, world.govern.admin.email, world.govern.admin.password);
    await expect(page).toHaveURL(world.path('inbox'));
  });
}
