// Dry runs: evaluations that are not recorded. The page also works without scripts.

import { expect, test } from '../support/fixtures.js';

const DRY_RUN = 'Dry run: unsigned, not recorded';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('a dry run of a decision can be changed and records nothing', { tag: '@firefox' }, async ({ page, env }) => {
  const [denied] = await env.listDecisions('&decision=DENY&decision_type=consumer_loan');
  const before = (await env.listDecisions())[0].id;
  await page.goto(env.path(`decisions/${denied.id}`));
  await page.locator('summary.button', { hasText: 'More' }).click();
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page).toHaveURL(env.path(`try?from=${denied.id}`));
  await expect(page.getByText(DRY_RUN).first()).toBeVisible();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText('DENY', { exact: true })).toBeVisible();
  for (const { reason } of denied.result.violations) {
    await expect(result.getByText(reason).first()).toBeVisible();
  }

  const context = page.getByLabel('Context (JSON)');
  await context.fill('{"decision_type": "consumer_loan", "fields": {"amount": 1}}');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(result.getByText('amount was').or(result.getByText('is missing')).first()).toBeVisible();
  await expect(context).toHaveValue('{"decision_type": "consumer_loan", "fields": {"amount": 1}}');
  await expect(page.getByText(DRY_RUN).first()).toBeVisible();
  expect((await env.listDecisions())[0].id).toBe(before);
});

test('an invalid context shows the line and the JSON pointer of each error', async ({ page, env }) => {
  await page.goto(env.path('try'));
  const context = page.getByLabel('Context (JSON)');
  const result = page.getByRole('region', { name: 'Result' });
  await context.fill('{\n  "decision_type": "loan",\n  "fields": {},,\n}');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(result).toContainText('Line 3, character 16');
  await expect(result).toContainText('the text is not valid JSON');

  await context.fill('{\n  "decision_type": "loan",\n  "feilds": {},\n  "metadata": {\n    "timestamp": 5\n  }\n}');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(result).toContainText('/fields');
  await expect(result).toContainText('/feilds');
  await expect(result.getByRole('listitem').filter({ hasText: '/metadata/timestamp' })).toContainText(
    'Line 5',
  );
});

test('a decision type without an active policy shows a message', async ({ page, env }) => {
  await page.goto(env.path('try'));
  await page.getByLabel('Context (JSON)').fill('{"decision_type": "ungoverned_type", "fields": {}}');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('No active policy governs this decision type.');
});

test('a viewer has no links to the dry run, and its page returns 403', async ({ page, env }) => {
  const name = test.info().project.name === 'scripts' ? 'vic' : 'val';
  await env.signIn(page, await env.server.createUser(name, 'viewer'));
  await page.goto(env.path('decisions'));
  await expect(page.getByRole('link', { name: 'Decisions', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Try' })).toHaveCount(0);
  const [decision] = await env.listDecisions();
  await page.goto(env.path(`decisions/${decision.id}`));
  await expect(page.getByRole('link', { name: 'Try again' })).toHaveCount(0);
  expect((await page.goto(env.path('try')))?.status()).toBe(403);
});
