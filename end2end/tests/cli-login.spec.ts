// The page on which a user allows the command line to access a tenant. The page also works without scripts.

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test as base, type TestEnv } from '../support/fixtures.js';

/** A program that waits for the redirect, as `govern login` does. */
class Program {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(16).toString('base64url');
  /** The parameters of the redirect. */
  answer?: URLSearchParams;

  private constructor(
    readonly port: number,
    private readonly server: Server,
  ) {}

  static async start(): Promise<Program> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const program = new Program((server.address() as AddressInfo).port, server);
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      if (url.pathname === '/callback') program.answer = url.searchParams;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end('<!doctype html><title>Program</title><h1>Received</h1>');
    });
    return program;
  }

  /** Returns the address of the page. Without a redirect, the page shows the code. */
  page(isRedirected = true): string {
    const challenge = createHash('sha256').update(this.verifier).digest('base64url');
    const redirect = { port: String(this.port), state: this.state };
    const parameters = { ...(isRedirected ? redirect : {}), code_challenge: challenge, name: 'laptop' };
    return `/cli-login?${new URLSearchParams(parameters)}`;
  }

  async exchange(env: TestEnv, code: string, port?: number): Promise<Response> {
    return fetch(`${env.server.url}/v1/cli/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, code_verifier: this.verifier, port }),
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

const test = base.extend<{ program: Program }>({
  program: async ({}, use) => {
    const program = await Program.start();
    await use(program);
    await program.stop();
  },
});

test('a signed-out user signs in, allows access, and the program gets a key @firefox', async ({ page, env, program }) => {
  await page.goto(program.page());
  await page.getByLabel('Email').fill(env.server.admin.email);
  await page.getByLabel('Password').fill(env.server.admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Allow the command line');
  await expect(page.getByText(/^govern on .*laptop.* asks for access as /)).toBeVisible();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await expect(page.getByLabel('Expires after')).toHaveValue('90');
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect(page.getByRole('heading', { name: 'Received' })).toBeVisible();
  expect(program.answer?.get('state')).toBe(program.state);

  const response = await program.exchange(env, program.answer?.get('code') ?? '', program.port);
  expect(response.status).toBe(201);
  const { key, plaintext_key } = await response.json();
  expect(key).toMatchObject({ name: 'govern on laptop', scopes: ['decisions:evaluate', 'policies:read'] });
  const headers = { authorization: `Bearer ${plaintext_key}`, 'x-service-tenant-id': key.tenant_id };
  expect((await fetch(`${env.server.url}/v1/policies`, { headers })).status).toBe(200);
  const replay = await program.exchange(env, program.answer?.get('code') ?? '', program.port);
  expect(replay.status).toBe(404);
});

test('cancelling reports that no access was allowed', async ({ page, env, program }) => {
  await env.signIn(page, env.server.admin);
  await page.goto(program.page());
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Received' })).toBeVisible();
  expect(program.answer?.get('error')).toBe('access_denied');
  expect(program.answer?.has('code')).toBe(false);
});

test('a form without a scope is rejected and preserves the input', async ({ page, env, program }) => {
  await env.signIn(page, env.server.admin);
  await page.goto(program.page());
  await page.getByLabel('Name of the API key').fill('my laptop');
  const checked = page.getByRole('checkbox', { checked: true });
  while ((await checked.count()) > 0) await checked.first().uncheck();
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect(page.getByRole('alert')).toContainText('Scopes: select at least one.');
  await expect(page.getByLabel('Name of the API key')).toHaveValue('my laptop');
  expect(program.answer).toBeUndefined();
});

test('without a redirect, the page shows the code once', async ({ page, env, program }) => {
  await env.signIn(page, env.server.admin);
  await page.goto(program.page(false));
  await page.getByRole('button', { name: 'Allow access' }).click();
  const note = page.getByRole('status').filter({ hasText: 'Access allowed' });
  const code = (await note.locator('code').textContent()) ?? '';
  expect(code).toMatch(/^[\w-]{64}$/);
  expect(page.url()).not.toContain(code);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Allow access' })).toBeVisible();
  expect((await program.exchange(env, code)).status).toBe(201);
});

test('a user who is no admin sees the next step', async ({ page, env, program }) => {
  await env.signIn(page, env.ratifier);
  await page.goto(program.page());
  await expect(page.getByRole('alert')).toContainText('Only admins can create API keys.');
  await expect(page.getByRole('button', { name: 'Allow access' })).toHaveCount(0);
});
