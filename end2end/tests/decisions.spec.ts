import { UNKNOWN_ID } from '../support/pages.js';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('the verdict filter narrows the decision list and survives a reload', async ({ page, env }) => {
  await page.goto(env.path('decisions'));
  await page.locator('summary', { hasText: 'Verdict' }).click();
  await page.getByRole('link', { name: 'Only DENY' }).click();
  await expect(page).toHaveURL(/[?&]verdict=DENY/);

  await page.reload();
  await expect(page.getByRole('link', { name: 'Clear filter: Verdict' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'DENY', exact: true }).first()).toBeVisible();
  await expect(page.getByRole('cell', { name: 'ALLOW', exact: true })).toHaveCount(0);
});

test('the type and violated rule filters narrow the decision list', async ({ page, env }) => {
  await page.goto(env.path('decisions'));
  const filters = { Type: 'consumer_loan', 'Violated rule': 'CC-AMOUNT' };
  for (const [menu, value] of Object.entries(filters)) {
    await page.locator('summary', { hasText: menu }).click();
    await page.getByRole('combobox', { name: menu, exact: true }).fill(value);
    await page.getByRole('combobox', { name: menu, exact: true }).press('Enter');
    await expect(page.getByRole('link', { name: `Clear filter: ${menu}` })).toBeVisible();
  }
  await expect(page).toHaveURL(/type=consumer_loan&rule=CC-AMOUNT/);
  const types = page.getByRole('cell', { name: /^(public_contract|consumer_loan|ai_tool_call)$/ });
  await expect(types.first()).toHaveText('consumer_loan');
  await expect(types.filter({ hasNotText: 'consumer_loan' })).toHaveCount(0);
});

test('severity, outcome and shadow mode narrow the decision list and can be saved', async ({
  page,
  env,
}) => {
  const [decision] = await env.listDecisions('&severity=high&outcome=none&shadow_converted=false');
  const outcome = { status: 'escalated' };
  await env.server.api('POST', `/v1/decisions/${decision.id}/outcome`, outcome);
  await page.goto(env.path('decisions'));
  const choices = {
    Severity: 'High',
    Outcome: 'Escalated',
    'Shadow mode': 'Verdict not changed',
  };
  for (const [menu, choice] of Object.entries(choices)) {
    await page.locator('summary', { hasText: menu }).click();
    await page.getByRole('link', { name: choice, exact: true }).click();
    await expect(page.getByRole('link', { name: `Clear filter: ${menu}` })).toBeVisible();
  }
  await expect(page).toHaveURL(/severity=high&outcome=escalated&shadow=false$/);
  await expect(page.locator(`a[href="${env.path(`decisions/${decision.id}`)}"]`)).toBeVisible();

  await page.locator('summary', { hasText: 'Save filter' }).click();
  await page.getByLabel('Save filter as').fill('To follow up');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name: 'To follow up', exact: true }).click();
  await expect(page).toHaveURL(/severity=high&outcome=escalated&shadow=false$/);
  await page.getByRole('link', { name: 'Clear filter: Outcome' }).click();
  await expect(page).toHaveURL(/severity=high&shadow=false$/);
});

test('a denied decision shows the reason code of its violation', async ({ page, env }) => {
  const [denied] = await env.listDecisions('&decision=DENY');
  const violations = denied.violations ?? denied.result.violations;
  await page.goto(env.path('decisions?verdict=DENY'));
  await page.getByRole('rowheader').getByRole('link').first().click();

  await expect(page.getByRole('heading', { level: 1 })).toContainText('DENY');
  await page.getByRole('link', { name: /^Violations/ }).click();
  await expect(page).toHaveURL(/show=violations/);
  await expect(page.getByText(violations[0].reason_code).first()).toBeVisible();
});

test('the current time range is marked and can be cleared', async ({ page, env }) => {
  await page.goto(env.path('decisions'));
  const ranges = page.getByRole('navigation', { name: 'Time range' });
  await expect(ranges.locator('[aria-current]')).toHaveText('All time');
  await ranges.getByRole('link', { name: 'Last 24 hours' }).click();
  await expect(page).toHaveURL(/decisions\?range=24h$/);
  await expect(ranges.locator('[aria-current]')).toHaveText('Last 24 hours');
  await page.getByRole('link', { name: 'Clear filter: Time range' }).click();
  await expect(page).toHaveURL(/decisions$/);
});

test('a count next to the list adds its filter, and the bars have a table', async ({ page, env }) => {
  await page.setViewportSize({ width: 1440, height: 900 }); // narrower windows have no room for the counts
  await page.goto(env.path('decisions'));
  const facets = page.getByRole('navigation', { name: 'Narrow down' });
  const denied = facets.getByRole('link', { name: /^DENY/ });
  await denied.click();
  await expect(page).toHaveURL(/decisions\?verdict=DENY$/);
  await expect(denied).toHaveAttribute('aria-current', 'true');
  await page.getByText('As a table').click();
  await expect(page.getByRole('columnheader', { name: 'DENY' })).toBeVisible();
  await denied.click();
  await expect(page).toHaveURL(/decisions$/);
});

test('the removal of a saved filter is undone', async ({ page, env }) => {
  await page.goto(env.path('decisions?verdict=DENY'));
  const saved = page.getByRole('navigation', { name: 'Saved filters' });
  await saved.locator('summary').click();
  await saved.getByLabel('Save filter as').fill('Denied');
  await saved.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(saved.getByRole('link', { name: 'Denied' })).toHaveAttribute('aria-current', 'page');
  await saved.locator('summary').click();
  await saved.getByRole('button', { name: 'Remove: Denied' }).click();
  await expect(page.getByText('Filter removed: Denied')).toBeVisible();
  await expect(saved.getByRole('link', { name: 'Denied' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(saved.getByRole('link', { name: 'Denied' })).toBeVisible();
  await expect(page).toHaveURL(/decisions\?verdict=DENY$/);
  await saved.locator('summary').click();
  await saved.getByRole('button', { name: 'Remove: Denied' }).click();
});

test('a search for a decision ID opens the decision', async ({ page, env }) => {
  const [decision] = await env.listDecisions('&decision=ALLOW');
  await page.goto(env.path('policies'));
  await page.getByRole('searchbox', { name: 'Search or paste an ID' }).fill(decision.id);
  await page.getByRole('searchbox', { name: 'Search or paste an ID' }).press('Enter');
  await expect(page).toHaveURL(env.path(`decisions/${decision.id}`));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ALLOW');
});

test('pages of another tenant and of an unknown tenant return the same 403', async ({
  page,
  env,
}) => {
  const { tenant_id: other } = await env.server.runCommand('tenant', 'create', '--name', 'Other');
  const open = async (tenant: string) => {
    const response = await page.goto(`/t/${tenant}/decisions`);
    return [response?.status(), await page.getByRole('heading', { level: 1 }).innerText()];
  };
  const forbidden = await open(other);
  expect(forbidden).toEqual([403, "You don't have permission"]);
  expect(await open(UNKNOWN_ID)).toEqual(forbidden);
});
