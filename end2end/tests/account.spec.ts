// The account page of the signed-in user. It also works without scripts.

import { expect, test } from '../support/fixtures.js';

test('the account page lists sessions and ends one or all others', async ({ page, browser, env }, { project }) => {
  const user = await env.server.createUser(`own-sessions-${project.name}`, 'author');
  const openPage = async (userAgent: string) => (await browser.newContext({ userAgent })).newPage();
  const [phone, tablet] = await Promise.all([openPage('Phone/1'), openPage('Tablet/1')]);
  for (const session of [page, phone, tablet]) await env.signIn(session, user);
  const isSignedIn = async (session: typeof page) => {
    await session.goto(env.path('policies'));
    return (await session.getByRole('heading', { level: 1 }).textContent()) === 'Policies';
  };

  await page.goto('/account');
  const sessions = page.getByRole('table', { name: 'Active sessions' });
  await expect(sessions.getByRole('row')).toHaveCount(4);
  await expect(sessions.getByRole('row', { name: 'This session' })).toHaveCount(1);
  await sessions.getByRole('row', { name: 'Phone/1' }).getByRole('button').click();
  await expect(sessions.getByRole('row', { name: 'Phone/1' })).toHaveCount(0);
  expect(await isSignedIn(phone)).toBe(false);
  expect(await isSignedIn(tablet)).toBe(true);

  await page.getByRole('button', { name: 'End other sessions' }).click();
  await expect(sessions.getByRole('row')).toHaveCount(2);
  expect(await isSignedIn(tablet)).toBe(false);
  expect(await isSignedIn(page)).toBe(true);
});

test('times are in the time zone of the account; an unknown time zone is shown with its error', async ({
  page,
  env,
}, { project }) => {
  const user = await env.server.createUser(`own-zone-${project.name}`, 'author');
  await env.signIn(page, user);
  await page.goto('/account');
  const zone = page.getByLabel('Time zone', { exact: true });
  await expect(zone).toHaveValue('UTC');
  const save = async (name: string) => {
    await zone.fill(name);
    await page.getByRole('button', { name: 'Save time zone' }).click();
  };

  await save('Europe/Berlim');
  await expect(zone).toHaveAttribute('aria-invalid', 'true');
  await expect(zone).toHaveValue('Europe/Berlim');
  await expect(zone).toHaveAccessibleDescription(/name of a time zone/);

  await save('europe/berlin');
  await expect(page.getByRole('status')).toContainText('Time zone saved.');
  await expect(zone).toHaveValue('Europe/Berlin');
  const lastUsed = page.getByRole('table', { name: 'Active sessions' }).locator('time').first();
  await expect(lastUsed).toHaveText('just now');
  await expect(lastUsed).toHaveAttribute('title', / CES?T$/);
  await expect(lastUsed).toHaveAttribute('datetime', /Z$/);

  await env.recordDecision(`zone ${project.name}`);
  await page.goto(env.path('decisions'));
  await expect(page.getByRole('columnheader', { name: 'Time (Europe/Berlin)' })).toBeVisible();
  await page.getByRole('rowheader').getByRole('link').first().click();
  await expect(page.getByText(/\d{2}:\d{2}:\d{2}\.\d{3} CES?T/).first()).toBeVisible();
});
