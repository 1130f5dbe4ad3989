// Webhooks: the secret is shown once and signs deliveries, and dead deliveries are retried. The pages also work
// without scripts.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test as base } from '../support/fixtures.js';

interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A local receiver that responds with `status` and stores the requests that it receives. */
class Receiver {
  status = 204;
  readonly requests: ReceivedRequest[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(this.status).end();
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({}, use) => {
    const receiver = new Receiver();
    await receiver.start();
    await use(receiver);
    await receiver.stop();
  },
});

test.beforeEach(async ({ page, env }) => {
  await env.signIn(page, env.server.admin);
});

/** Creates a webhook through the form and returns its secret. No decision has its type, so it gets only tests. */
async function create(page: Page, url: string): Promise<string> {
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByLabel('URL').fill(url);
  await page.getByLabel('Decision types').fill('unused_type');
  await page.getByLabel('From severity').selectOption('Low');
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  const note = page.getByRole('status').filter({ hasText: `Webhook ${url} created.` });
  return (await note.locator('code').textContent()) ?? '';
}

/** Sends a test delivery and waits on its page until it has a status. */
async function sendTest(page: Page, url: string, status: string): Promise<void> {
  await page.getByRole('button', { name: `Send test: ${url}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Delivery to \W?127\.0\.0\.1:\d+/);
  await waitForStatus(page, status);
}

/** Reloads the page of a delivery until it has a status. */
async function waitForStatus(page: Page, status: string): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(page.locator('.page-head .status')).toHaveText(status, { timeout: 100 });
  }).toPass();
}

test('the secret of a new webhook is shown once and signs the test delivery', async ({
  page,
  env,
  receiver,
}) => {
  await page.goto(env.path('policies'));
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Webhooks' }).click();
  const secret = await create(page, receiver.url);
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  await expect(page).toHaveURL(env.path('webhooks'));
  await page.getByRole('link', { name: 'I have copied it' }).click();
  await expect(page.getByRole('rowheader', { name: receiver.url })).toBeVisible();
  expect(await page.content()).not.toContain(secret);

  await sendTest(page, receiver.url, 'Delivered');
  const [request] = receiver.requests;
  if (!request) throw new Error('no request was received');
  const { 'x-service-timestamp': timestamp, 'x-service-signature': signature } = request.headers;
  const expected = createHmac('sha256', secret).update(`${timestamp}.${request.body}`).digest('hex');
  expect(signature).toBe(`sha256=${expected}`);
  const headers = page.getByRole('region', { name: 'Headers of the last attempt' });
  await expect(headers).toContainText(`x-service-signature: ${signature}`);
  await expect(page.getByRole('region', { name: 'Body', exact: true })).toHaveText(request.body);
  await expect(page.getByRole('button', { name: 'Retry delivery' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('button', { name: 'Retry delivery' })).toHaveAccessibleDescription('Already delivered');
});

test('dead deliveries are counted, and are retried one by one, by selection or all together', async ({
  page,
  env,
  receiver,
}) => {
  receiver.status = 500;
  await page.goto(env.path('webhooks'));
  await create(page, receiver.url);
  const links = page.getByRole('navigation', { name: 'Main navigation' });
  for (let round = 0; round < 3; round += 1) {
    await page.goto(env.path('webhooks'));
    await sendTest(page, receiver.url, 'Dead');
  }
  await expect(page.getByText('6 of 6')).toBeVisible();
  await expect(page.getByText('All 6 attempts failed.')).toBeVisible();
  const attempts = page.getByRole('table', { name: 'Attempts' });
  await expect(attempts.getByRole('rowheader')).toHaveText([1, 2, 3, 4, 5, 6].map((n) => `Attempt ${n}`));
  await expect(page.locator('.attempts-plot g.deny')).toHaveCount(6);
  await expect(links.getByRole('link', { name: /^Webhooks [1-9]/ })).toBeVisible();

  receiver.status = 204;
  await page.getByRole('button', { name: 'Retry delivery' }).click();
  await expect(page.getByText('1 delivery is retried.')).toBeVisible();
  await waitForStatus(page, 'Delivered');

  // Of the two remaining deliveries, one is retried by selection and the other with all dead deliveries.
  await page.goto(env.path('webhooks'));
  await page.getByRole('row').filter({ hasText: receiver.url }).getByRole('link', { name: '2', exact: true }).click();
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await page.getByRole('link', { name: 'Select this page' }).click();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await page.getByRole('checkbox').first().uncheck();
  await page.getByRole('button', { name: 'Retry selected' }).click();
  await expect(page.getByText('1 delivery is retried.')).toBeVisible();
  await page.locator('summary', { hasText: 'Retry all dead deliveries' }).click();
  await page.getByRole('button', { name: 'Retry all dead deliveries' }).click();
  await expect(page.getByText('1 delivery is retried.')).toBeVisible();
  await expect(page.getByText('No results')).toBeVisible();
});

test('a rejected address keeps the input, and a webhook is replaced by a copy and deleted', async ({
  page,
  env,
  receiver,
}) => {
  await page.goto(env.path('webhooks/new'));
  await page.getByLabel('URL').fill('https://10.0.0.1/hook');
  await page.getByLabel('Decision types').fill('unused_type');
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  await expect(page.getByRole('alert')).toContainText('URL: must resolve to a public address.');
  await expect(page.getByLabel('URL')).toHaveAccessibleDescription(/Must resolve to a public address\./);
  await expect(page.getByLabel('URL')).toHaveValue('https://10.0.0.1/hook');
  await expect(page.getByLabel('Decision types')).toHaveValue('unused_type');
  await page.getByLabel('URL').fill(receiver.url);
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  await page.getByRole('link', { name: `Replace: ${receiver.url}` }).click();
  await expect(page.getByLabel('Decision types')).toHaveValue('unused_type');
  await page.getByLabel('Decision types').fill('other_unused_type');
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  const rows = page.getByRole('row').filter({ hasText: receiver.url });
  await expect(rows).toHaveCount(2);
  const old = rows.filter({ hasNotText: 'other_unused_type' });
  await old.locator('summary').click();
  await old.getByRole('button', { name: `Delete: ${receiver.url}` }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('other_unused_type');
});

test('the page of a pending delivery updates itself until the delivery ends', async ({
  page,
  env,
  receiver,
  javaScriptEnabled,
}) => {
  test.skip(javaScriptEnabled === false, 'a page without scripts is static');
  receiver.status = 500;
  await page.goto(env.path('webhooks'));
  await create(page, receiver.url);
  await page.getByRole('link', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: `Send test: ${receiver.url}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Delivery to');
  // The six attempts end within a second, so the first update shows the last status. The page is not reloaded.
  await expect(page.locator('.page-head .status')).toHaveText('Dead', { timeout: 15_000 });
  await expect(page.locator('[data-refresh]')).toHaveCount(0);
});
