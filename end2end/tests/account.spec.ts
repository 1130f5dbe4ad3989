// A person's own account. It must work without scripts too.

import { expect, test } from '../support/world.js';

test('a person changes the password, and is signed out everywhere else', async ({ page, browser, world }, { project }) => {
  const person = await world.govern.person(`own-account-${project.name}`, 'author');
  const elsewhere = await (await browser.newContext()).newPage();
  for (const place of [page, elsewhere]) await world.signIn(place, person);
  await page.goto(world.path('policies'));
  await page.getByRole('button', { name: person.email.split('@')[0] }).click();
  await page.getByRole('link', { name: 'Your account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await expect(page.getByText('Author', { exact: true })).toBeVisible();

  const change = async (current: string, next: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await change('not my password at all', 'a better pass phrase');
  await expect(page.getByRole('alert')).toContainText('The current password is wrong.');
  await change(person.password, 'short');
  await expect(page.getByRole('alert')).toContainText('New password');
  await change(person.password, 'a better pass phrase');
  await expect(page.getByRole('status')).toContainText('You are signed out everywhere but here.');
  await page.goto(world.path('policies'));
  await expect(page.getByRole('heading', { name: 'Policies' })).toBeVisible();
  await elsewhere.goto(world.path('policies'));
  await expect(elsewhere.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a person sees where they are signed in, and ends those sessions', async ({ page, browser, world }, { project }) => {
  const person = await world.govern.person(`own-sessions-${project.name}`, 'author');
  const another = async (userAgent: string) => (await browser.newContext({ userAgent })).newPage();
  const [phone, tablet] = await Promise.all([another('Phone/1'), another('Tablet/1')]);
  for (const place of [page, phone, tablet]) await world.signIn(place, person);
  const isSignedIn = async (place: typeof page) => {
    await place.goto(world.path('policies'));
    return (await place.getByRole('heading', { level: 1 }).textContent()) === 'Policies';
  };

  await page.goto('/account');
  const sessions = page.getByRole('table', { name: 'Active sessions' });
  await expect(sessions.getByRole('row')).toHaveCount(4);
  await expect(sessions.getByRole('row', { name: 'This session' })).toHaveCount(1);
  await sessions.getByRole('row', { name: 'Phone/1' }).getByRole('button').click();
  await expect(sessions.getByRole('row', { name: 'Phone/1' })).toHaveCount(0);
  expect(await isSignedIn(phone)).toBe(false);
  expect(await isSignedIn(tablet)).toBe(true);

  await page.getByRole('button', { name: 'Sign out all other sessions' }).click();
  await expect(sessions.getByRole('row')).toHaveCount(2);
  expect(await isSignedIn(tablet)).toBe(false);
  expect(await isSignedIn(page)).toBe(true);
});
