// The guard, its middleware and the examples, against a service.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { DecisionRefusedError, type Govern, type GuardOptions, UnrecordedActionError } from '@govern/sdk';
import { execute } from '../examples/agent-tool.js';
import { createApp } from '../examples/express-app.js';
import { Service } from './service.js';

let service: Service;
let govern: Govern;

before(async () => {
  service = await Service.start();
  govern = service.client();
  for (const decisionType of ['expense', 'tool_call', 'refund']) await service.activePolicy(decisionType);
});
after(() => service?.stop());

const request = (amount: number, idempotency_key: string = randomUUID()) => ({
  context: { decision_type: 'expense', fields: { amount } },
  idempotency_key,
});
const outcomeOf = async (id: string) => (await govern.decisions.get(id)).outcome?.status;
const recorded = async (idempotency_key: string) => (await govern.decisions.list({ idempotency_key }).page()).items;

test('a permitted action is executed, then recorded with its outcome', async () => {
  const key = randomUUID();
  const { value, decision } = await govern.guard(request(100, key), async (result) => {
    assert.equal(result.decision, 'ALLOW');
    assert.deepEqual(await recorded(key), []);
    return 'paid';
  });
  assert.deepEqual([value, decision.decision, await outcomeOf(decision.id)], ['paid', 'ALLOW', 'accepted']);
});

test('with `recordFirst`, the decision is recorded before the action', async () => {
  const key = randomUUID();
  const act = async () => (await recorded(key)).length;
  assert.equal((await govern.guard(request(100, key), act, { recordFirst: true })).value, 1);
});

for (const options of [{}, { recordFirst: true }, { permit: ['ALLOW', 'ALERT', 'REVIEW'] }] as GuardOptions[]) {
  test(`a refused action is recorded and not executed (${JSON.stringify(options)})`, async () => {
    const act = () => assert.fail('the action was executed');
    await assert.rejects(govern.guard(request(900), act, options), (error) => {
      assert.ok(error instanceof DecisionRefusedError);
      assert.equal(error.message, `the verdict is ${error.verdict}: EXP-LIMIT`);
      assert.equal(error.decision?.decision, error.verdict);
      return true;
    });
  });
}

test('a failed action is abandoned, and its error is thrown', async () => {
  const key = randomUUID();
  const error = new RangeError('the bank is closed');
  await assert.rejects(
    govern.guard(request(100, key), () => Promise.reject(error)),
    (thrown) => thrown === error,
  );
  const [decision] = await recorded(key);
  assert.equal(await outcomeOf(decision!.id), 'abandoned');
});

test('a repeated action has one decision and one outcome', async () => {
  const key = randomUUID();
  const ids = [];
  for (let call = 0; call < 2; call++) ids.push((await govern.guard(request(100, key), () => 1)).decision.id);
  assert.equal(ids[0], ids[1]);
});

test('an action whose decision cannot be recorded is reported with its result', async () => {
  const offline = service.client({
    maxRetries: 0,
    fetch: async (input, init) => {
      if (String(input).endsWith('/record')) throw new TypeError('fetch failed');
      return fetch(input, init);
    },
  });
  const error = await offline.guard(request(100), () => 'paid').catch((error) => error);
  assert.ok(error instanceof UnrecordedActionError);
  assert.deepEqual(error.action, { value: 'paid' });
  assert.equal((await govern.decisions.record(error.request)).is_new, true);
  await assert.rejects(
    offline.guard(request(900), () => 'paid'),
    (error) => {
      return error instanceof DecisionRefusedError && error.decision === undefined && error.cause instanceof Error;
    },
  );
});

test('an action under a verdict that changed meanwhile is overridden', async () => {
  const changed = service.client({
    fetch: (input, init) => {
      const body = String(input).endsWith('/record') ? String(init?.body).replace('100', '900') : init?.body;
      return fetch(input, { ...init, body });
    },
  });
  const { decision } = await changed.guard(request(100), () => 'paid');
  assert.notEqual(decision.decision, 'ALLOW');
  assert.equal(await outcomeOf(decision.id), 'overridden');
});

test('example: tool calls of an agent', async () => {
  const call = { id: randomUUID(), name: 'pay', arguments: { amount: 100, payee: 'ACME' } };
  assert.equal(await execute(govern, call), 'paid 100 to ACME');
  const refused = { ...call, id: randomUUID(), arguments: { amount: 900, payee: 'ACME' } };
  assert.match(await execute(govern, refused), /^The call was not executed \((REVIEW|DENY)\): /);
});

test('example: an Express application', async () => {
  const server = createApp(govern).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  const refund = async (amount: number) => {
    const key = randomUUID();
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const body = JSON.stringify({ amount });
    const response = await fetch(`http://127.0.0.1:${port}/refunds`, { method: 'POST', headers, body });
    return { key, status: response.status, body: await response.json() };
  };
  const permitted = await refund(100);
  assert.deepEqual([permitted.status, permitted.body], [201, { refunded: 100 }]);
  // The decision is recorded after the response.
  let decision;
  while (!decision) [decision] = await recorded(permitted.key);
  while (!(await outcomeOf(decision.id)));
  assert.equal(await outcomeOf(decision.id), 'accepted');

  const refused = await refund(900);
  assert.equal(refused.status, 403);
  assert.equal(refused.body.violations[0].rule_code, 'EXP-LIMIT');
  assert.equal((await recorded(refused.key))[0]?.id, refused.body.decision_id);
  server.close();
  server.closeAllConnections();
});
