// Hosted forms: the public page and the editor in the console. Both also work without scripts.

import { randomUUID } from 'node:crypto';
import type { Json } from '../support/govern.js';
import { procurementPath } from '../support/pages.js';
import { expect, test, type TestEnv } from '../support/fixtures.js';

/** Creates a published form with three questions for the demo's policy. */
async function createForm(env: TestEnv, overrides: Json = {}): Promise<Json> {
  const policy_id = (await procurementPath(env)).split('/').at(-1);
  return env.server.api('POST', '/v1/forms', {
    policy_id,
    title: `Vendor request ${randomUUID().slice(0, 8)}`,
    is_published: true,
    fields: [
      { name: 'contract.value_inc_vat', label: 'Contract value', type: 'number', required: true },
      {
        name: 'contract.currency',
        label: 'Currency',
        type: 'select',
        options: [
          { value: 'GBP', label: 'Pound' },
          { value: 'EUR', label: 'Euro' },
        ],
      },
      { name: 'urgent', label: 'Is it urgent?', type: 'boolean', help: 'It changes nothing.' },
    ],
    ...overrides,
  });
}

test('a form takes three steps (open, fill, submit), keeps answers after an error and shows one receipt', { tag: '@firefox' }, async ({
  page,
  env,
}) => {
  const { id, title } = await createForm(env, { success_message: 'Thank you.' });
  const response = await page.goto(`/f/${id}`);
  expect(response?.headers()['content-security-policy']).not.toContain('script');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);

  await page.getByLabel('Contract value').fill('2,5oo');
  await page.getByLabel('Currency').selectOption('Euro');
  await page.getByLabel('Yes').check();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveTitle(`Error: ${title}`);
  const summary = page.getByRole('alert');
  await expect(summary).toContainText('1 field needs attention');
  await summary.getByRole('link', { name: 'Contract value' }).click();
  await expect(page.getByLabel('Contract value')).toBeFocused();
  await expect(page.getByLabel('Contract value')).toHaveValue('2,5oo');
  await expect(page.getByLabel('Contract value')).toHaveAccessibleDescription(/for example 2500/);
  await expect(page.getByLabel('Currency')).toHaveValue('EUR');
  await expect(page.getByLabel('Yes')).toBeChecked();

  await page.getByLabel('Contract value').fill('2500');
  // A double click creates one decision.
  await page.getByRole('button', { name: 'Submit' }).dblclick();
  await expect(page).toHaveURL(new RegExp(`/f/${id}/receipts/`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Your answers|A person must)/);
  await expect(page.getByText('Thank you.')).toBeVisible();
  await expect(page.getByText('Save this link')).toBeVisible();
  await expect(page.getByRole('link', { name: page.url() })).toBeVisible();
  const decision = page.url().split('/').at(-1);
  const receipt = await (await page.request.get(`/v1/receipts/${decision}`)).json();
  expect(receipt.signature).toBeTruthy();
  expect((await env.server.api('GET', `/v1/forms/${id}`)).tokens_used).toBe(1);
});

test('a number with two readings is asked back, and the result shows what was read', async ({ page, env }) => {
  const { id } = await createForm(env, { language: 'de' });
  await page.goto(`/f/${id}`);
  await page.getByLabel('Contract value').fill('1.250');
  await page.getByRole('button', { name: 'Absenden' }).click();
  await expect(page.getByLabel('Contract value')).toHaveAccessibleDescription(/zwei Arten/);
  await page.getByRole('group', { name: 'Gemeint ist' }).getByLabel('1250').check();
  await page.getByRole('button', { name: 'Absenden' }).click();
  await expect(page.getByRole('heading', { name: 'So wurden Ihre Zahlen gelesen' })).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: /^1250$/ })).toBeVisible();
});

