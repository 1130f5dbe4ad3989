// Navigation between pages.

import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('Back restores the scroll position of a list', async ({ page, env }) => {
  await page.goto(env.path('decisions'));
  await page.evaluate(() => {
    const store = () => sessionStorage.setItem('clickedAt', String(scrollY));
    addEventListener('click', store, { capture: true, once: true });
  });
  await page.getByRole('rowheader').getByRole('link').last().click();
  await expect(page).toHaveURL(/\/decisions\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Decisions');
  const position = () => page.evaluate(() => [scrollY, Number(sessionStorage.getItem('clickedAt'))]);
  const [, clickedAt] = await position();
  expect(clickedAt).toBeGreaterThan(400);
  await expect.poll(position).toEqual([clickedAt, clickedAt]);
});
