// Independent clients of three standards: the Model Context Protocol, Standard Webhooks and CloudEvents.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Govern } from '@govern/sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type CloudEvent, HTTP } from 'cloudevents';
import { Webhook } from 'standardwebhooks';
import { PROGRAM, Service } from './service.js';

let service: Service;
let govern: Govern;

before(async () => {
  service = await Service.start();
  govern = service.client();
  await service.activePolicy('expense');
});
after(() => service?.stop());

/** The environment of `govern mcp`. */
const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  HOME: service.dataDir,
  GOVERN_URL: service.url,
  GOVERN_TENANT_ID: service.first.tenant_id,
  GOVERN_API_KEY: service.first.api_key,
  ...more,
});

/** Starts `govern mcp --http` and returns its URL. */
async function startHttp(more: Record<string, string> = {}): Promise<{ child: ChildProcess; url: URL }> {
  const child = spawn(PROGRAM, ['mcp', '--http', '127.0.0.1:0'], {
    env: environment(more),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await new Promise<string>((done, fail) => {
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += chunk;
      const [found] = /http:\S+/.exec(output) ?? [];
      if (found) done(found);
    });
    child.once('exit', () => fail(new Error(`govern mcp did not start: ${output}`)));
  });
  return { child, url: new URL(url) };
}

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return client;
}

/** Calls a tool and returns its text and its structured content. The client checks the content against the schema. */
async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const [{ text }] = content as [{ text: string }];
  return { text, isError: isError ?? false, content: structuredContent as any };
}

/** Asks before an action, records it, and reads what was recorded. */
async function useTools(client: Client, key: string): Promise<void> {
  const { tools } = await client.listTools();
  const reads = tools.filter((tool) => tool.annotations?.readOnlyHint).map((tool) => tool.name);
  assert.deepEqual(reads, ['evaluate', 'explain', 'find_policy', 'read_receipt']);
  assert.equal(tools.length, 5);
  const expense = (amount: number) => ({ decision_type: 'expense', fields: { amount } });

  const found = await call(client, 'find_policy', { decision_type: 'expense' });
  assert.deepEqual(found.content.policies[0].rules[0].condition, { field: 'amount', max: 500 });
  assert.match(found.text, /^EXPENSE \(Expenses\): expense\n- EXP-LIMIT \(high\): threshold \{/);

  const denied = await call(client, 'evaluate', expense(900));
  assert.deepEqual([denied.content.may_proceed, denied.content.verdict], [false, 'DENY']);
  assert.match(denied.text, /^DENY: do not act\.\n- amount is 900, above the maximum of 500 \(rule EXP-LIMIT of EXPENSE, high\)/);
  assert.deepEqual((await govern.decisions.list({ decision_type: 'expense', idempotency_key: key }).page()).items, []);

  const args = { ...expense(100), actor_id: 'agent-7', idempotency_key: key };
  const recorded = await call(client, 'record', args);
  assert.deepEqual([recorded.content.may_proceed, recorded.content.is_new], [true, true]);
  const id = recorded.content.decision_id;
  const repeated = await call(client, 'record', args);
  assert.deepEqual([repeated.content.decision_id, repeated.content.is_new], [id, false]);
  assert.equal((await govern.decisions.get(id)).actor?.id, 'agent-7');

  for (const explained of [{ decision_id: id }, expense(100)]) {
    const { content, text } = await call(client, 'explain', explained);
    assert.deepEqual(content.rules, [{ policy_code: 'EXPENSE', rule_code: 'EXP-LIMIT', outcome: 'pass' }]);
    assert.equal(text, 'ALLOW: the action may go forward.\n- pass EXP-LIMIT of EXPENSE');
  }
  const receipt = await call(client, 'read_receipt', { decision_id: id });
  assert.equal(receipt.content.decision_id, id);
  assert.match(receipt.text, new RegExp(`^Decision ${id}: ALLOW by policy EXPENSE version 1, signed with key `));

  const reused = await call(client, 'record', { ...args, ...expense(200) });
  assert.ok(reused.isError && reused.text.includes('IDEMPOTENCY_KEY_REUSED'), reused.text);
  const unknown = await call(client, 'evaluate', { decision_type: 'unknown', fields: {} });
  assert.ok(unknown.isError && unknown.text.includes('NO_ACTIVE_POLICIES'), unknown.text);
  const misspelled = await call(client, 'evaluate', { decision_type: 'expense', field: {} });
  assert.ok(misspelled.isError && misspelled.text.includes('field'), misspelled.text);
}

test('the MCP client uses all tools over standard input and output', async () => {
  const transport = new StdioClientTransport({ command: PROGRAM, args: ['mcp'], env: environment(), stderr: 'inherit' });
  const client = await connect(transport);
  assert.equal(client.getServerVersion()?.name, 'govern');
  assert.match(client.getInstructions() ?? '', /may_proceed/);
  await useTools(client, 'stdio-1');
  await client.close();
});

test('the MCP client uses all tools over HTTP, and other origins are rejected', async () => {
  const { child, url } = await startHttp();
  try {
    const client = await connect(new StreamableHTTPClientTransport(url));
    await useTools(client, 'http-1');
    await client.close();
    const post = (headers: Record<string, string>) =>
      fetch(url, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      });
    assert.equal((await post({})).status, 200);
    assert.equal((await post({ origin: 'https://attacker.example' })).status, 403);
  } finally {
    child.kill();
  }
});