test('a form over its budget shows the limit, keeps the answers and cannot be submitted', async ({ page, env }) => {
  const { id } = await createForm(env, { token_budget: { limit: 1, window: 'hour' } });
  const values = { 'contract.value_inc_vat': 1 };
  await page.goto(`/f/${id}`);
  await page.getByLabel('Contract value').fill('77');
  // Another submitter uses the budget first.
  await page.request.post(`/v1/forms/${id}/submit`, { data: { values } });
  const rejection = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Submit' }).click();
  expect((await rejection).status()).toBe(429);
  await expect(page.getByRole('alert')).toContainText('hourly submission limit');
  await expect(page.getByLabel('Contract value')).toHaveValue('77');

  // A newly opened page shows the limit and no form.
  await page.goto(`/f/${id}`);
  await expect(page.getByText('hourly submission limit')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit' })).toHaveCount(0);
});

test('a form requires its access token or its password', async ({ page, env }) => {
  const { id } = await createForm(env, { access_mode: 'token' });
  const { url, token } = await env.server.api('POST', `/v1/forms/${id}/tokens`, { max_uses: 1 });
  await page.goto(`/f/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access token required');
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('Contract value')).toBeVisible();
  expect(new URL(url).search).toBe(new URL(page.url()).search);

  const password = 'open-sesame';
  await env.server.api('PATCH', `/v1/forms/${id}`, { access_mode: 'password', password });
  await page.goto(`/f/${id}`);
  await page.getByLabel('Password').fill('close-sesame');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toContainText('Incorrect password');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Contract value').fill('1');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Your answers|A person must)/);
});

test('a form is created, changed, published, given a token and deleted', async ({ page, env }) => {
  await env.signIn(page, env.server.admin);
  const title = `Contracts ${randomUUID().slice(0, 8)}`;
  await page.goto(env.path('policies'));
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Forms' }).click();
  await page.locator('summary', { hasText: 'Create form' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('combobox', { name: 'Policy' }).selectOption({ label: 'Public procurement: award and modification' });
  await page.getByRole('button', { name: 'Create form' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByText('Publish the form to activate this link.')).toBeVisible();
  const preview = page.locator('.preview');
  await expect(preview.getByText('Contract value inc vat')).toBeVisible();

  await page.getByRole('button', { name: 'Questions as JSON' }).click();
  await expect(page).toHaveURL(/\?as=json$/);
  await page.getByLabel('Questions as JSON').fill('[{"name": "a", "label": "Only one", "type": "text"}]');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(preview.getByText('Only one')).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Anyone with this link can submit.')).toBeVisible();

  await page.getByRole('link', { name: 'Access', exact: true }).click();
  await page.getByLabel('Uses').fill('3');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByRole('status').getByText(/access_token=frm_/)).toBeVisible();
  await page.getByRole('link', { name: 'I have copied it' }).click();
  await expect(page.getByText('0 of 3')).toBeVisible();
  await expect(page.getByText(/access_token=frm_/)).toHaveCount(0);
  await page.getByRole('link', { name: 'Integrate' }).click();
  await expect(page.getByRole('region', { name: 'curl' })).toContainText('/submit');

  await page.locator('summary', { hasText: 'Delete this form' }).click();
  await page.getByRole('button', { name: 'Delete this form' }).click();
  await expect(page).toHaveURL(env.path('forms'));
  await expect(page.getByRole('rowheader', { name: title })).toHaveCount(0);
});

test('questions are added, moved, removed and corrected without losing other input', async ({ page, env }) => {
  await env.signIn(page, env.server.admin);
  const { id } = await createForm(env);
  const names = async () => {
    const { fields } = await env.server.api('GET', `/v1/forms/${id}`);
    return fields.map((field: Json) => field.name);
  };
  const group = (position: number) => page.getByRole('group', { name: `Question ${position}:` });
  const summary = (position: number) => page.locator('summary', { hasText: `Question ${position}:` });
  await page.goto(env.path(`forms/${id}/edit`));
  await page.getByLabel('Title').fill('New title');
  await page.getByRole('button', { name: 'Add a question' }).click();
  await expect(page.getByText('unsaved changes')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('New title');
  await expect(summary(4)).toBeFocused();

  // The page shows only the inputs of the selected type, also without scripts.
  const fourth = group(4);
  await fourth.getByLabel('Question', { exact: true }).fill('Colour');
  await fourth.getByLabel('Field name').fill('colour');
  await expect(fourth.getByLabel('Maximum length')).toBeVisible();
  await fourth.getByLabel('Type').selectOption('One of the options');
  await expect(fourth.getByLabel('Maximum length')).toBeHidden();
  await fourth.getByLabel('Options').fill('red | Red\nblue | Blue');
  await page.getByRole('button', { name: 'Up question 4' }).click();
  await expect(summary(3)).toContainText('Colour');
  await expect(summary(3)).toBeFocused();
  await page.getByRole('button', { name: 'Remove question 1: Contract value' }).click();
  await expect(summary(1)).toContainText('Currency');
  expect(await names()).toHaveLength(3);

  // A rejected save shows the error at its input.
  await summary(3).click();
  await group(3).getByLabel('Question', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toBeFocused();
  await alert.getByRole('link', { name: 'Question 3, question: must not be empty.' }).click();
  const invalid = group(3).getByLabel('Question', { exact: true });
  await expect(invalid).toBeFocused();
  await expect(invalid).toHaveAccessibleDescription(/Must not be empty/);
  await invalid.fill('Is it very urgent?');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('unsaved changes')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New title');
  expect(await names()).toEqual(['contract.currency', 'colour', 'urgent']);
  await page.goto(`/f/${id}`);
  await expect(page.getByLabel('Colour')).toContainText('Blue');
});

test('a button that is pressed during a preview waits for it, since both store the input', async ({
  page,
  env,
  javaScriptEnabled,
}) => {
  test.skip(javaScriptEnabled === false, 'a page without scripts has no preview');
  await env.signIn(page, env.server.admin);
  const { id } = await createForm(env);
  await page.goto(env.path(`forms/${id}/edit`));
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/console/preview-questions', async (route) => {
    await answered;
    await route.continue();
  });
  await page.getByLabel('Title').fill('New title');
  await page.waitForRequest('**/console/preview-questions');
  await page.getByRole('button', { name: 'Down question 1' }).click();
  expect(sent).toEqual(['/console/preview-questions']);
  answer();
  await expect(page.locator('summary', { hasText: 'Question 2:' })).toContainText('Contract value');
  await expect(page.getByLabel('Title')).toHaveValue('New title');
});
