// The editor with scripts: it evaluates a sample, saves automatically and keeps unsaved input.

import type { Locator, Page } from '@playwright/test';
import type { Json } from '../support/govern.js';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

// A form that is submitted before hydration is also saved, with a different message.
const expectSaved = (page: Page) =>
  expect(page.getByRole('status').filter({ hasText: /Saved (\d\d:\d\d:\d\d UTC,|as) r\d+/ })).toBeVisible();

const limit = (page: Page) => page.locator('[data-type="threshold"]').getByLabel('At most');

test('a change is evaluated immediately and saved after a pause', { tag: '@firefox' }, async ({ page, env }) => {
  const policy = await env.draftPolicy();
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  const sample = page.getByLabel('Sample context (JSON)');
  const result = page.getByRole('region', { name: 'Result' });
  await sample.fill(JSON.stringify({ decision_type: policy.decisionType, fields: { amount: 501, receipt: 'R-1' } }));
  await expect(result.getByText('DENY', { exact: true })).toBeVisible();
  await limit(page).fill('600');
  await expect(result.getByText('ALLOW', { exact: true })).toBeVisible();
  await expect(page.getByText('amount is at most 600.').first()).toBeVisible();
  await expectSaved(page);
  const version = await env.server.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect(version.rules[0].condition.max).toBe(600);
  // The other rule is unchanged, and no decision was recorded.
  expect(version.rules[1].code).toBe('EXP-RECEIPT');
  const { items } = await env.server.api('GET', `/v1/decisions?decision_type=${policy.decisionType}`);
  expect(items).toEqual([]);
});

test('the last change of a rule is undone, also after it is saved', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  await page.waitForLoadState('networkidle'); // the page is hydrated
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeDisabled();
  await limit(page).fill('600');
  await expectSaved(page);
  const condition = page.getByRole('group', { name: 'Condition 1' });
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await expect(condition).toBeVisible();
  await undo.click();
  await expect(condition).toHaveCount(0);
  await expect(limit(page)).toHaveValue('600');
  await undo.click();
  await expect(limit(page)).toHaveValue('500');
  await expect(undo).toBeDisabled();
  await expect
    .poll(async () => (await env.server.api('GET', `/v1/policies/${policy.id}/versions/1`)).rules[0].condition.max)
    .toBe(500);
});

test('a typed reply stays when another rule is opened', async ({ page, env }) => {
  const policy = await env.returnedPolicy();
  await page.goto(`${policy.versionPath}/edit`);
  await page.waitForLoadState('networkidle'); // the page is hydrated
  const reply = page.getByRole('textbox', { name: /^Reply to/ });
  await page.getByRole('region', { name: 'EXP-LIMIT' }).getByRole('textbox', { name: /^Reply to/ }).fill('Per trip.');
  await page.getByRole('navigation', { name: 'Rules' }).getByRole('link', { name: /EXP-RECEIPT/ }).click();
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('EXP-RECEIPT');
  // Opening a rule changes nothing, so the version is still submitted.
  await expect(page.getByText('This version is still submitted.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit again' })).toBeDisabled();
  const comments = page.getByRole('region', { name: 'Comments' });
  await expect(comments.getByRole('textbox', { name: /^Reply to/ })).toHaveValue('Per trip.');
  await expect(reply).toHaveCount(2);
});

test('typing a sample while a rule is saved does not mark the rule as unsaved', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  let releaseSave = () => {};
  const released = new Promise<void>((resolve) => (releaseSave = resolve));
  await page.route('**/console/save-rule', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  await page.waitForLoadState('networkidle'); // the page is hydrated
  const status = page.getByRole('region', { name: 'EXP-LIMIT' }).getByRole('status');
  const result = page.getByRole('region', { name: 'Result' });
  const fillSample = (amount: number) => {
    const sample = { decision_type: policy.decisionType, fields: { amount, receipt: 'R-1' } };
    return page.getByLabel('Sample context (JSON)').fill(JSON.stringify(sample));
  };
  await limit(page).fill('600');
  await limit(page).blur();
  await expect(status).toHaveText('Saving');
  const saved = page.waitForResponse('**/console/save-rule');
  await fillSample(601);
  await expect(result.getByText('DENY', { exact: true })).toBeVisible();
  releaseSave();
  await saved;
  // The status is checked before the next automatic save.
  await expect(status).toHaveText(/^Saved/, { timeout: 1_000 });
  await fillSample(600);
  await expect(result.getByText('ALLOW', { exact: true })).toBeVisible();
  await expect(status).toHaveText(/^Saved/);
});

test('a typed sample stays when another rule is opened, with its own result', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  await page.waitForLoadState('networkidle'); // the page is hydrated
  const sample = page.getByLabel('Sample context (JSON)');
  const result = page.getByRole('region', { name: 'Result' });
  const text = JSON.stringify({ decision_type: policy.decisionType, fields: { amount: 501, receipt: 'R-1' } });
  await sample.fill(text);
  await expect(result.getByText('DENY', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: /EXP-RECEIPT/ }).click();
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('EXP-RECEIPT');
  await expect(sample).toHaveValue(text);
  await expect(result.getByText('DENY', { exact: true })).toBeVisible();
});

test('a sample is made from the fields of the rules', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  await page.getByLabel('Sample from').selectOption('the fields of the rules');
  await page.getByRole('button', { name: 'Replace sample' }).click();
  const sample = page.getByLabel('Sample context (JSON)');
  await expect(sample).toHaveValue(/"amount": ?500,\s*"receipt": ?""/);
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('with r1');
  const version = await env.server.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect(version.draft_revision).toBe(1);
});

