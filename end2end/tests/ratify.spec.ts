import { expect, test } from '../support/fixtures.js';

test('a second person ratifies and activates a version, and evaluations use it', { tag: '@firefox' }, async ({ page, env }) => {
  const policy = await env.submittedPolicy();
  await env.signIn(page, env.ratifier);

  await page.goto(policy.versionPath);
  await page.getByRole('link', { name: 'Ratify v1' }).click();
  await page.getByLabel('Note (optional)').fill('Read with the finance team.');
  await page.getByLabel(/^I have read the 2 rules/).check();
  await page.getByRole('button', { name: 'Sign and ratify v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is ratified.' })).toBeVisible();

  await page.getByRole('link', { name: 'Activate v1' }).click();
  await page.getByLabel(/^I have read the 2 rules/).check();
  await page.getByRole('button', { name: 'Activate v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is now active.' })).toBeVisible();

  const { result } = await env.server.api('POST', '/v1/decisions/evaluate', {
    context: { decision_type: policy.decisionType, fields: { amount: 501, receipt: 'R-1' } },
  });
  expect(result.decision).toBe('DENY');
});

test('a rejected version is a draft again and shows the reason', async ({ page, env }) => {
  const policy = await env.submittedPolicy();
  await env.signIn(page, env.ratifier);

  await page.goto(policy.versionPath);
  await page.getByRole('link', { name: 'Reject' }).click();
  await page.getByLabel('Reason').fill('The limit is too high.');
  await page.getByRole('button', { name: 'Reject v1' }).click();
  await expect(page.getByText('The limit is too high.')).toBeVisible();

  const version = await env.server.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect(version.status).toBe('draft');
});

test('a draft is submitted for review and recalled', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  await env.signIn(page, env.server.admin);

  await page.goto(policy.versionPath);
  await page.getByRole('link', { name: 'Submit v1 for review' }).click();
  await page.getByRole('button', { name: 'Submit v1 for review' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 submitted for review.' })).toBeVisible();
  await page.getByRole('button', { name: 'Recall' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is a draft again.' })).toBeVisible();
});

test('ratifying a recalled version shows its current status and keeps the note', async ({ page, env }) => {
  const policy = await env.submittedPolicy();
  await env.signIn(page, env.ratifier);
  await page.goto(`${policy.versionPath}/ratify`);
  await page.getByLabel('Note (optional)').fill('Two pages of thoughts.');
  await page.getByLabel(/^I have read the 2 rules/).check();

  await env.server.api('POST', `/v1/policies/${policy.id}/versions/1/recall`, {});
  await page.getByRole('button', { name: 'Sign and ratify v1' }).click();
  await expect(page.getByRole('alert')).toContainText('It is now draft.');
  await expect(page.getByRole('main')).toContainText('Two pages of thoughts.');
});
