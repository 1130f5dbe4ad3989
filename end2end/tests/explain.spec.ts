// A user finds a decision and its explanation. This also works without scripts.

import { readFile } from 'node:fs/promises';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('decision filters are part of the URL and survive a reload and Back', async ({ page, env }) => {
  await page.goto(env.path('decisions'));
  const menu = (name: string) => page.locator('summary', { hasText: name }).click();
  await menu('Verdict');
  await page.getByRole('link', { name: 'Only DENY' }).click();
  await menu('Policy');
  await page.getByRole('combobox', { name: 'Policy' }).selectOption({ label: 'Personal loans: affordability and conduct' });
  await page.getByLabel('Version').press('Enter');
  await menu('More filters');
  await page.getByLabel('Actor ID').fill('scoring-service');
  await page.getByLabel('Actor ID').press('Enter');
  await expect(page).toHaveURL(/verdict=DENY&policy=[0-9a-f-]{36}&actor=scoring-service/);
  const expectFilters = async () => {
    const filters = page.getByRole('list', { name: 'Active filters' }).getByRole('listitem');
    await expect(filters).toHaveText(['Verdict DENY', /^Policy Personal loans/, 'Actor ID scoring-service']);
    const types = page.getByRole('cell', { name: /^(public_contract|consumer_loan|ai_tool_call)$/ });
    await expect(types.filter({ hasNotText: 'consumer_loan' })).toHaveCount(0);
    await expect(types.first()).toHaveText('consumer_loan');
  };
  await expectFilters();
  await page.reload();
  await expectFilters();

  await page.getByRole('rowheader').getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName('DENY consumer_loan');
  await page.goBack();
  await expectFilters();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/decisions$/);
});

test('a decision shows violations, not-applicable reasons and passed rules in separate tabs', async ({
  page,
  env,
}) => {
  const all = await env.listDecisions('&decision=DENY');
  const denied = all.find(
    ({ result }) => result.na_rules?.length > 0 && result.rules_evaluated > result.violations.length,
  );
  const [violation] = denied.result.violations;
  const [gate] = denied.result.na_rules;
  await page.goto(env.path(`decisions/${denied.id}`));
  await expect(page.getByText(violation.reason).first()).toBeVisible();
  await expect(page.getByText(gate.reason).first()).toBeHidden(); // folded
  await expect(page.getByText(/^\d+ rules? not applicable$/).first()).toBeVisible();

  await page.getByRole('link', { name: /^Violations/ }).click();
  await expect(page).toHaveURL(/show=violations/);
  await expect(page.getByText(violation.reason).first()).toBeVisible();
  await expect(page.getByText(gate.reason)).toHaveCount(0);
  await page.getByRole('link', { name: /^Not applicable/ }).click();
  await expect(page.getByText(gate.reason).first()).toBeVisible();
  await expect(page.getByText(violation.reason)).toHaveCount(0);
  await page.getByRole('link', { name: /^Passed/ }).click();
  await expect(page.getByText(/^\d+ rules? passed$/).first()).toBeVisible();
  await expect(page.getByText(violation.reason)).toHaveCount(0);
  await page.goBack();
  await expect(page.getByText(gate.reason).first()).toBeVisible();
});

test('a filter is saved, opened and removed, and a duplicate name is rejected', async ({ page, env }) => {
  const name = `Denied ${test.info().project.name}`;
  await page.goto(env.path('decisions?verdict=DENY&rule=CC-AMOUNT'));
  await page.locator('summary', { hasText: 'Save filter' }).click();
  await page.getByLabel('Save filter as').fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');

  await page.goto(env.path('decisions'));
  await page.getByRole('link', { name }).click();
  await expect(page).toHaveURL(/verdict=DENY&rule=CC-AMOUNT$/);
  await expect(page.getByRole('link', { name: 'Clear filter: Violated rule' })).toBeVisible();

  // Names are unique: a duplicate shows an error and keeps the input.
  await page.goto(env.path('decisions?verdict=ALLOW'));
  await page.locator('summary', { hasText: 'Save filter' }).click();
  await page.getByLabel('Save filter as').fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText(`You already have a saved filter called ${name}.`);
  await expect(page.getByLabel('Save filter as')).toHaveValue(name);

  await page.getByRole('button', { name: `Remove: ${name}` }).click();
  await expect(page).toHaveURL(/verdict=ALLOW$/);
  await expect(page.getByRole('link', { name })).toHaveCount(0);
});

