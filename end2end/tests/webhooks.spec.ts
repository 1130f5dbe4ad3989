// Webhooks: the secret is seen once and signs what arrives; what is dead is tried again. It must work without
// scripts too.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test as base } from '../support/world.js';

interface Call {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver on this machine, which answers as it is told and keeps what it was sent. */
class Receiver {
  status = 204;
  readonly calls: Call[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
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

test.beforeEach(async ({ page, world }) => {
  await world.signIn(page, world.govern.admin);
});

/** Makes a webhook by its form, to which nobody but its test sends anything; gives the secret. */
async function create(page: Page, url: string): Promise<string> {
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByLabel('Address').fill(url);
  await page.getByLabel('Decision types').fill('asked_of_nobody');
  await page.getByLabel('From severity').selectOption('Low');
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  const note = page.getByRole('status').filter({ hasText: `The webhook ${url} is made.` });
  return (await note.locator('code').textContent()) ?? '';
}

/** Sends a test, and waits on its page until it says `status`. */
async function sendTest(page: Page, url: string, status: string): Promise<void> {
  await page.getByRole('button', { name: `Send test: ${url}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Delivery');
  await settled(page, status);
}

async function settled(page: Page, status: string): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(page.locator('.page-head .badge')).toHaveText(status, { timeout: 100 });
  }).toPass();
}

test('a webhook is made, its secret is seen once, and a test arrives that it signs', async ({
  page,
  world,
  receiver,
}) => {
  await page.goto(world.path('policies'));
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).click();
  const secret = await create(page, receiver.url);
  expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  await expect(page).toHaveURL(world.path('webhooks'));
  await page.getByRole('link', { name: 'I have copied it' }).click();
  await expect(page.getByRole('rowheader', { name: receiver.url })).toBeVisible();
  expect(await page.content()).not.toContain(secret);

  await sendTest(page, receiver.url, 'Delivered');
  const [call] = receiver.calls;
  if (!call) throw new Error('nothing arrived');
  const { 'x-service-timestamp': timestamp, 'x-service-signature': signature } = call.headers;
  const expected = createHmac('sha256', secret).update(`${timestamp}.${call.body}`).digest('hex');
  expect(signature).toBe(`sha256=${expected}`);
  const sent = page.getByRole('region', { name: 'Headers of the last attempt' });
  await expect(sent).toContainText(`x-service-signature: ${signature}`);
  await expect(page.getByRole('region', { name: 'Body, the same at every attempt' })).toHaveText(call.body);
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveAccessibleDescription('Already delivered');
});

test('what is dead is counted, and tried again: one, what is ticked, and all of them', async ({
  page,
  world,
  receiver,
}) => {
  receiver.status = 500;
  await page.goto(world.path('webhooks'));
  await create(page, receiver.url);
  const links = page.getByRole('navigation', { name: 'Pages' });
  for (let round = 0; round < 3; round += 1) {
    await page.goto(world.path('webhooks'));
    await sendTest(page, receiver.url, 'Dead');
  }
  await expect(page.getByText('6 of 6')).toBeVisible();
  await expect(page.locator('.timeline li')).toHaveCount(6);
  await expect(links.getByRole('link', { name: /^Webhooks [1-9]/ })).toBeVisible();

  receiver.status = 204;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('1 delivery is tried again.')).toBeVisible();
  await settled(page, 'Delivered');

  // Of the two that are left: one by its box, and the other with all that are dead.
  await page.goto(world.path('webhooks'));
  await page.getByRole('row').filter({ hasText: receiver.url }).getByRole('link', { name: '2', exact: true }).click();
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await page.getByRole('link', { name: 'Select this page' }).click();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await page.getByRole('checkbox').first().uncheck();
  await page.getByRole('button', { name: 'Retry selected' }).click();
  await expect(page.getByText('1 delivery is tried again.')).toBeVisible();
  await page.locator('summary', { hasText: 'Retry all dead ones' }).click();
  await page.getByRole('button', { name: 'Retry all dead ones' }).click();
  await expect(page.getByText('1 delivery is tried again.')).toBeVisible();
  await expect(page.getByText('Nothing matches')).toBeVisible();
});

test('what is refused keeps what was typed; a copy replaces a webhook, and the old one is deleted', async ({
  page,
  world,
  receiver,
}) => {
  await page.goto(world.path('webhooks/new'));
  await page.getByLabel('Address').fill('https://10.0.0.1/hook');
  await page.getByLabel('Decision types').fill('asked_of_nobody');
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  await expect(page.getByRole('alert')).toContainText('Address: must lead to a public address.');
  await expect(page.getByLabel('Address')).toHaveAccessibleDescription(/Must lead to a public address\./);
  await expect(page.getByLabel('Address')).toHaveValue('https://10.0.0.1/hook');
  await expect(page.getByLabel('Decision types')).toHaveValue('asked_of_nobody');
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  await page.getByRole('link', { name: `Replace: ${receiver.url}` }).click();
  await expect(page.getByLabel('Decision types')).toHaveValue('asked_of_nobody');
  await page.getByLabel('Decision types').fill('asked_of_nobody_else');
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  const rows = page.getByRole('row').filter({ hasText: receiver.url });
  await expect(rows).toHaveCount(2);
  const old = rows.filter({ hasNotText: 'asked_of_nobody_else' });
  await old.locator('summary').click();
  await old.getByRole('button', { name: `Delete: ${receiver.url}` }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('asked_of_nobody_else');
});
