// From a decision to its chain, along the chain, and to the bundle of all of it.

import { randomUUID } from 'node:crypto';
import { expect, test } from '../support/world.js';

test('a chain is walked from decision to decision, checked, sealed and taken out', async ({ page, world }) => {
  await world.signIn(page, world.govern.admin);
  const chain_id = randomUUID();
  const ids: string[] = [];
  for (const step of [1, 2, 5]) {
    const { decision } = await world.record(`${chain_id} ${step}`, { chain_id, chain_step: step });
    ids.push(decision.id);
  }
  await page.goto(world.path(`decisions/${ids[0]}`));
  const about = page.getByRole('heading', { name: 'Chain', exact: true }).locator('..');
  await about.getByRole('link', { name: '2', exact: true }).click();
  await expect(page).toHaveURL(world.path(`decisions/${ids[1]}`));
  await expect(about.getByRole('definition')).toHaveText([chain_id, '2', '1', '5']);
  await about.getByRole('link', { name: chain_id }).click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chain');
  const found = page.getByRole('status').filter({ hasText: 'Every link holds: 3 steps' });
  await expect(found).toContainText('Open. Later steps can still be added.');
  await expect(found).toContainText('Steps without a decision: 3 to 4.');
  await expect(page.getByRole('rowheader')).toHaveText(['Step 1', 'Step 2', 'Step 5']);
  const seal = await world.govern.api('POST', `/v1/chains/${chain_id}/seal`, {});
  await page.getByRole('link', { name: 'Check again' }).click();
  await expect(found).toContainText('Sealed. No step can be added.');
  await expect(page.getByRole('region', { name: 'Seal' })).toContainText(seal.seal_digest);

  const address = await page.getByRole('link', { name: 'Download the bundle' }).getAttribute('href');
  const bundle = await page.request.get(address ?? '');
  expect([bundle.status(), bundle.headers()['content-type']]).toEqual([200, 'application/x-tar']);
  await page.getByRole('link', { name: 'Step 5' }).click();
  await expect(page).toHaveURL(world.path(`decisions/${ids[2]}`));
});
