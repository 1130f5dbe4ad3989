// The editor with scripts: it saves by itself, shows what the draft decides, and loses nothing.

import type { Locator, Page } from '@playwright/test';
import type { Json } from '../support/govern.js';
import { expect, test } from '../support/world.js';

test.beforeEach(async ({ page, world }) => world.signIn(page, world.govern.admin));

// A form that is sent before its page is awake is saved too, and says so in its own words.
const saved = (page: Page) =>
  expect(page.getByRole('status').filter({ hasText: /Saved (\d\d:\d\d:\d\d UTC,|as) r\d+/ })).toBeVisible();

const limit = (page: Page) => page.locator('[data-type="threshold"]').getByLabel('At most');

test('what is typed is tried at once and saved after a pause', async ({ page, world }) => {
  const policy = await world.draft();
  await page.goto(`${policy.version}/edit?rule=EXP-LIMIT`);
  const sample = page.getByLabel('Sample context (JSON)');
  const found = page.getByRole('region', { name: 'What would be decided' });
  await sample.fill(JSON.stringify({ decision_type: policy.decisionType, fields: { amount: 501, receipt: 'R-1' } }));
  await expect(found.getByText('DENY', { exact: true })).toBeVisible();
  await limit(page).fill('600');
  await expect(found.getByText('ALLOW', { exact: true })).toBeVisible();
  await expect(page.getByText('amount is at most 600.').first()).toBeVisible();
  await saved(page);
  const version = await world.govern.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect(version.rules[0].condition.max).toBe(600);
  // Nothing else was touched, and nothing was recorded.
  expect(version.rules[1].code).toBe('EXP-RECEIPT');
  const { items } = await world.govern.api('GET', `/v1/decisions?decision_type=${policy.decisionType}`);
  expect(items).toEqual([]);
});

test('what is typed before the page is awake is tried and saved when it wakes', async ({ page, world }) => {
  const policy = await world.draft();
  let wake = () => {};
  const morning = new Promise<void>((resolve) => (wake = resolve));
  await page.route('**/*.wasm', async (route) => {
    await morning;
    await route.continue();
  });
  await page.goto(`${policy.version}/edit?rule=EXP-LIMIT`, { waitUntil: 'domcontentloaded' });
  await limit(page).fill('600');
  const context = { decision_type: policy.decisionType, fields: { amount: 601, receipt: 'R-1' } };
  await page.getByLabel('Sample context (JSON)').fill(JSON.stringify(context));
  wake();
  await saved(page);
  const found = page.getByRole('region', { name: 'What would be decided' });
  await expect(found.getByText('DENY', { exact: true })).toBeVisible();
  const version = await world.govern.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect(version.rules[0].condition.max).toBe(600);
});

test('two tabs on one draft: the second is told who moved it, and keeps its text', async ({ page, context, world }) => {
  const policy = await world.draft();
  const [mine, theirs] = [page, await context.newPage()];
  for (const tab of [mine, theirs]) await tab.goto(`${policy.version}/edit?rule=EXP-LIMIT`);
  await limit(theirs).fill('900');
  await saved(theirs);
  await limit(mine).fill('700');
  const note = mine.getByRole('alert').filter({ hasText: 'The draft moved from r1 to r2' });
  await expect(note).toContainText(/\(admin, \d+ \w+ \d{4} \d\d:\d\d UTC\)/);
  await expect(note.getByRole('row', { name: /900.*700/ })).toBeVisible();
  await expect(limit(mine)).toHaveValue('700');
  await note.getByRole('button', { name: 'Apply mine on r2' }).click();
  await saved(mine);
  const version = await world.govern.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect([version.draft_revision, version.rules[0].condition.max]).toEqual([3, 700]);
});

test('a text that cannot be saved outlives its page', async ({ page, world }) => {
  const policy = await world.draft();
  await page.goto(`${policy.version}/edit?rule=EXP-LIMIT`);
  const refused = page.getByRole('alert').filter({ hasText: '1 thing to correct' });
  await limit(page).fill('five hundred');
  await expect(refused).toBeVisible();
  await page.goto(world.path('policies'));
  await page.goto(`${policy.version}/edit?rule=EXP-LIMIT`);
  await expect(limit(page)).toHaveValue('five hundred');
  await page.getByRole('link', { name: 'Discard what I typed' }).click();
  await expect(limit(page)).toHaveValue('500');
});

