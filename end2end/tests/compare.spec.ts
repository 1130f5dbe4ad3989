// The comparison of versions, and the comments on them. It also works without scripts.

import { expect, test } from '../support/fixtures.js';

test('a ratifier compares versions, replies to a comment and ratifies', async ({ page, env }) => {
  const policy = await env.submittedPolicy();
  const versions = `/v1/policies/${policy.id}/versions`;
  await env.server.apiAs(env.ratifier, 'POST', `${versions}/1/ratify`, { expected_revision: 1 });
  await env.server.apiAs(env.ratifier, 'POST', `${versions}/1/activate`, {});
  const { rules } = await env.server.api('GET', `${versions}/1`);
  rules[0] = { ...rules[0], name: 'Expenses end at 450', condition: { field: 'amount', max: 450 } };
  await env.server.api('POST', versions, { rules });
  await env.server.apiAs(env.server.admin, 'POST', `${versions}/2/comments`, {
    text: 'Agreed with finance.',
    rule_code: 'EXP-LIMIT',
  });
  await env.server.api('POST', `${versions}/2/submit`, {});

  await env.signIn(page, env.ratifier);
  await page.goto(env.path('inbox'));
  await page.getByRole('main').getByRole('link', { name: policy.name }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Compare v1 and v2');
  const limit = page.getByRole('article', { name: 'EXP-LIMIT' });
  await expect(limit.getByRole('row', { name: 'Name' })).toContainText('Expenses end at 500');
  await expect(limit.getByRole('row', { name: 'At most' }).locator('del')).toHaveText('500');
  await expect(limit.getByRole('row', { name: 'At most' }).locator('ins')).toHaveText('450');
  await expect(limit).toContainText('Agreed with finance.');

  await limit.getByRole('textbox', { name: /^Reply to/ }).fill('Noted.');
  await limit.getByRole('button', { name: 'Reply', exact: true }).click();
  await expect(limit).toContainText('Noted.');
  await limit.getByRole('button', { name: 'Resolve' }).click();
  // The page opens at the resolved thread, so the browser shows it.
  await expect(limit.getByText('Resolved by')).toBeVisible();
  await expect(limit.getByRole('button', { name: 'Reopen' })).toBeVisible();
  // Undo reopens it and preserves the text that was not sent.
  await page.getByLabel('New comment').fill('Half a sentence');
  await limit.getByRole('button', { name: 'Undo' }).click();
  await expect(limit.getByText('Resolved by')).toHaveCount(0);
  await expect(page.getByText('Comment resolved.')).toHaveCount(0);
  await expect(page.getByLabel('New comment')).toHaveValue('Half a sentence');
  await limit.getByRole('button', { name: 'Resolve' }).click();
  await expect(page.getByText('Comment resolved.')).toBeVisible();

  await page.getByRole('link', { name: 'Unified' }).click();
  await expect(page.getByRole('link', { name: 'Unified' })).toHaveAttribute('aria-current', 'true');
  await expect(limit.getByRole('row', { name: 'At most' })).toContainText('500450');
  await page.getByLabel('From').selectOption('2');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByText('These versions have the same rules.')).toBeVisible();
  await page.goBack();

  await page.getByRole('link', { name: 'Ratify v2' }).click();
  await page.getByLabel(/^I have read the 2 rules/).check();
  await page.getByRole('button', { name: 'Sign and ratify v2' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Version 2 is ratified.' })).toBeVisible();
});
