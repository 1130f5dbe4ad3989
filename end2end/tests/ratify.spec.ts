import { expect, test } from '../support/world.js';

test('a second person ratifies and activates, and the version decides', async ({ page, world }) => {
  const policy = await world.submitted();
  await world.signIn(page, world.ratifier);

  await page.goto(policy.version);
  await page.getByRole('link', { name: 'Ratify v1' }).click();
  await page.getByLabel('Note (optional)').fill('Read with the finance team.');
  await page.getByLabel(/^I have read the 2 rules/).check();
  await page.getByRole('button', { name: 'Sign and ratify v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is ratified.' })).toBeVisible();

  await page.getByRole('link', { name: 'Activate v1' }).click();
  await page.getByLabel(/^I have read the 2 rules/).check();
  await page.getByRole('button', { name: 'Activate v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 decides from now on.' })).toBeVisible();

  const { result } = await world.govern.api('POST', '/v1/decisions/evaluate', {
    context: { decision_type: policy.decisionType, fields: { amount: 501, receipt: 'R-1' } },
  });
  expect(result.decision).toBe('DENY');
});

test('a rejected version goes back to its author with the reason', async ({ page, world }) => {
  const policy = await world.submitted();
  await world.signIn(page, world.ratifier);

  await page.goto(policy.version);
  await page.getByRole('link', { name: 'Reject' }).click();
  await page.getByLabel('Reason').fill('The limit is too high.');
  await page.getByRole('button', { name: 'Reject v1' }).click();
  await expect(page.getByText('The limit is too high.')).toBeVisible();

  const version = await world.govern.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect(version.status).toBe('draft');
});

test('a draft is sent for review and recalled', async ({ page, world }) => {
  const policy = await world.draft();
  await world.signIn(page, world.govern.admin);

  await page.goto(policy.version);
  await page.getByRole('link', { name: 'Send for review' }).click();
  await page.getByRole('button', { name: 'Seal and send v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is sealed and sent.' })).toBeVisible();
  await page.getByRole('button', { name: 'Recall' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is a draft again.' })).toBeVisible();
});

test('an act that came too late says what the version is now', async ({ page, world }) => {
  const policy = await world.submitted();
  await world.signIn(page, world.ratifier);
  await page.goto(`${policy.version}/ratify`);
  await page.getByLabel('Note (optional)').fill('Two pages of thoughts.');
  await page.getByLabel(/^I have read the 2 rules/).check();

  await world.govern.api('POST', `/v1/policies/${policy.id}/versions/1/recall`, {});
  await page.getByRole('button', { name: 'Sign and ratify v1' }).click();
  await expect(page.getByRole('alert')).toContainText('This version is now draft.');
  // The field keeps what was typed; a page without scripts comes back and quotes it.
  const kept = page.getByRole('main');
  const note = kept.getByLabel('Note (optional)');
  const typed = async () =>
    (await note.count()) > 0 ? note.inputValue() : kept.innerText();
  await expect.poll(typed).toContain('Two pages of thoughts.');
});