test('opening another rule saves the one that is open', async ({ page, world }) => {
  const policy = await world.draft();
  await page.goto(`${policy.version}/edit?rule=EXP-LIMIT`);
  await limit(page).fill('450');
  // A page that sleeps is left as any page is.
  await expect(page.getByRole('status').filter({ hasText: /Not saved|Sav/ })).toBeVisible();
  await page.getByRole('link', { name: /EXP-RECEIPT/ }).click();
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('EXP-RECEIPT');
  const version = await world.govern.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect(version.rules[0].condition.max).toBe(450);
});

test('every rule is opened with its own text, whatever was typed into the one before', async ({ page, world }) => {
  const policy = await world.draft();
  await page.goto(`${policy.version}/edit?rule=EXP-LIMIT`);
  const [code, name] = ['Code', 'Name'].map((label) => page.getByLabel(label, { exact: true })) as [Locator, Locator];
  const required = page.locator('[data-type="presence"]').getByLabel('Must be given');
  const turnTo = async (rule: string) => {
    await page.getByRole('link', { name: rule }).click();
    await expect(code).toHaveValue(rule);
  };
  await expect(required).toHaveValue('');
  await limit(page).fill('450');
  // From here on the page is awake, and rules are opened on it.
  await expect(page.getByRole('status').filter({ hasText: /Not saved|Sav/ })).toBeVisible();
  await turnTo('EXP-RECEIPT');
  await expect(required).toHaveValue('receipt');
  await expect(limit(page)).toHaveValue('');
  await required.fill('receipt\nreason');
  await name.fill('Receipt and reason');
  await turnTo('EXP-LIMIT');
  await expect(name).toHaveValue('Expenses end at 500');
  await expect(limit(page)).toHaveValue('450');
  await expect(required).toHaveValue('');
  await turnTo('EXP-RECEIPT');
  await expect(name).toHaveValue('Receipt and reason');
  await expect(required).toHaveValue('receipt\nreason');
  const { rules } = await world.govern.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect(rules.map((rule: Json) => [rule.name, rule.condition])).toEqual([
    ['Expenses end at 500', { field: 'amount', max: 450 }],
    ['Receipt and reason', { required_fields: ['receipt', 'reason'] }],
  ]);
});

const WHEN = {
  any: [
    { all: [{ field: 'a', equals: 'x', case_sensitive: false }, { field: 'b', in: [1, 2] }] },
    { field: 'c', exists: true },
    { field: 'd', exists: false },
    { field: 'e', in: ['x', 1, true] },
  ],
};

const RULES: Json[] = [
  { rule_type: 'presence', condition: { required_fields: ['a', 'b'], min_length: { a: 3 } } },
  { rule_type: 'presence', condition: { forbidden_fields: ['c'] } },
  { rule_type: 'threshold', condition: { field: 'n', min: 1, max: 2.5, exclusive_max: true } },
  { rule_type: 'list', condition: { field: 'l', allowed: ['x', 'y'], case_sensitive: true } },
  { rule_type: 'list', condition: { field: 'l', forbidden: [1, 'one', false] } },
  { rule_type: 'temporal', condition: { field: 'd', check: 'not_expired' } },
  { rule_type: 'temporal', condition: { field: 'd', max_age_days: 30 } },
  { rule_type: 'temporal', condition: { field: 'd', not_after: '2026-12-31' } },
  { rule_type: 'pattern', condition: { field: 'p', forbids: '^\\d+$' } },
  { rule_type: 'comparison', condition: { left: 'a', operator: 'lte', right: 'b' } },
  { rule_type: 'comparison', condition: { left: 'a', operator: 'ne', right_value: true } },
  { rule_type: 'evidence', condition: { required_kinds: ['kyc'], verify_hash: false } },
  { rule_type: 'distinct', condition: { fields: ['a', 'b'], include_actor: true } },
].map((rule, place) => ({ code: `R-${place}`, severity: 'low', when: WHEN, ...rule }));

test('every rule type and gate form comes back from its form as it was', async ({ page, world }) => {
  const policy = await world.draft();
  const path = `/v1/policies/${policy.id}/versions/1`;
  await world.govern.api('PATCH', path, { expected_revision: 1, rules: RULES });
  for (const [place, rule] of RULES.entries()) {
    await page.goto(`${policy.version}/edit?rule=${rule.code}`);
    await page.getByLabel('Name', { exact: true }).fill(`Rule ${place}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
  }
  const version = await world.govern.api('GET', path);
  expect(version.rules).toEqual(RULES.map((rule, place) => ({ ...rule, name: `Rule ${place}` })));
});
