// Chains: from a decision to its chain, along its steps, and to its bundle.

import { randomUUID } from 'node:crypto';
import { expect, test } from '../support/fixtures.js';

test('a chain links its steps, is verified, shows its seal and is downloaded', async ({ page, env }) => {
  await env.signIn(page, env.server.admin);
  const chain_id = randomUUID();
  const ids: string[] = [];
  for (const step of [1, 2, 5]) {
    const { decision } = await env.recordDecision(`${chain_id} ${step}`, { chain_id, chain_step: step });
    ids.push(decision.id);
  }
  await page.goto(env.path(`decisions/${ids[0]}`));
  const chainCard = page.getByRole('heading', { name: 'Chain', exact: true }).locator('..');
  await chainCard.getByRole('link', { name: '2', exact: true }).click();
  await expect(page).toHaveURL(env.path(`decisions/${ids[1]}`));
  await expect(chainCard.getByRole('definition')).toHaveText([chain_id, '2', '1', '5']);
  await chainCard.getByRole('link', { name: chain_id }).click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chain');
  const status = page.getByRole('status').filter({ hasText: 'All links are valid: 3 steps' });
  await expect(status).toContainText('Open: more steps can be added');
  await expect(status).toContainText('Unused step numbers: 3 to 4.');
  await expect(page.getByRole('rowheader')).toHaveText(['Step 1', 'Step 2', 'Step 5']);
  const seal = await env.server.api('POST', `/v1/chains/${chain_id}/seal`, {});
  await page.getByRole('link', { name: 'Check again' }).click();
  await expect(status).toContainText('Sealed. No step can be added.');
  await expect(page.getByRole('region', { name: 'Seal' })).toContainText(seal.seal_digest);

  const href = await page.getByRole('link', { name: 'Download the bundle' }).getAttribute('href');
  const bundle = await page.request.get(href ?? '');
  expect([bundle.status(), bundle.headers()['content-type']]).toEqual([200, 'application/x-tar']);
  await page.getByRole('link', { name: 'Step 5' }).click();
  await expect(page).toHaveURL(env.path(`decisions/${ids[2]}`));

  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Chains' }).click();
  await page.locator('summary', { hasText: 'Status' }).click();
  await page.getByRole('link', { name: 'Sealed', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Clear filter: Status' })).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: chain_id });
  await expect(row.getByRole('cell')).toHaveText(['Sealed', '3', '5', /^(just now|\d+ \w+ ago)$/]);
  await row.getByRole('link').click();
  await expect(page).toHaveURL(env.path(`chains/${chain_id}`));
});
