import { NOBODY } from '../support/pages.js';
import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

test('the log narrows by verdict, and the filter survives a reload', async ({ page, world }) => {
  await page.goto(world.path('decisions'));
  await page.getByLabel('Verdict').selectOption('DENY');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/[?&]verdict=DENY/);

  await page.reload();
  await expect(page.getByLabel('Verdict')).toHaveValue('DENY');
  await expect(page.getByRole('cell', { name: 'DENY', exact: true }).first()).toBeVisible();
  await expect(page.getByRole('cell', { name: 'ALLOW', exact: true })).toHaveCount(0);
});

test('the log narrows by type and by violated rule', async ({ page, world }) => {
  await page.goto(world.path('decisions'));
  await page.getByLabel('Type', { exact: true }).fill('consumer_loan');
  await page.getByLabel('Violated rule').fill('CC-AMOUNT');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/type=consumer_loan/);
  const types = page.getByRole('cell', { name: /^(public_contract|consumer_loan|ai_tool_call)$/ });
  await expect(types.first()).toHaveText('consumer_loan');
  await expect(types.filter({ hasNotText: 'consumer_loan' })).toHaveCount(0);
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

test("another tenant's pages look like those of a tenant that does not exist", async ({
  page,
  world,
}) => {
  const { tenant_id: other } = await world.govern.command('tenant', 'create', '--name', 'Other');
  const seen = async (tenant: string) => {
    const answer = await page.goto(`/t/${tenant}/decisions`);
    return [answer?.status(), await page.getByRole('heading', { level: 1 }).innerText()];
  };
  const foreign = await seen(other);
  expect(foreign).toEqual([403, 'You may not see or do this']);
  expect(await seen(NOBODY)).toEqual(foreign);
});
