import { procurementPath } from '../support/pages.js';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('with scripts, an action opens in a dialog that Escape closes', async ({ page, env }) => {
  const version = `${await procurementPath(env)}/versions/2`;
  await page.goto(version);
  const ratify = page.getByRole('link', { name: 'Ratify v2' });
  const dialog = page.getByRole('dialog');
  const close = [() => page.keyboard.press('Escape'), () => dialog.getByRole('link', { name: 'Cancel' }).click()];
  for (const closeDialog of close) {
    await ratify.click();
    await expect(dialog.getByRole('button', { name: 'Sign and ratify v2' })).toBeVisible();
    await closeDialog();
    await expect(dialog).toBeHidden();
    await expect(ratify).toBeFocused();
  }
  await expect(page).toHaveURL(version);
});

test('keyboard shortcuts open a policy from the decision list', async ({ page, env }) => {
  await page.goto(env.path('decisions'));
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page).toHaveURL(env.path('policies'));
  await page.waitForLoadState(); // the script of the page is loaded
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/policies\/[0-9a-f-]{36}$/);
});
