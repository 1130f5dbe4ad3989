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
