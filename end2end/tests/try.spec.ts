// Asking "what would happen" without a record. It must work without scripts too.

import { expect, test } from '../support/world.js';

const DRY_RUN = 'Dry run: unsigned, not recorded';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

test('a decision is tried again, changed, and nothing is recorded', async ({ page, world }) => {
  const [denied] = await world.decisions('&decision=DENY&decision_type=consumer_loan');
  const before = (await world.decisions())[0].id;
  await page.goto(world.path(`decisions/${denied.id}`));
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page).toHaveURL(world.path(`try?from=${denied.id}`));
  await expect(page.getByText(DRY_RUN).first()).toBeVisible();
  const found = page.getByRole('region', { name: 'What would be decided' });
  await expect(found.getByText('DENY', { exact: true })).toBeVisible();
  for (const { reason } of denied.result.violations) {
    await expect(found.getByText(reason).first()).toBeVisible();
  }

  const context = page.getByLabel('Context (JSON)');
  await context.fill('{"decision_type": "consumer_loan", "fields": {"amount": 1}}');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(found.getByText('amount was').or(found.getByText('is missing')).first()).toBeVisible();
  await expect(context).toHaveValue('{"decision_type": "consumer_loan", "fields": {"amount": 1}}');
  await expect(page.getByText(DRY_RUN).first()).toBeVisible();
  expect((await world.decisions())[0].id).toBe(before);
});

test('what is wrong with a text is told with its line and pointer', async ({ page, world }) => {
  await page.goto(world.path('try'));
  const context = page.getByLabel('Context (JSON)');
  const found = page.getByRole('region', { name: 'What would be decided' });
  await context.fill('{\n  "decision_type": "loan",\n  "fields": {},,\n}');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(found).toContainText('Line 3, character 16');
  await expect(found).toContainText('the text is no valid JSON');

  await context.fill('{\n  "decision_type": "loan",\n  "feilds": {},\n  "metadata": {\n    "timestamp": 5\n  }\n}');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(found).toContainText('/fields');
  await expect(found).toContainText('/feilds');
  await expect(found.getByRole('listitem').filter({ hasText: '/metadata/timestamp' })).toContainText(
    'Line 5',
  );
});

test('a type that no policy governs is said plainly', async ({ page, world }) => {
  await page.goto(world.path('try'));
  await page.getByLabel('Context (JSON)').fill('{"decision_type": "nobody_decides", "fields": {}}');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  const found = page.getByRole('region', { name: 'What would be decided' });
  await expect(found).toContainText('No active policy governs this decision type.');
});

test('a person who may not evaluate has no such page', async ({ page, world }) => {
  const name = test.info().project.name === 'scripts' ? 'vic' : 'val';
  await world.signIn(page, await world.govern.person(name, 'viewer'));
  await page.goto(world.path('decisions'));
  await expect(page.getByRole('link', { name: 'Decisions' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Try' })).toHaveCount(0);
  const [decision] = await world.decisions();
  await page.goto(world.path(`decisions/${decision.id}`));
  await expect(page.getByRole('link', { name: 'Try again' })).toHaveCount(0);
  expect((await page.goto(world.path('try')))?.status()).toBe(403);
});
