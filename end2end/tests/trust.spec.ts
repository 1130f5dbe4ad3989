// The public page of the signing keys and the trust registry.

import { expect, test } from '../support/fixtures.js';

test('the published signing keys are listed and the registry is downloaded without signing in', async ({ page }) => {
  const response = await page.request.get('/v1/.well-known/signing-keys');
  const { keys } = await response.json();
  await page.goto('/help');
  await page.getByRole('link', { name: 'Signing keys' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Signing keys');
  await expect(page.getByText('Compare them with a copy from an independent source')).toBeVisible();
  const table = page.getByRole('table', { name: 'Keys' });
  for (const { kid } of keys) {
    await expect(table.getByRole('row').filter({ hasText: kid })).toContainText('Active');
  }
  const download = page.getByRole('link', { name: 'Download the registry' });
  const registry = await page.request.get((await download.getAttribute('href')) ?? '');
  const { payload } = await registry.json();
  const { version } = JSON.parse(Buffer.from(payload, 'base64').toString());
  await expect(page.getByRole('definition').first()).toHaveText(String(version));
});

test('the transparency log shows its checkpoint and the inclusion proof of a receipt', async ({ page, env }) => {
  const [decision] = await env.listDecisions();
  await page.goto(`/r/${decision.id}`);
  await page.getByText('Proof', { exact: true }).click();
  await page.getByRole('link', { name: 'Show in the transparency log' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transparency log');
  const entry = page.getByRole('article');
  await expect(entry.getByRole('heading', { name: 'Receipt' })).toBeVisible();
  await expect(entry.getByRole('region', { name: 'Inclusion proof' })).toContainText('c2sp.org/tlog-proof@v1');

  await page.getByRole('textbox', { name: /^Digest/ }).fill('0'.repeat(64));
  await page.getByRole('button', { name: 'Look up' }).click();
  await expect(page.getByText('The log has no entry for this digest.')).toBeVisible();
});
