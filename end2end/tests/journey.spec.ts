// From a draft to a version that decides, by four people with keyboards alone.

import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/world.js';

/** Walks on by Tab until `field` has the focus. */
async function tabTo(page: Page, field: Locator): Promise<void> {
  for (let step = 0; step < 120; step += 1) {
    if (await field.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('no Tab leads there');
}

/** Presses a key that a hydrated page listens to, until it has done its work. */
async function until(page: Page, key: string, done: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(done).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Opens a dialog by its key. One that comes before the page is awake follows the link to the page of the same
 * name, where the act can be done too. */
async function open(page: Page, key: string): Promise<Locator> {
  const address = page.url();
  const dialog = page.getByRole('dialog');
  await expect(async () => {
    if (page.url() !== address) await page.goto(address);
    await page.keyboard.press(key);
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  return dialog;
}

test('keyboards alone lead from a draft to a version that decides', async ({ page, browser, world }) => {
  const policy = await world.draft();
  const reviewer = await world.govern.person(`keys-${policy.code.toLowerCase()}`, 'reviewer');
  await world.signIn(page, world.govern.admin);
  await page.goto(`${policy.version}/edit?rule=EXP-LIMIT`);
  const limit = page.locator('[data-type="threshold"]').getByLabel('At most');
  await tabTo(page, limit);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('450');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('status').filter({ hasText: /Saved .*r2/ })).toBeVisible();
  await page.goto(policy.version);
  await open(page, 's');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is sealed and sent.' })).toBeVisible();

  const judge = await (await browser.newContext()).newPage();
  await world.signIn(judge, reviewer);
  await judge.goto(`${policy.version}/review`);
  const boxes = judge.getByRole('checkbox', { name: 'Viewed' });
  await expect(async () => {
    await judge.keyboard.press('v');
    await expect(boxes.last()).toBeChecked({ timeout: 500 });
  }).toPass();
  await expect(boxes.first()).toBeChecked();
  await judge.keyboard.press('a');
  await expect(judge.getByRole('button', { name: 'Accept v1' })).toBeVisible();
  await until(judge, 'Control+Enter', judge.getByRole('status').filter({ hasText: 'Your acceptance of version 1' }));

  const signs = await (await browser.newContext()).newPage();
  await world.signIn(signs, world.ratifier);
  await signs.goto(policy.version);
  for (const done of ['Version 1 is ratified.', 'Version 1 decides from now on.']) {
    const sheet = await open(signs, 'r');
    await tabTo(signs, sheet.getByLabel(/^I have read the 2 rules/));
    await signs.keyboard.press('Space');
    await signs.keyboard.press('Control+Enter');
    await expect(signs.getByRole('status').filter({ hasText: done })).toBeVisible();
  }
  const { result } = await world.govern.api('POST', '/v1/decisions/evaluate', {
    context: { decision_type: policy.decisionType, fields: { amount: 451, receipt: 'R-1' } },
  });
  expect(result.decision).toBe('DENY');
});

test('keyboards alone lead from a return over its answer to an acceptance', async ({ page, browser, world }) => {
  const policy = await world.sealed();
  const reviewer = await world.govern.person(`answers-${policy.code.toLowerCase()}`, 'reviewer');
  const remark = 'Per day or per trip?';
  const judge = await (await browser.newContext()).newPage();
  await world.signIn(judge, reviewer);
  await judge.goto(world.path('inbox'));
  await tabTo(judge, judge.getByRole('row', { name: policy.name }).getByRole('link'));
  await judge.keyboard.press('Enter');
  const limit = judge.getByRole('article', { name: 'EXP-LIMIT' });
  await expect(limit).toBeVisible();
  await tabTo(judge, limit.locator('summary', { hasText: 'Comment on this rule' }));
  await judge.keyboard.press('Enter');
  await tabTo(judge, limit.getByRole('textbox', { name: 'Comment on this rule' }));
  await judge.keyboard.type(remark);
  await judge.keyboard.press('Tab'); // letters are text inside a field
  await until(judge, 'b', judge.getByRole('button', { name: 'Return v1' }));
  await until(judge, 'Control+Enter', judge.getByRole('status').filter({ hasText: 'Your return of version 1' }));

  await world.signIn(page, world.govern.admin);
  await page.goto(policy.version);
  await tabTo(page, page.getByRole('button', { name: 'Recall' }));
  await page.keyboard.press('Enter');
  const edit = page.getByRole('link', { name: 'Edit draft' });
  await expect(edit).toBeVisible();
  await tabTo(page, edit);
  await page.keyboard.press('Enter');
  const field = page.locator('[data-type="threshold"]').getByLabel('At most');
  await expect(field).toBeVisible();
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('450');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('status').filter({ hasText: /Saved .*r2/ })).toBeVisible();
  await page.goto(policy.version);
  const dialog = await open(page, 's');
  await expect(dialog.getByText(remark)).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Version 1 is sealed and sent.' })).toBeVisible();

  await judge.goto(`${policy.version}/review`);
  await expect(judge.getByRole('article', { name: 'EXP-LIMIT' })).toContainText('outdated');
  await until(judge, 'v', judge.getByRole('checkbox', { name: 'Viewed', checked: true }).nth(1));
  await judge.keyboard.press('a');
  await expect(judge.getByRole('button', { name: 'Accept v1' })).toBeVisible();
  await until(judge, 'Control+Enter', judge.getByRole('status').filter({ hasText: 'Your acceptance of version 1' }));
  const path = `/v1/policies/${policy.id}/versions/1/submissions`;
  const { items: [second, first] } = await world.govern.api('GET', path);
  expect(second.answers_record_id).toBe(first.records[0].id);
});

test('keys lead through a review rule by rule', async ({ page, world }) => {
  const policy = await world.codified();
  await world.signIn(page, world.ratifier);
  await page.goto(`${policy.version}/review`);
  const limit = page.getByRole('article', { name: 'EXP-LIMIT' });
  const receipt = page.getByRole('article', { name: 'EXP-RECEIPT' });
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(receipt).toBeFocused({ timeout: 500 });
  }).toPass();
  // Marks and comments are those of the rule that has the focus.
  await page.keyboard.press('v');
  await expect(receipt.getByRole('checkbox', { name: 'Viewed' })).toBeChecked();
  await expect(limit.getByRole('checkbox', { name: 'Viewed' })).not.toBeChecked();
  await page.keyboard.press('k');
  await expect(limit).toBeFocused();
  await page.keyboard.press('c');
  await expect(limit.getByRole('textbox', { name: 'Comment on this rule' })).toBeVisible();
  // The main act is accepting, which a page repeats first: nothing is marked by it.
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('not marked as viewed')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the review' }).click();
  await expect(page.getByText('Viewed 1 of 2')).toBeVisible();
  await until(page, 'Shift+V', page.getByText('Viewed 2 of 2'));
  // That press sent the form: the page that came after it wakes in its own time.
  await until(page, '?', page.getByText('mark all of them'));
});
