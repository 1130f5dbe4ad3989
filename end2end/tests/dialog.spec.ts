import { procurementPath } from '../support/pages.js';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('with scripts, an action opens in a dialog that Escape closes', async ({ page, env }) => {
  const version = `${await procurementPath(env)}/versions/2`;
  await page.goto(version);
  const ratify = page.getByRole('link', { name: 'Ratify v2' });
  const dialog = page.getByRole('dialog');
  // Before hydration, the link opens the page of the action.
  await expect(async () => {
    await page.goto(version);
    await ratify.click();
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page).toHaveURL(version);
  await expect(dialog.getByRole('button', { name: 'Sign and ratify v2' })).toBeVisible();

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(ratify).toBeFocused();
});

test('keyboard shortcuts open a policy from the decision list', async ({ page, env }) => {
  await page.goto(env.path('decisions'));
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await expect(page).toHaveURL(env.path('policies'), { timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/policies\/[0-9a-f-]{36}$/);
});
