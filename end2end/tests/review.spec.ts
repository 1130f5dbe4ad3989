// Sending, judging, signing and activating, by four people. It must work without scripts too.

import { expect, test } from '../support/world.js';

test('a version is returned with a remark, answered and accepted', async ({ browser, world }) => {
  const policy = await world.sealed();
  const reviewer = await world.govern.person(`reviewer-${policy.code.toLowerCase()}`, 'reviewer');
  const open = async (person: { email: string; password: string }) => {
    const page = await (await browser.newContext()).newPage();
    await world.signIn(page, person);
    return page;
  };
  const judge = await open(reviewer);
  await judge.goto(world.path('inbox'));
  await judge.getByRole('row', { name: policy.name }).getByRole('link').click();
  const limit = judge.getByRole('article', { name: 'EXP-LIMIT' });
  await limit.getByText('Comment on this rule').click();
  await limit.getByRole('textbox', { name: 'Comment on this rule' }).fill('Per day or per trip?');
  await judge.getByRole('button', { name: 'Return' }).click();
  await expect(judge.getByRole('heading', { level: 1 })).toHaveText(`Return ${policy.name} v1`);
  await expect(judge.getByText('Per day or per trip?')).toBeVisible();
  await judge.getByRole('button', { name: 'Return v1' }).click();
  await expect(judge.getByRole('status').filter({ hasText: 'Your return of version 1' })).toBeVisible();

  const author = await open(world.govern.admin);
  await author.goto(policy.version);
  await author.getByRole('button', { name: 'Recall' }).click();
  await author.getByRole('link', { name: 'Edit draft' }).click();
  await author.locator('[data-type="threshold"]').getByLabel('At most').fill('450');
  await author.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(author.getByRole('status').filter({ hasText: /Saved .*r2/ })).toBeVisible();
  await author.goto(`${policy.version}/send`);
  await expect(author.getByRole('main').getByText('Per day or per trip?')).toBeVisible();
  await author.getByRole('button', { name: 'Seal and send v1' }).click();
  await expect(author.getByRole('status').filter({ hasText: 'Version 1 is sealed and sent.' })).toBeVisible();

  const path = `/v1/policies/${policy.id}/versions/1/submissions`;
  const { items: [second, first] } = await world.govern.api('GET', path);
  expect(second.answers_record_id).toBe(first.records[0].id);
  await judge.goto(`${policy.version}/review`);
  await expect(judge.getByRole('article', { name: 'EXP-LIMIT' })).toContainText('outdated');
  await judge.getByRole('checkbox', { name: 'Viewed' }).first().check();
  await judge.getByRole('checkbox', { name: 'Viewed' }).last().check();
  await judge.getByRole('button', { name: 'Accept', exact: true }).click();
  await judge.getByRole('button', { name: 'Accept v1' }).click();
  await expect(judge.getByRole('status').filter({ hasText: 'Your acceptance of version 1' })).toBeVisible();
});

test('a reviewer marks every rule and accepts; a ratifier signs what was accepted', async ({ page, browser, world }) => {
  const policy = await world.sealed();
  const reviewer = await world.govern.person(`accepting-${policy.code.toLowerCase()}`, 'reviewer');
  await world.signIn(page, reviewer);
  await page.goto(`${policy.version}/review`);
  for (const box of await page.getByRole('checkbox', { name: 'Viewed' }).all()) await box.check();
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(page.getByText('not marked as viewed')).toHaveCount(0);
  await page.getByRole('button', { name: 'Accept v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Your acceptance of version 1' })).toBeVisible();

  const signs = await (await browser.newContext()).newPage();
  await world.signIn(signs, world.ratifier);
  await signs.goto(`${policy.version}/ratify`);
  await expect(signs.getByText('ACCEPT')).toBeVisible();
  await expect(signs.getByText(reviewer.email.split('@')[0] ?? '')).toBeVisible();
  await signs.getByLabel(/^I have read the 2 rules/).check();
  await signs.getByRole('button', { name: 'Sign and ratify v1' }).click();
  await expect(signs.getByRole('status').filter({ hasText: 'Version 1 is ratified.' })).toBeVisible();
});

test('an acceptance says what was not looked at, and can be thought over', async ({ page, world }) => {
  const policy = await world.sealed();
  await world.signIn(page, world.ratifier);
  await page.goto(`${policy.version}/review`);
  await page.getByLabel('Note on the whole').fill('As agreed.');
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  const open = page.getByText('2 changed rules are not marked as viewed');
  await expect(open).toBeVisible();
  await expect(page.getByText('As agreed.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the review' }).click();
  await expect(page.getByLabel('Note on the whole')).toHaveValue('As agreed.');
  await page.getByRole('checkbox', { name: 'Viewed' }).first().check();
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(page.getByText('1 changed rule is not marked as viewed')).toBeVisible();
  await page.getByRole('button', { name: 'Accept v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Your acceptance of version 1' })).toBeVisible();
});

test('beside each rule stands its clause, and what the lint says of it', async ({ page, world }) => {
  const policy = await world.codified();
  await world.signIn(page, world.ratifier);
  await page.goto(`${policy.version}/review`);
  const limit = page.getByRole('article', { name: 'EXP-LIMIT' });
  await expect(limit).toContainText('Expenses may not exceed 800 euros.');
  await expect(limit).toContainText('number_not_in_rule');
  await expect(page.getByRole('article', { name: 'EXP-RECEIPT' })).toContainText('section 2');
  const others = page.getByRole('region', { name: 'Other clauses' });
  await expect(others).toContainText('No rule can say it: nobody can measure it');
  // Beside on a wide screen, below on a narrow one, and never wider than the screen.
  const rule = limit.getByText('amount is at most');
  const clause = limit.getByText('Expenses may not exceed');
  const places = async () => [(await rule.boundingBox())!, (await clause.boundingBox())!] as const;
  const [left, right] = await places();
  expect(right.x).toBeGreaterThan(left.x + 200);
  await page.setViewportSize({ width: 320, height: 900 });
  const [above, below] = await places();
  expect(below.y).toBeGreaterThan(above.y);
  expect(Math.abs(below.x - above.x)).toBeLessThan(40);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  // One press marks all, with scripts and without.
  await page.getByRole('button', { name: 'Mark all as viewed' }).click();
  await expect(page.getByText('Viewed 2 of 2')).toBeVisible();
});
