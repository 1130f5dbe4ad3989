import { procurement } from '../support/pages.js';
import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

test('where scripts run, an act opens over its page and Escape leads back', async ({ page, world }) => {
  const version = `${await procurement(world)}/versions/2`;
  await page.goto(version);
  const ratify = page.getByRole('link', { name: 'Ratify v2' });
  const dialog = page.getByRole('dialog');
  // The link leads to the page of the act until the module is awake.
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

test('the keyboard alone leads from the list to a policy', async ({ page, world }) => {
  await page.goto(world.path('decisions'));
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await expect(page).toHaveURL(world.path('policies'), { timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/policies\/[0-9a-f-]{36}$/);
});
