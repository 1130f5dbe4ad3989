import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

test('the log narrows by verdict, and the filter survives a reload', async ({ page, world }) => {
  await page.goto(world.path('decisions'));
  await page.getByLabel('Verdict').selectOption('DENY');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/[?&]verdict=DENY/);

  await page.reload();
  await expect(page.getByLabel('Verdict')).toHaveValue('DENY');
  const verdicts = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
  await expect(verdicts.first()).toContainText('DENY');
  await expect(verdicts.filter({ hasText: 'ALLOW' })).toHaveCount(0);
});

test('the log narrows by type and by violated rule', async ({ page, world }) => {
  await page.goto(world.path('decisions'));
  await page.getByLabel('Type', { exact: true }).fill('consumer_loan');
  await page.getByLabel('Violated rule').fill('CC-AMOUNT');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/type=consumer_loan/);
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
  await expect(rows.first()).toContainText('consumer_loan');
  await expect(rows.filter({ hasText: 'ai_tool_call' })).toHaveCount(0);
});

test('a denied decision is explained rule by rule', async ({ page, world }) => {
  const [denied] = await world.decisions('&decision=DENY');
  const found = denied.violations ?? denied.result.violations;
  await page.goto(world.path('decisions?verdict=DENY'));
  await page.getByRole('rowheader').getByRole('link').first().click();

  await expect(page.getByRole('heading', { level: 1 })).toContainText('DENY');
  await page.getByRole('link', { name: /^Violations/ }).click();
  await expect(page).toHaveURL(/show=violations/);
  await expect(page.getByText(found[0].reason_code).first()).toBeVisible();
});

test('a pasted id opens its decision', async ({ page, world }) => {
  const [wanted] = await world.decisions('&decision=ALLOW');
  await page.goto(world.path('policies'));
  await page.getByRole('searchbox', { name: 'Paste a decision id' }).fill(wanted.id);
  await page.getByRole('searchbox', { name: 'Paste a decision id' }).press('Enter');
  await expect(page).toHaveURL(world.path(`decisions/${wanted.id}`));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ALLOW');
});

test("another tenant's page looks missing", async ({ page, world }) => {
  const other = await world.govern.command('tenant', 'create', '--name', 'Other');
  for (const tenant of [other.tenant_id, '00000000-0000-4000-8000-000000000000']) {
    const answer = await page.goto(`/t/${tenant}/decisions`);
    expect(answer?.status()).toBe(404);
    await expect(page.getByText('There is nothing here')).toBeVisible();
  }
});
