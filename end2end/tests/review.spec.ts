// Review: submission, review records and ratification by different users. It also works without scripts.

import { expect, test } from '../support/fixtures.js';
import type { TestUser } from '../support/govern.js';

test('a reviewer requests changes, the author addresses them, and the reviewer accepts', { tag: '@firefox' }, async ({
  browser,
  env,
  javaScriptEnabled,
}) => {
  const policy = await env.sealedPolicy();
  const reviewer = await env.server.createUser(`reviewer-${policy.code.toLowerCase()}`, 'reviewer');
  const openPage = async (user: TestUser) => {
    const page = await (await browser.newContext()).newPage();
    await env.signIn(page, user);
    return page;
  };
  const reviewPage = await openPage(reviewer);
  await reviewPage.goto(env.path('inbox'));
  await reviewPage.getByRole('main').getByRole('link', { name: policy.name }).click();
  const limit = reviewPage.getByRole('article', { name: 'EXP-LIMIT' });
  await limit.getByText('Comment on this rule').click();
  await limit.getByRole('textbox', { name: 'Comment on this rule' }).fill('Per day or per trip?');
  await reviewPage.getByRole('button', { name: 'Request changes' }).click();
  await expect(reviewPage.getByRole('heading', { level: 1 })).toHaveText(`Request changes to ${policy.name} v1`);
  await expect(reviewPage.getByText('Per day or per trip?')).toBeVisible();
  await reviewPage.getByRole('button', { name: 'Request changes to v1' }).click();
  await expect(reviewPage.getByRole('status').filter({ hasText: 'Your request for changes to version 1' })).toBeVisible();

  // The list, the timeline, the header and the review show the same status.
  const authorPage = await openPage(env.server.admin);
  await authorPage.goto(env.path('policies'));
  await expect(authorPage.getByRole('row', { name: policy.name })).toContainText('Changes requested');
  for (const path of [policy.path, `${policy.versionPath}/review`, policy.versionPath]) {
    await authorPage.goto(path);
    const main = authorPage.getByRole('main');
    await expect(main.getByText('Changes requested', { exact: true }).first()).toBeVisible();
    await expect(main.getByText('Waiting for')).toHaveCount(0);
  }
  // Five steps: open the item, edit, reply, submit again, confirm. Without scripts, the author also saves the rule.
  await authorPage.goto(env.path('inbox'));
  await authorPage.getByRole('main').getByRole('link', { name: policy.name }).click();
  const request = authorPage.getByRole('region', { name: 'Changes requested' });
  await expect(request).toContainText('requested changes to r1');
  await expect(authorPage.getByText('The first change that you save recalls it.')).toBeVisible();
  const rule = authorPage.getByRole('region', { name: 'EXP-LIMIT' });
  await expect(rule).toContainText('Per day or per trip?');
  await authorPage.locator('[data-type="threshold"]').getByLabel('At most').fill('450');
  if (javaScriptEnabled === false) {
    await authorPage.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(authorPage.getByRole('status').filter({ hasText: 'Saved as r2' })).toBeVisible();
  }
  await rule.getByRole('textbox', { name: /^Reply to/ }).fill('Per trip.');
  await authorPage.getByRole('button', { name: 'Submit again' }).click();
  const main = authorPage.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(`Submit ${policy.name} v1`);
  await expect(main.getByText('Changes since r1')).toBeVisible();
  await expect(main.getByText('Per day or per trip?')).toBeVisible();
  await expect(main.getByText('no reply')).toHaveCount(0);
  await authorPage.getByRole('button', { name: 'Submit v1 for review' }).click();
  await expect(authorPage.getByRole('status').filter({ hasText: 'Version 1 submitted for review.' })).toBeVisible();

  const path = `/v1/policies/${policy.id}/versions/1/submissions`;
  const { items: [second, first] } = await env.server.api('GET', path);
  expect(second.answers_record_id).toBe(first.records[0].id);
  await reviewPage.goto(`${policy.versionPath}/review`);
  const since = reviewPage.getByRole('region', { name: 'Since your last review' });
  await expect(since).toContainText('You requested changes to r1.');
  await expect(since).toContainText('Per trip.');
  await expect(since.locator('ins')).toHaveText('450');
  // The other rule is shown with all changes. Its mark is preserved on both pages.
  const receipt = reviewPage.getByRole('article', { name: 'EXP-RECEIPT' });
  await expect(receipt).toHaveCount(0);
  const shown = reviewPage.getByRole('navigation', { name: 'Changes to show' });
  await expect(shown.locator('[aria-current]')).toHaveText('Since your last review');
  await shown.getByRole('link', { name: 'All changes' }).click();
  await expect(since).toHaveCount(0);
  await receipt.getByRole('checkbox', { name: 'Viewed' }).check();
  await reviewPage.getByRole('button', { name: 'Save review draft' }).click();
  await expect(reviewPage).toHaveURL(`${policy.versionPath}/review?changes=all`);
  await expect(reviewPage.getByText('Viewed 1 of 2')).toBeVisible();
  await expect(receipt.getByRole('checkbox', { name: 'Viewed' })).toBeChecked();
  await shown.getByRole('link', { name: 'Since your last review' }).click();
  await expect(receipt).toHaveCount(0);
  await expect(reviewPage.getByRole('article', { name: 'EXP-LIMIT' })).toContainText('Outdated');
  await reviewPage.getByRole('checkbox', { name: 'Viewed' }).check();
  await reviewPage.getByRole('button', { name: 'Accept v1' }).click();
  await expect(reviewPage.getByRole('heading', { level: 1 })).toHaveText(`Accept ${policy.name} v1`);
  await expect(reviewPage.getByText('not marked as viewed')).toHaveCount(0);
  await reviewPage.getByRole('button', { name: 'Accept v1' }).click();
  await expect(reviewPage.getByRole('status').filter({ hasText: 'Your acceptance of version 1' })).toBeVisible();
});