test('input typed before hydration is evaluated and saved after hydration', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  let releaseWasm = () => {};
  const released = new Promise<void>((resolve) => (releaseWasm = resolve));
  await page.route('**/*.wasm', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`, { waitUntil: 'domcontentloaded' });
  await limit(page).fill('600');
  const context = { decision_type: policy.decisionType, fields: { amount: 601, receipt: 'R-1' } };
  await page.getByLabel('Sample context (JSON)').fill(JSON.stringify(context));
  releaseWasm();
  await expectSaved(page);
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText('DENY', { exact: true })).toBeVisible();
  const version = await env.server.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect(version.rules[0].condition.max).toBe(600);
});

test('a stale tab shows who changed the draft, keeps its input and applies it', async ({ page, context, env }) => {
  const policy = await env.draftPolicy();
  const [mine, theirs] = [page, await context.newPage()];
  for (const tab of [mine, theirs]) await tab.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  await limit(theirs).fill('900');
  await expectSaved(theirs);
  await limit(mine).fill('700');
  const note = mine.getByRole('alert').filter({ hasText: 'The draft was updated from r1 to r2' });
  await expect(note).toContainText(/\(admin, \d+ \w+ \d{4} \d\d:\d\d UTC\)/);
  await note.locator('summary', { hasText: 'Show differences' }).click();
  await expect(note.getByRole('row', { name: /900.*700/ })).toBeVisible();
  await expect(limit(mine)).toHaveValue('700');
  await note.getByRole('button', { name: 'Apply mine to r2' }).click();
  await expectSaved(mine);
  const version = await env.server.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect([version.draft_revision, version.rules[0].condition.max]).toEqual([3, 700]);
});

test('invalid input is restored when the page is reopened, until it is discarded', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  const errors = page.getByRole('alert').filter({ hasText: '1 field needs attention.' });
  await limit(page).fill('five hundred');
  await expect(errors).toBeVisible();
  // Only the invalid field is marked, with a red edge.
  await expect(limit(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator('[aria-invalid]')).toHaveCount(1);
  const edge = (field: Locator) => field.evaluate((element) => getComputedStyle(element).borderTopColor);
  expect(await edge(limit(page))).not.toBe(await edge(page.getByLabel('Code', { exact: true })));
  await page.goto(env.path('policies'));
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  await expect(limit(page)).toHaveValue('five hundred');
  await page.getByRole('link', { name: 'Discard my changes' }).click();
  await expect(limit(page)).toHaveValue('500');
  await expect(page.locator('[aria-invalid]')).toHaveCount(0);
});

test('opening another rule saves the current one', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  await limit(page).fill('450');
  // This status shows that the page is hydrated. Before hydration, the link navigates without saving.
  await expect(page.getByRole('status').filter({ hasText: /Not saved|Sav/ })).toBeVisible();
  await page.getByRole('link', { name: /EXP-RECEIPT/ }).click();
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('EXP-RECEIPT');
  const version = await env.server.api('GET', `/v1/policies/${policy.id}/versions/1`);
  expect(version.rules[0].condition.max).toBe(450);
});

test('each rule opens with its own values after another rule was edited', async ({ page, env }) => {
  const policy = await env.draftPolicy();
  await page.goto(`${policy.versionPath}/edit?rule=EXP-LIMIT`);
  const [code, name] = ['Code', 'Name'].map((label) => page.getByLabel(label, { exact: true })) as [Locator, Locator];
  const required = page.locator('[data-type="presence"]').getByLabel('Required');
  const openRule = async (rule: string) => {
    await page.getByRole('link', { name: rule }).click();
    await expect(code).toHaveValue(rule);
    await page.waitForLoadState('networkidle'); // the page is hydrated
  };
  await expect(required).toHaveValue('');
  await limit(page).fill('450');
  // This status shows that the page is hydrated. Before hydration, the link navigates without saving.
  await expect(page.getByRole('status').filter({ hasText: /Not saved|Sav/ })).toBeVisible();
  await openRule('EXP-RECEIPT');
  await expect(required).toHaveValue('receipt');
  await expect(limit(page)).toHaveValue('');
  await required.fill('receipt\nreason');
  await name.fill('Receipt and reason');
  await openRule('EXP-LIMIT');
  await expect(name).toHaveValue('Expenses end at 500');
  await expect(limit(page)).toHaveValue('450');
  await expect(required).toHaveValue('');
  await openRule('EXP-RECEIPT');
  await expect(name).toHaveValue('Receipt and reason');
  await expect(required).toHaveValue('receipt\nreason');
  const { rules } = await env.server.api('GET', `/v1/policies/${policy.id}/versions/1`);
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
].map((rule, index) => ({ code: `R-${index}`, severity: 'low', when: WHEN, ...rule }));

test('every rule type and gate form is unchanged after a save in the editor', async ({ page, env }) => {
  test.slow(); // it opens and saves each of the rules
  const policy = await env.draftPolicy();
  const path = `/v1/policies/${policy.id}/versions/1`;
  await env.server.api('PATCH', path, { expected_revision: 1, rules: RULES });
  for (const [index, rule] of RULES.entries()) {
    await page.goto(`${policy.versionPath}/edit?rule=${rule.code}`);
    await page.getByLabel('Name', { exact: true }).fill(`Rule ${index}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectSaved(page);
  }
  const version = await env.server.api('GET', path);
  expect(version.rules).toEqual(RULES.map((rule, index) => ({ ...rule, name: `Rule ${index}` })));
});