test('saved filters are not visible to other users', async ({ page, env }) => {
  await page.goto(env.path('decisions?verdict=REVIEW'));
  await page.locator('summary', { hasText: 'Save filter' }).click();
  await page.getByLabel('Save filter as').fill('Only mine');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Only mine' })).toBeVisible();
  await env.signIn(page, env.ratifier);
  await page.goto(env.path('decisions'));
  await expect(page.getByRole('link', { name: 'All', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Only mine' })).toHaveCount(0);
});

test('a replay shows that the result equals the recorded decision', async ({ page, env }) => {
  const [denied] = await env.listDecisions('&decision=DENY');
  await page.goto(env.path(`decisions/${denied.id}`));
  await page.getByRole('link', { name: 'Replay' }).click();
  await expect(page).toHaveURL(/replay=now/);
  await expect(page.getByRole('region', { name: 'Replay' })).toContainText('The replay matches the recorded decision.');
});

test('an outcome is recorded once, and a second attempt shows the first one', async ({ page, env }) => {
  const key = `outcome ${test.info().project.name}`;
  const { decision } = await env.recordDecision(key);
  await page.goto(env.path(`decisions/${decision.id}`));
  await page.getByRole('link', { name: 'Outcome…' }).click();
  await page.getByLabel('What happened').selectOption('overridden');
  await page.getByLabel('Note (optional)').fill('The treasurer agreed.');
  await page.getByLabel('Your own reference (optional)').fill('CASE-118');
  await page.getByRole('button', { name: 'Record the outcome' }).click();
  await expect(page).toHaveURL(env.path(`decisions/${decision.id}`));
  await expect(page.getByText('Overridden', { exact: true })).toBeVisible();
  await expect(page.getByText('The treasurer agreed.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Outcome…' })).toHaveCount(0);

  // A form that was opened before the first outcome was recorded keeps its input.
  const second = await env.recordDecision(`${key}, second`);
  await page.goto(env.path(`decisions/${second.decision.id}/outcome`));
  await page.getByLabel('What happened').selectOption('accepted');
  await page.getByLabel('Note (optional)').fill('I saw it first.');
  await env.server.api('POST', `/v1/decisions/${second.decision.id}/outcome`, { status: 'expired' });
  await page.getByRole('button', { name: 'Record the outcome' }).click();
  await expect(page.getByText(/^Already recorded as expired by .* It cannot be changed\.$/)).toBeVisible();
  await expect(page.getByText('I saw it first.')).toBeVisible();
  expect((await env.server.api('GET', `/v1/decisions/${second.decision.id}`)).outcome.status).toBe(
    'expired',
  );
});

test('an export has a time range and the filters of the list, and its file names tenant and day', async ({
  page,
  env,
}) => {
  await page.goto(env.path('decisions?verdict=DENY'));
  await page.getByRole('link', { name: 'Export' }).click();
  await expect(page).toHaveURL(/decisions\/export\?verdict=DENY$/);
  await expect(page.getByRole('combobox', { name: 'Verdict' })).toHaveValue('DENY');
  await expect(page.getByLabel('Time zone')).toHaveValue('');
  await page.getByLabel('From', { exact: true }).fill('2020-01-01T00:00:01');
  await page.getByLabel('To', { exact: true }).fill('2040-01-01T00:00:01');
  await page.getByLabel(/^JSON Lines/).check();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^[a-z0-9-]+-decisions-\d{4}-\d\d-\d\d\.ndjson$/);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(new Set(lines.map((line) => JSON.parse(line).decision))).toEqual(new Set(['DENY']));
});
