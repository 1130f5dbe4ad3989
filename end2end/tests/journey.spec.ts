// Author, reviewer and ratifier use only the keyboard, from a draft to an active version.

import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.js';
import type { Json } from '../support/govern.js';

/** Presses Tab, or another key, until `field` has the focus. */
async function tabTo(page: Page, field: Locator, key = 'Tab'): Promise<void> {
  for (let step = 0; step < 120; step += 1) {
    if (await field.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`the field was not reached with ${key}`);
}

const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text });

/** Presses a key until `result` is visible. A key has no effect before the scripts of the page have started. */
async function pressUntilVisible(page: Page, key: string, result: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(result).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Presses a key after a navigation. */
async function pressWhenLoaded(page: Page, key: string): Promise<void> {
  await page.waitForLoadState(); // the script of the page has started
  await page.keyboard.press(key);
}

/** Opens a dialog with its key. */
async function openDialog(page: Page, key: string): Promise<Locator> {
  const dialog = page.getByRole('dialog');
  await pressUntilVisible(page, key, dialog);
  return dialog;
}

test('a draft becomes an active version with the keyboard only', async ({ page, browser, env }) => {
  const policy = await env.draftPolicy();
  const reviewer = await env.server.createUser(`keys-${policy.code.toLowerCase()}`, 'reviewer');
  await env.signIn(page, env.server.admin);
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  const limit = page.locator('[data-type="threshold"]').getByLabel('At most');
  await tabTo(page, limit);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('450');
  await page.keyboard.press('Control+Enter');
  await expect(status(page, /Saved .*r2/)).toBeVisible();
  await page.goto(policy.versionPath);
  await openDialog(page, 's');
  await page.keyboard.press('Control+Enter');
  await expect(status(page, 'Version 1 submitted for review.')).toBeVisible();

  const reviewPage = await (await browser.newContext()).newPage();
  await env.signIn(reviewPage, reviewer);
  await reviewPage.goto(`${policy.versionPath}/review`);
  const boxes = reviewPage.getByRole('checkbox', { name: 'Viewed' });
  for (const box of [boxes.first(), boxes.last()]) {
    await reviewPage.keyboard.press('v');
    await expect(box).toBeChecked();
  }
  await reviewPage.keyboard.press('a');
  await expect(reviewPage.getByRole('heading', { level: 1 })).toHaveText(`Accept ${policy.name} v1`);
  await pressWhenLoaded(reviewPage, 'Control+Enter');
  await expect(status(reviewPage, 'Your acceptance of version 1')).toBeVisible();

  const ratifierPage = await (await browser.newContext()).newPage();
  await env.signIn(ratifierPage, env.ratifier);
  await ratifierPage.goto(policy.versionPath);
  for (const message of ['Version 1 is ratified.', 'Version 1 is now active.']) {
    const dialog = await openDialog(ratifierPage, 'r');
    await tabTo(ratifierPage, dialog.getByLabel(/^I have read the 2 rules/));
    await ratifierPage.keyboard.press('Space');
    await ratifierPage.keyboard.press('Control+Enter');
    await expect(status(ratifierPage, message)).toBeVisible();
  }
  const { result } = await env.server.api('POST', '/v1/decisions/evaluate', {
    context: { decision_type: policy.decisionType, fields: { amount: 451, receipt: 'R-1' } },
  });
  expect(result.decision).toBe('DENY');
});

test('requested changes are addressed and accepted with the keyboard only', async ({ page, browser, env }) => {
  const policy = await env.sealedPolicy();
  const reviewer = await env.server.createUser(`answers-${policy.code.toLowerCase()}`, 'reviewer');
  const comment = 'Per day or per trip?';
  const reviewPage = await (await browser.newContext()).newPage();
  await env.signIn(reviewPage, reviewer);
  await reviewPage.goto(env.path('inbox'));
  await tabTo(reviewPage, reviewPage.getByRole('main').getByRole('link', { name: policy.name }));
  await reviewPage.keyboard.press('Enter');
  const limit = reviewPage.getByRole('article', { name: 'EXP-LIMIT' });
  await expect(limit).toBeVisible();
  await tabTo(reviewPage, limit.locator('summary', { hasText: 'Comment on this rule' }));
  await reviewPage.keyboard.press('Enter');
  await tabTo(reviewPage, limit.getByRole('textbox', { name: 'Comment on this rule' }));
  await reviewPage.keyboard.type(comment); // in a field, letters are text and not shortcuts
  await reviewPage.keyboard.press('Control+Enter');
  await expect(limit.getByRole('textbox')).toBeHidden();
  await reviewPage.keyboard.press('b');
  await expect(reviewPage.getByRole('button', { name: 'Request changes to v1' })).toBeVisible();
  await pressWhenLoaded(reviewPage, 'Control+Enter');
  await expect(status(reviewPage, 'Your request for changes to version 1')).toBeVisible();

  await env.signIn(page, env.server.admin);
  await page.goto(env.path('inbox'));
  await tabTo(page, page.getByRole('main').getByRole('link', { name: policy.name }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('This version is still submitted.')).toBeVisible();
  const field = page.locator('[data-type="threshold"]').getByLabel('At most');
  await expect(field).toBeVisible();
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('450');
  await tabTo(page, page.getByRole('textbox', { name: /^Reply to/ }), 'Shift+Tab');
  await expect(status(page, /Saved .*r2/)).toBeVisible();
  await page.keyboard.type('Per trip.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Per trip.')).toBeVisible();
  await pressUntilVisible(page, 's', page.getByRole('button', { name: 'Submit v1 for review' }));
  await expect(page.getByText(comment)).toBeVisible();
  await expect(page.getByText('Changes since r1')).toBeVisible();
  await pressUntilVisible(page, 'Control+Enter', status(page, 'Version 1 submitted for review.'));

  await reviewPage.goto(`${policy.versionPath}/review`);
  await expect(reviewPage.getByRole('article', { name: 'EXP-LIMIT' })).toContainText('Outdated');
  await reviewPage.keyboard.press('v');
  await expect(reviewPage.getByRole('checkbox', { name: 'Viewed', checked: true })).toBeVisible();
  await reviewPage.keyboard.press('a');
  await expect(reviewPage.getByRole('heading', { level: 1 })).toHaveText(`Accept ${policy.name} v1`);
  await pressWhenLoaded(reviewPage, 'Control+Enter');
  await expect(status(reviewPage, 'Your acceptance of version 1')).toBeVisible();
  const path = `/v1/policies/${policy.id}/versions/1/submissions`;
  const { items: [second, first] } = await env.server.api('GET', path);
  expect(second.answers_record_id).toBe(first.records[0].id);
});

test('keyboard shortcuts of a review act on the focused rule', { tag: '@firefox' }, async ({ page, env }) => {
  const policy = await env.codifiedPolicy();
  await env.signIn(page, env.ratifier);
  await page.goto(`${policy.versionPath}/review`);
  const limit = page.getByRole('article', { name: 'EXP-LIMIT' });
  const receipt = page.getByRole('article', { name: 'EXP-RECEIPT' });
  for (const rule of [limit, receipt]) {
    await page.keyboard.press('j');
    await expect(rule).toBeFocused();
  }
  // The keys for marks and comments act on the focused rule.
  await page.keyboard.press('v');
  await expect(receipt.getByRole('checkbox', { name: 'Viewed' })).toBeChecked();
  await expect(limit.getByRole('checkbox', { name: 'Viewed' })).not.toBeChecked();
  await page.keyboard.press('k');
  await expect(limit).toBeFocused();
  await page.keyboard.press('c');
  await expect(limit.getByRole('textbox', { name: 'Comment on this rule' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(limit.getByRole('textbox')).toBeHidden();
  // The key opens the page that confirms the acceptance. It marks no rule as viewed.
  await page.keyboard.press('a');
  await expect(page.getByText('not marked as viewed')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the review' }).click();
  await expect(page.getByText('Viewed 1 of 2')).toBeVisible();
  await pressWhenLoaded(page, 'Shift+V');
  await expect(page.getByText('Viewed 2 of 2')).toBeVisible();
  await pressWhenLoaded(page, '?');
  await expect(page.getByText('mark all rules as viewed')).toBeVisible();
});

/** Opens the comment on the first rule with its key. */
async function openComment(page: Page): Promise<Locator> {
  const comment = page.getByRole('article').first().getByRole('textbox', { name: 'Comment on this rule' });
  await page.keyboard.press('c');
  await expect(comment).toBeFocused();
  return comment;
}

test('text and Ctrl+Enter in a comment save the comment and record nothing', { tag: '@firefox' }, async ({ page, env }) => {
  const policy = await env.sealedPolicy();
  await env.signIn(page, env.ratifier);
  await page.goto(`${policy.versionPath}/review`);
  const comment = await openComment(page);
  await page.keyboard.type('and');
  await page.keyboard.press('Control+Enter');
  await expect(comment).toBeHidden();
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(`${policy.versionPath}/review`);
  await expect(page.getByText('Draft comment').first()).toBeVisible();
  // Keys act again. The comment opens with its text, and Escape closes it.
  await page.keyboard.press('c');
  await expect(comment).toBeFocused();
  await expect(comment).toHaveValue('and');
  await page.keyboard.press('Escape');
  await expect(comment).toBeHidden();
  // In the general note, the key saves the review draft.
  const saved = page.waitForResponse('**/console/record-review');
  await page.getByLabel('General note').press('Control+Enter');
  await saved;
  await expect(page).toHaveURL(`${policy.versionPath}/review`);
  // The stored comment is closed, so it has no role.
  await expect(page.getByRole('article').first().locator('textarea')).toHaveValue('and');
  const { items } = await env.server.api('GET', `/v1/policies/${policy.id}/versions/1/submissions`);
  expect(items.map((submission: Json) => submission.records ?? [])).toEqual([[]]);
});

test('a letter does nothing while a comment is open, on key repeat, or with a modifier', async ({ page, env }) => {
  const policy = await env.sealedPolicy();
  await env.signIn(page, env.ratifier);
  await page.goto(`${policy.versionPath}/review`);
  const comment = await openComment(page);
  await page.keyboard.press('Shift+Tab');
  await expect(comment).not.toBeFocused();
  await page.keyboard.press('a');
  await page.keyboard.press('Escape');
  await expect(comment).toBeHidden();
  await page.evaluate(() => {
    const repeated = new KeyboardEvent('keydown', { key: 'a', repeat: true, bubbles: true });
    document.activeElement?.dispatchEvent(repeated);
  });
  for (const modifier of ['Control', 'Alt', 'Meta']) await page.keyboard.press(`${modifier}+a`);
  // The page is still the same, and its keys act.
  await page.keyboard.press('v');
  await expect(page.getByRole('checkbox', { name: 'Viewed' }).first()).toBeChecked();
  await expect(page).toHaveURL(`${policy.versionPath}/review`);
});

test('a review draft is saved while typing and on leaving the page', async ({ page, env }) => {
  const policy = await env.sealedPolicy();
  await env.signIn(page, env.ratifier);
  await page.goto(`${policy.versionPath}/review`);
  const note = page.getByLabel('General note');
  await note.fill('Half a sentence');
  await expect(page.getByRole('status').filter({ hasText: 'Review draft saved' })).toBeVisible();
  await page.reload();
  await expect(note).toHaveValue('Half a sentence');
  // The pause in typing has not passed when the user leaves.
  await page.getByRole('checkbox', { name: 'Viewed' }).first().check();
  await note.fill('Half a sentence and more');
  await page.goto('about:blank');
  await expect(async () => {
    await page.goto(`${policy.versionPath}/review`);
    await expect(note).toHaveValue('Half a sentence and more', { timeout: 1_000 });
  }).toPass();
  await expect(page.getByText('Viewed 1 of 2')).toBeVisible();
});