test('a reviewer views every rule and accepts, and a ratifier ratifies', { tag: '@firefox' }, async ({ page, browser, env }) => {
  const policy = await env.sealedPolicy();
  const reviewer = await env.server.createUser(`accepting-${policy.code.toLowerCase()}`, 'reviewer');
  await env.signIn(page, reviewer);
  await page.goto(`${policy.versionPath}/review`);
  for (const box of await page.getByRole('checkbox', { name: 'Viewed' }).all()) await box.check();
  await page.getByRole('button', { name: 'Accept v1' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Accept ${policy.name} v1`);
  await expect(page.getByText('not marked as viewed')).toHaveCount(0);
  await page.getByRole('button', { name: 'Accept v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Your acceptance of version 1' })).toBeVisible();

  const ratifierPage = await (await browser.newContext()).newPage();
  await env.signIn(ratifierPage, env.ratifier);
  await ratifierPage.goto(`${policy.versionPath}/ratify`);
  await expect(ratifierPage.getByText('ACCEPT')).toBeVisible();
  await expect(ratifierPage.getByText(reviewer.email.split('@')[0] ?? '')).toBeVisible();
  await ratifierPage.getByLabel(/^I have read the 2 rules/).check();
  await ratifierPage.getByRole('button', { name: 'Sign and ratify v1' }).click();
  await expect(ratifierPage.getByRole('status').filter({ hasText: 'Version 1 is ratified.' })).toBeVisible();
});

test('an acceptance shows the number of unviewed rules, and going back keeps the note', async ({ page, env }) => {
  const policy = await env.sealedPolicy();
  await env.signIn(page, env.ratifier);
  await page.goto(`${policy.versionPath}/review`);
  await page.getByLabel('General note').fill('As agreed.');
  await page.getByRole('button', { name: 'Accept v1' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Accept ${policy.name} v1`);
  const unviewed = page.getByText('2 changed rules are not marked as viewed');
  await expect(unviewed).toBeVisible();
  await expect(page.getByText('As agreed.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the review' }).click();
  await expect(page.getByLabel('General note')).toHaveValue('As agreed.');
  await page.getByRole('checkbox', { name: 'Viewed' }).first().check();
  await page.getByRole('button', { name: 'Accept v1' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Accept ${policy.name} v1`);
  await expect(page.getByText('1 changed rule is not marked as viewed')).toBeVisible();
  await page.getByRole('button', { name: 'Accept v1' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Your acceptance of version 1' })).toBeVisible();
});

test('each rule shows its clause and lint findings, and all rules are marked at once', async ({ page, env }) => {
  const policy = await env.codifiedPolicy();
  await env.signIn(page, env.ratifier);
  await page.goto(`${policy.versionPath}/review`);
  const limit = page.getByRole('article', { name: 'EXP-LIMIT' });
  await expect(limit).toContainText('Expenses may not exceed 800 euros.');
  await expect(limit).toContainText('number_not_in_rule');
  await expect(page.getByRole('article', { name: 'EXP-RECEIPT' })).toContainText('section 2');
  // The clause is next to the rule on a wide screen and below it on a narrow one. The page never scrolls sideways.
  const rule = limit.getByText('amount is at most');
  const clause = limit.getByText('Expenses may not exceed');
  const boxes = async () => [(await rule.boundingBox())!, (await clause.boundingBox())!] as const;
  const [left, right] = await boxes();
  expect(right.x).toBeGreaterThan(left.x + 200);
  await page.setViewportSize({ width: 320, height: 900 });
  const [upper, lower] = await boxes();
  expect(lower.y).toBeGreaterThan(upper.y);
  expect(Math.abs(lower.x - upper.x)).toBeLessThan(40);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  // One button marks all rules, with and without scripts.
  await page.getByRole('button', { name: 'Mark all as viewed' }).click();
  await expect(page.getByText('Viewed 2 of 2')).toBeVisible();
  // All clauses are in a tab.
  await page.getByRole('navigation', { name: 'Parts of the review' }).getByRole('link', { name: 'Clauses' }).click();
  const clauses = page.getByRole('region', { name: 'Codification' });
  await expect(clauses).toContainText('Not expressible as a rule: not measurable');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('the index and the bar show what is left, and the bar covers no focused element', async ({
  page,
  env,
  javaScriptEnabled,
}) => {
  const policy = await env.sealedPolicy();
  await env.signIn(page, env.ratifier);
  await page.goto(`${policy.versionPath}/review`);
  const index = page.getByRole('navigation', { name: 'Changed rules' });
  const entry = index.getByRole('link', { name: 'EXP-RECEIPT' });
  await entry.click();
  await expect(page).toHaveURL(/#change-EXP-RECEIPT$/);
  await expect(page.getByText('Viewed 0 of 2')).toBeVisible();
  await page.getByRole('article', { name: 'EXP-RECEIPT' }).getByRole('checkbox', { name: 'Viewed' }).check();
  if (javaScriptEnabled === false) await page.getByRole('button', { name: 'Save review draft' }).click();
  await expect(page.getByText('Viewed 1 of 2')).toBeVisible();
  await expect(page.locator('.viewed-ring .on')).toHaveAttribute('stroke-dasharray', '1 2');
  await expect(entry.getByText('Viewed')).toBeVisible();
  if (javaScriptEnabled === false) return;
  // The bar is at the bottom of the window at every width. A focused element is above it.
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 700 });
    const accept = page.getByRole('button', { name: 'Accept v1' });
    await expect(accept).toBeInViewport();
    const top = await page.locator('.review-bar').evaluate((bar) => bar.getBoundingClientRect().top);
    for (const element of [page.getByLabel('General note'), page.getByLabel('New comment')]) {
      await page.evaluate(() => scrollTo(0, 0));
      await element.focus();
      const bottom = await element.evaluate((field) => field.getBoundingClientRect().bottom);
      expect(bottom, `${width} px`).toBeLessThanOrEqual(top);
    }
  }
});
