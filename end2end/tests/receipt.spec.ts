import { NOBODY } from '../support/pages.js';
import { expect, test } from '../support/world.js';

test('anyone who has the link reads the receipt', async ({ page, world }) => {
  const [denied] = await world.decisions('&decision=DENY');
  const answer = await page.goto(`/r/${denied.id}`);
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt');
  await expect(page.getByText('DENY').first()).toBeVisible();

  const receipt = await (await page.request.get(`/v1/receipts/${denied.id}`)).json();
  const bare = async () => (await page.getByRole('main').innerText()).replace(/\s/g, '');
  expect(await bare()).toContain(receipt.result.integrity_hash);
  expect(await bare()).toContain(receipt.signature);
  const bundle = page.getByRole('link', { name: 'Download the bundle' });
  await expect(bundle).toHaveAttribute('href', `/v1/receipts/${denied.id}/bundle`);
});

test('the receipt prints black on white, whole, and with its time', async ({ page, world }) => {
  const [denied] = await world.decisions('&decision=DENY');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.goto(`/r/${denied.id}`);
  const receipt = await (await page.request.get(`/v1/receipts/${denied.id}`)).json();
  const main = page.getByRole('main');
  expect((await main.innerText()).replace(/\s/g, '')).toContain(receipt.signature);
  await expect(main.getByText(/^Read from the service \d/)).toBeVisible();
  await expect(main.getByRole('link', { name: `${world.govern.url}/r/${denied.id}` })).toBeVisible();
  await expect(main.getByRole('img', { name: "QR code of this receipt's link" })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Help' })).toBeHidden();
  await expect(main.getByRole('button')).toHaveCount(0);
  const inks = await main.evaluate((main) =>
    [main, ...main.querySelectorAll('.badge, dd, h1')].map((part) => getComputedStyle(part).color),
  );
  expect(new Set(inks)).toEqual(new Set(['rgb(0, 0, 0)']));
  const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(paper).toBe('rgb(255, 255, 255)');
});

test('the receipt asks search engines to stay away', async ({ page, world }) => {
  const [decision] = await world.decisions();
  await page.goto(`/r/${decision.id}`);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
});

test('an id without a receipt is a missing page', async ({ page }) => {
  for (const id of [NOBODY, 'no-id']) {
    const answer = await page.goto(`/r/${id}`);
    expect(answer?.status()).toBe(404);
  }
});