test('an MCP server with a token accepts only callers that send it', async () => {
  const { child, url } = await startHttp({ GOVERN_MCP_TOKEN: 'correct-token' });
  try {
    for (const authorization of [undefined, 'Bearer wrong-token']) {
      const headers: Record<string, string> = authorization ? { authorization } : {};
      const response = await fetch(url, { method: 'POST', headers });
      assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, 'Bearer']);
    }
    const requestInit = { headers: { authorization: 'Bearer correct-token' } };
    const client = await connect(new StreamableHTTPClientTransport(url, { requestInit }));
    assert.equal((await client.listTools()).tools.length, 5);
    await client.close();
  } finally {
    child.kill();
  }
});

test('an MCP server does not listen on other addresses without a token', async () => {
  const child = spawn(PROGRAM, ['mcp', '--http', '0.0.0.0:0'], { env: environment(), stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  for await (const chunk of child.stderr) output += chunk;
  assert.match(output, /not loopback; set GOVERN_MCP_TOKEN/);
});

/** Subscribes a receiver, sends a test, and returns the secret and two attempts of the delivery. */
async function attempts(envelope: 'govern' | 'cloudevents') {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
    response.writeHead(received.length === 1 ? 500 : 204).end();
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { subscriptions } = govern.alerts;
  const { subscription, secret } = await subscriptions.create({ url, severity_min: 'critical', envelope });
  await subscriptions.test(subscription.id);
  for (let waited = 0; received.length < 2 && waited < 10_000; waited += 50) await pause(50);
  await subscriptions.delete(subscription.id);
  receiver.closeAllConnections();
  await new Promise((done) => receiver.close(done));
  const [first, second] = received;
  assert.ok(first && second, 'the first attempt failed, and another one followed');
  return { secret, first, second };
}

test('the library of Standard Webhooks verifies every attempt', async () => {
  const { secret, first, second } = await attempts('govern');
  const webhook = new Webhook(secret);
  for (const { body, headers } of [first, second]) {
    const event = webhook.verify(body, headers) as { alert: { alert_type: string } };
    assert.equal(event.alert.alert_type, 'test');
    assert.throws(() => webhook.verify(body.replace('test', 'text'), headers));
    assert.throws(() => webhook.verify(body, { ...headers, 'webhook-id': 'other' }));
    assert.throws(() => new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').verify(body, headers));
  }
  assert.equal(first.headers['webhook-id'], second.headers['webhook-id']);
  assert.equal(first.headers['webhook-id'], first.headers['x-service-delivery-id']);
});

test('the library of CloudEvents reads a delivery, whose signature is also valid', async () => {
  const { secret, first } = await attempts('cloudevents');
  const event = HTTP.toEvent(first) as CloudEvent<{ id: string; alert_type: string }>;
  assert.ok(event.validate());
  assert.equal(event.type, 'govern.alert.created');
  assert.equal(event.source, `urn:uuid:${service.first.tenant_id}`);
  assert.deepEqual([event.data?.alert_type, event.data?.id], ['test', event.id]);
  assert.equal(event.subject, `alerts/${event.id}`);
  assert.doesNotThrow(() => new Webhook(secret).verify(first.body, first.headers));
});
