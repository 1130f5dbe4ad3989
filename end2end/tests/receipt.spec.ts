import { UNKNOWN_ID } from '../support/pages.js';
import { expect, test } from '../support/fixtures.js';

test('the receipt is readable without signing in', { tag: '@firefox' }, async ({ page, env }) => {
  const [denied] = await env.listDecisions('&decision=DENY');
  const response = await page.goto(`/r/${denied.id}`);
  expect(response?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('DENY');
  await expect(page.getByText(/: DENY, because \d+ of \d+ applicable rules? (is|are) violated\./)).toBeVisible();
  await expect(page.getByText('Integrity hash')).toBeHidden();
  await page.getByText('Proof', { exact: true }).click();

  const receipt = await (await page.request.get(`/v1/receipts/${denied.id}`)).json();
  const mainText = async () => (await page.getByRole('main').innerText()).replace(/\s/g, '');
  expect(await mainText()).toContain(receipt.result.integrity_hash);
  expect(await mainText()).toContain(receipt.signature);
  const bundle = page.getByRole('link', { name: 'Download the bundle' });
  await expect(bundle).toHaveAttribute('href', `/v1/receipts/${denied.id}/bundle`);
});

test('the receipt prints completely, black on white, with its link and the time of reading', async ({ page, env }) => {
  const [denied] = await env.listDecisions('&decision=DENY');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.goto(`/r/${denied.id}`);
  const receipt = await (await page.request.get(`/v1/receipts/${denied.id}`)).json();
  const main = page.getByRole('main');
  expect((await main.innerText()).replace(/\s/g, '')).toContain(receipt.signature);
  await expect(main.getByText(/^Retrieved from the service \d/)).toBeVisible();
  await expect(main.getByRole('link', { name: `${env.server.url}/r/${denied.id}` })).toBeVisible();
  await expect(main.getByRole('img', { name: "QR code of this receipt's link" })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Help' })).toBeHidden();
  await expect(main.getByRole('button')).toHaveCount(0);
  const textColors = await main.evaluate((main) =>
    [main, ...main.querySelectorAll('.status, .severity, dd, h1')].map((element) => getComputedStyle(element).color),
  );
  expect(new Set(textColors)).toEqual(new Set(['rgb(0, 0, 0)']));
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(background).toBe('rgb(255, 255, 255)');
});

test('the receipt page is excluded from search indexes', async ({ page, env }) => {
  const [decision] = await env.listDecisions();
  await page.goto(`/r/${decision.id}`);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
});

test('an ID without a receipt returns 404', async ({ page }) => {
  for (const id of [UNKNOWN_ID, 'no-id']) {
    const response = await page.goto(`/r/${id}`);
    expect(response?.status()).toBe(404);
  }
});
