// What scripts add to the page on which contexts are tried.

import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

test('a context is evaluated while it is typed, and the newest answer stays', async ({
  page,
  world,
}) => {
  await page.goto(world.path('try'));
  await page.waitForLoadState('networkidle'); // the page has woken
  const found = page.getByRole('region', { name: 'What would be decided' });
  const context = page.getByLabel('Context (JSON)');
  await context.fill('{');
  await expect(found).toContainText('the text is no valid JSON');
  await context.fill('{"decision_type": "consumer_loan", "fields": {}}');
  await expect(found.getByText('DENY', { exact: true })).toBeVisible();
  await context.press('Control+Enter');
  await expect(found.getByText('DENY', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(world.path('try'));

  await page.getByText('The same call with curl').click();
  const line = page.getByRole('region', { name: 'The same call with curl' });
  await expect(line).toContainText('"context": {"decision_type": "consumer_loan", "fields": {}}');
});
