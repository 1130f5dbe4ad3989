// Values that JSON or a URL cannot express are refused before a request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson, Govern } from '@govern/sdk';

/** Returns a client and the bodies of its requests. */
function client() {
  const sent: any[] = [];
  const fetch = async (input: any, init: any) => {
    sent.push(init.body === undefined ? String(input) : JSON.parse(init.body));
    return Response.json({ items: [], next_cursor: null });
  };
  const govern = new Govern({ baseUrl: 'https://govern.example', apiKey: 'svc_x', tenantId: 't', fetch: fetch as any });
  return { govern, sent };
}

class Expense {
  amount = 1;
}

const cyclic: any = { a: {} };
cyclic.a.b = cyclic;

const REFUSED: [unknown, string][] = [
  [NaN, ''],
  [Infinity, ''],
  [-Infinity, ''],
  [10n, ''],
  [Symbol('a'), ''],
  [() => 1, ''],
  [new Date(), ''],
  [new Map(), ''],
  [new Set(), ''],
  [/a/, ''],
  [new Error('a'), ''],
  [new Uint8Array(2), ''],
  [new Number(1), ''],
  [new Expense(), ''],
  ['\ud83d', ''],
  [{ '\ud83d': 1 }, '/\ud83d'],
  [[1, undefined], '/1'],
  [[1, , 3], '/1'], // prettier-ignore
  [{ 'a/b~': [{ c: NaN }] }, '/a~1b~0/0/c'],
  [{ toJSON: () => 1 }, '/toJSON'],
  [cyclic, '/a/b'],
  [2 ** 53, ''],
  [{ a: { [Symbol('b')]: 1 } }, '/a'],
  ['a b'.match(/a/), ''],
  [Object.assign([1], { toJSON: () => 1 }), ''],
];

test('a body that JSON would change is refused with the path of its value', async () => {
  const { govern, sent } = client();
  for (const [value, at] of REFUSED) {
    const request = { context: { decision_type: 'expense', fields: { value } } };
    const isRefused = (error: unknown) =>
      error instanceof TypeError && error.message.startsWith(`\`/context/fields/value${at}\` `);
    await assert.rejects(govern.decisions.evaluate(request), isRefused, String(at));
    await assert.rejects(govern.decisions.record(request), isRefused);
    await assert.rejects(govern.request('POST', '/v1/decisions/evaluate', { body: request }), isRefused);
    const act = () => assert.fail('a guarded action was executed');
    await assert.rejects(govern.guard(request, act), isRefused);
    const action = { type: 'payment', metadata: { value } };
    const guarded = { context: { decision_type: 'expense', fields: {} }, action: action as any };
    await assert.rejects(govern.guard(guarded, act), TypeError);
  }
  assert.deepEqual(sent, []);
});

test('all values of JSON are sent unchanged, and members that are undefined are absent', async () => {
  const { govern, sent } = client();
  const shared = { a: 1 };
  const fields = {
    ...{ null: null, bool: false, zero: 0, big: 2 ** 53 - 1, small: 5e-324, empty: '', emoji: '🗝', list: [], map: {} },
    bare: Object.assign(Object.create(null), { a: [[], {}] }),
    twice: [shared, shared],
  };
  await govern.decisions.evaluate({ context: { decision_type: 'expense', fields: { ...fields, absent: undefined } } });
  assert.deepEqual(sent[0].context.fields, JSON.parse(JSON.stringify(fields)));
});

test('a value that is nested too deeply is refused with its path', async () => {
  const { govern, sent } = client();
  let fields: any = {};
  for (let depth = 0; depth < 20_000; depth++) fields = { a: fields };
  await assert.rejects(govern.decisions.evaluate({ context: { decision_type: 'expense', fields } }), {
    name: 'TypeError',
    message: /^`\/context\/fields(\/a)+` is nested more than 100 times$/,
  });
  assert.deepEqual(sent, []);
});

test('an ID is a text or a number', async () => {
  const { govern, sent } = client();
  for (const id of [undefined, null, {}, [], true, NaN, '', '.', '..', '\ud83d'] as any[]) {
    await assert.rejects(async () => govern.policies.get(id), TypeError);
  }
  assert.deepEqual(sent, []);
});

test('canonical JSON refuses what JSON cannot express', () => {
  for (const value of [new Date(), { a: new Map() }, new Array(2), [undefined], undefined, '\ud800', 10n]) {
    assert.throws(() => canonicalJson(value), TypeError);
  }
});

test('a guarded action is not executed with a key that the record would refuse', async () => {
  const { govern, sent } = client();
  const act = () => assert.fail('a guarded action was executed');
  for (const idempotency_key of ['', 'a'.repeat(256)]) {
    const request = { context: { decision_type: 'expense', fields: {} }, idempotency_key };
    await assert.rejects(govern.guard(request, act), /`\/idempotency_key` does not have 1 to 255 characters/);
  }
  assert.deepEqual(sent, []);
});

test('a query has texts, finite numbers and booleans', async () => {
  const { govern, sent } = client();
  for (const limit of [NaN, Infinity, [1, 2], {}, new Date(), 10n, '\ud83d'] as any[]) {
    await assert.rejects(govern.policies.list({ limit }).page(), /`limit/);
  }
  assert.deepEqual(sent, []);
  await govern.policies.list({ limit: 0, q: '', is_active: false }).page();
  assert.deepEqual(sent, ['https://govern.example/v1/policies?limit=0&q=&is_active=false']);
});

test('an empty idempotency key and an empty cursor are sent, not replaced', async () => {
  const { govern, sent } = client();
  const context = { decision_type: 'expense', fields: {} };
  await govern.decisions.record({ context, idempotency_key: '' });
  assert.equal(sent[0].idempotency_key, '');
  await govern.policies.list({ cursor: '' }).page();
  assert.match(sent[1], /\?cursor=$/);
});
