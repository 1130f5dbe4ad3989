// Retries, time limits, pages and streams, with a replacement of `fetch`.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  ApiConnectionError,
  ApiError,
  ApiTimeoutError,
  Govern,
  GovernError,
  type GovernOptions,
  RateLimitError,
  ServiceUnavailableError,
} from '@govern/sdk';

/** Returns a client whose service sends these responses, and the requests that it received. */
function client(responses: (() => Response | Promise<Response>)[], options: GovernOptions = {}) {
  const requests: { method: string; url: string; body: any; time: number; headers: any }[] = [];
  const fetch = async (input: any, init: any) => {
    const { method, headers, body, redirect } = init;
    assert.equal(redirect, 'manual');
    requests.push({ method, url: String(input), body: body && JSON.parse(body), time: performance.now(), headers });
    return responses[requests.length - 1]!();
  };
  const govern = new Govern({
    baseUrl: 'https://govern.example/',
    apiKey: 'svc_x',
    tenantId: 't',
    fetch: fetch as any,
    ...options,
  });
  return { govern, requests };
}

const ok = (body: unknown) => () => Response.json(body);
const error =
  (status: number, headers: Record<string, string> = {}, code = 'SERVICE_UNAVAILABLE') =>
  () =>
    Response.json({ error: { code, message: 'later' }, correlation_id: 'c' }, { status, headers });
const broken = () => {
  throw new TypeError('fetch failed');
};
const context = { decision_type: 'expense', fields: {} };

test('a retry sends the same idempotency key, also a generated one', async () => {
  const { govern, requests } = client([broken, error(503), ok({ is_new: true })]);
  assert.deepEqual(await govern.decisions.record({ context }), { is_new: true });
  assert.equal(requests.length, 3);
  assert.match(requests[0]!.body.idempotency_key, /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    requests.map(({ body }) => body),
    Array(3).fill(requests[0]!.body),
  );
});

test('a retry waits for `Retry-After`', async () => {
  const { govern, requests } = client([error(429, { 'retry-after': '1' }), ok({})]);
  await govern.service.health();
  assert.ok(requests[1]!.time - requests[0]!.time >= 990);
});

test('`Retry-After` may be a date, and a long wait is left to the caller', async () => {
  const date = new Date(Date.now() + 120_000).toUTCString();
  const { govern, requests } = client([error(503, { 'retry-after': date })]);
  await assert.rejects(govern.service.health(), (error) => {
    return error instanceof ServiceUnavailableError && Math.abs(error.retryAfter! - 120) < 2;
  });
  assert.equal(requests.length, 1);
});

test('a write without an idempotency key is sent once', async () => {
  for (const response of [broken, error(503, { 'retry-after': '0' }), error(429)]) {
    const { govern, requests } = client([response, ok({})]);
    await assert.rejects(govern.policies.create({ code: 'A', name: 'A' }));
    assert.equal(requests.length, 1);
  }
});

test('the errors of a proxy are repeated like 503, with the same idempotency key', async () => {
  for (const status of [502, 504]) {
    const { govern, requests } = client([error(status, { 'retry-after': '1' }), ok({ is_new: true })]);
    await govern.decisions.record({ context });
    assert.deepEqual(requests[1]!.body, requests[0]!.body);
    assert.ok(requests[1]!.time - requests[0]!.time >= 990);

    const write = client([error(status), ok({})]);
    await assert.rejects(write.govern.policies.create({ code: 'A', name: 'A' }), ServiceUnavailableError);
    assert.equal(write.requests.length, 1);

    const late = client([error(status, { 'retry-after': '61' }), ok({})]);
    await assert.rejects(late.govern.service.health(), ServiceUnavailableError);
    assert.equal(late.requests.length, 1);
  }
});

test('a `Retry-After` that is neither a number of seconds nor a date is ignored', async () => {
  for (const value of ['-5', '1.5', 'soon', '2001']) {
    const { govern } = client([error(503, { 'retry-after': value })], { maxRetries: 0 });
    await assert.rejects(govern.service.health(), (error) => {
      return error instanceof ApiError && error.retryAfter === (value === '2001' ? 2001 : undefined);
    });
  }
});

test('a redirect is an error, and is not followed', async () => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    response.writeHead(Number(request.headers['x-status']), { location: '/elsewhere' }).end('{"decision": {}}');
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const status of [301, 302, 303, 307, 308]) {
    const govern = new Govern({ baseUrl, headers: { 'x-status': String(status) } });
    const isRedirect = (error: unknown) =>
      error instanceof ApiError && error.status === status && error.message.includes('to /elsewhere is not followed');
    await assert.rejects(govern.decisions.record({ context }), isRedirect);
    await assert.rejects(govern.forms.schema('f', {}, 'secret'), isRedirect);
    await assert.rejects(govern.decisions.stream().next(), isRedirect);
    const range = { recorded_from: '2000-01-01T00:00:00Z', recorded_to: '2100-01-01T00:00:00Z' };
    await assert.rejects(govern.decisions.export(range).next(), isRedirect);
  }
  server.close();
  assert.equal(paths.length, 20);
  assert.ok(paths.every((path) => !path.includes('elsewhere')));

  // A replacement of `fetch` may follow redirects nevertheless.
  const followed = Object.defineProperty(Response.json({ decision: {} }), 'redirected', { value: true });
  await assert.rejects(client([() => followed]).govern.decisions.record({ context }), ApiError);
});

test('a password of a form is sent as UTF-8', async () => {
  let received = '';
  const server = createServer((request, response) => {
    received = Buffer.from(request.headers['x-form-password'] as string, 'latin1').toString('utf8');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const govern = new Govern({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  for (const password of ['open sesame', 'öffne dich', '開けゴマ 🗝']) {
    await govern.forms.schema('f', {}, password);
    assert.equal(received, password);
    await govern.forms.apiContract('f', {}, password);
    assert.equal(received, password);
  }
  server.close();
  for (const password of [' open', 'open ', 'a\nb', '\ud83d']) {
    assert.throws(() => govern.forms.schema('f', {}, password), /password/);
  }
});

test('evaluations are repeated, other errors are not', async () => {
  const evaluation = client([error(503), ok({ result: 1 })]);
  await evaluation.govern.decisions.evaluate({ context });
  assert.equal(evaluation.requests.length, 2);
  for (const status of [400, 401, 403, 404, 409, 422, 500]) {
    const { govern, requests } = client([error(status), ok({})]);
    await assert.rejects(govern.service.health(), (error) => error instanceof ApiError && error.status === status);
    assert.equal(requests.length, 1);
  }
});

test('retries are limited, per client and per call', async () => {
  const limited = client([error(503), error(503), error(503), error(503)], { maxRetries: 1 });
  await assert.rejects(limited.govern.service.health(), ServiceUnavailableError);
  assert.equal(limited.requests.length, 2);
  await assert.rejects(limited.govern.service.health({ maxRetries: 0 }), ServiceUnavailableError);
  assert.equal(limited.requests.length, 3);
  const budget = client([error(429, {}, 'FORM_BUDGET_EXHAUSTED')]);
  await assert.rejects(budget.govern.forms.submit('f', { values: {} }), RateLimitError);
});

test('time limits and signals end a call', async () => {
  const never = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((done) => never.once('listening', done));
  const baseUrl = `http://127.0.0.1:${(never.address() as AddressInfo).port}`;
  const govern = new Govern({ baseUrl, timeoutMs: 50, maxRetries: 0 });
  await assert.rejects(govern.service.health(), ApiTimeoutError);
  const signal = AbortSignal.timeout(20);
  await assert.rejects(govern.service.health({ signal, timeoutMs: 5000 }), { name: 'TimeoutError' });
  await assert.rejects(govern.service.health({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  never.close();
  never.closeAllConnections();
});

test('a time limit and a signal end a call whose `fetch` ignores its signal', async () => {
  for (const answer of [() => new Promise<Response>(() => {}), () => new Response(new ReadableStream())]) {
    const { govern } = client([answer, answer], { maxRetries: 0, timeoutMs: 20 });
    await assert.rejects(govern.service.health(), ApiTimeoutError);
    const signal = AbortSignal.timeout(20);
    await assert.rejects(govern.service.health({ signal, timeoutMs: 5000 }), { name: 'TimeoutError' });
  }
});

test('a time limit includes the body, and an export may not fall silent', async () => {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":1}\n');
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const govern = new Govern({ baseUrl, timeoutMs: 50, maxRetries: 0 });
  await assert.rejects(govern.service.health(), ApiTimeoutError);
  await assert.rejects(govern.service.health({ signal: AbortSignal.timeout(20), timeoutMs: Infinity }), {
    name: 'TimeoutError',
  });
  const range = { recorded_from: '2000-01-01T00:00:00Z', recorded_to: '2100-01-01T00:00:00Z' };
  const records = govern.decisions.export(range);
  assert.deepEqual((await records.next()).value, { id: 1 });
  await assert.rejects(records.next(), ApiTimeoutError);
  server.close();
  server.closeAllConnections();
});

test('limits that are none are refused, and a long limit is not a short one', async () => {
  for (const timeoutMs of [0, -1, NaN, '5' as any]) {
    assert.throws(() => client([], { timeoutMs }), /timeoutMs/);
    await assert.rejects(client([]).govern.service.health({ timeoutMs }), /timeoutMs/);
  }
  for (const value of [-1, NaN]) {
    assert.throws(() => client([], { maxRetries: value }), /maxRetries/);
    assert.throws(() => client([], { maxRetryDelayMs: value }), /maxRetryDelayMs/);
  }
  const slow = () => new Promise<Response>((done) => setTimeout(() => done(Response.json({ status: 'ok' })), 20));
  for (const timeoutMs of [Infinity, 2 ** 31]) {
    assert.deepEqual(await client([slow]).govern.service.health({ timeoutMs }), { status: 'ok' });
  }
});

test('the response of a proxy is an error without a code', async () => {
  const badGateway = () => new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' });
  const { govern } = client([badGateway], { maxRetries: 0 });
  await assert.rejects(govern.service.health(), (error) => {
    return error instanceof ApiError && error.code === undefined && error.message === '502 Bad Gateway';
  });
  const { govern: other } = client([() => new Response('<h1>Welcome</h1>')], { maxRetries: 0 });
  await assert.rejects(other.service.health(), ApiConnectionError);
});

test('requests contain the credentials, the tenant and the encoded path and query', async () => {
  const { govern, requests } = client([ok({}), ok({ items: [] })]);
  await govern.policies.get('a/b?c');
  await govern.policies.list({ q: 'a b', is_active: true }).page();
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['https://govern.example/v1/policies/a%2Fb%3Fc', 'https://govern.example/v1/policies?q=a+b&is_active=true'],
  );
  assert.deepEqual(requests[0]!.headers, { authorization: 'Bearer svc_x', 'x-service-tenant-id': 't' });
});

test('a list requests its pages when they are needed', async () => {
  const pages = [ok({ items: [1, 2], next_cursor: 'x' }), ok({ items: [3], next_cursor: null })];
  const { govern, requests } = client(pages);
  const items = [];
  for await (const item of govern.policies.list({ limit: 2 })) {
    assert.equal(requests.length, items.length < 2 ? 1 : 2);
    items.push(item);
  }
  assert.deepEqual(items, [1, 2, 3]);
  assert.match(requests[1]!.url, /\?limit=2&cursor=x$/);
});

test('a stream continues after the last complete event', async () => {
  const events = [
    () =>
      new Response(
        'retry: 10\nid: 0\n\n: comment\n\nid: 1\nevent: decision\ndata: {"id":\ndata: "a"}\n\nid: 2\nevent: deci',
      ),
    error(503),
    () => new Response('id: 2\r\nevent: decision\r\ndata: {"id":"b"}\r\n\r\n'),
    error(401),
  ];
  const { govern, requests } = client(events, { maxRetries: 0 });
  const seen: string[][] = [];
  await assert.rejects(
    async () => {
      for await (const { id, data } of govern.decisions.stream()) seen.push([id, data.id]);
    },
    { name: 'AuthenticationError' },
  );
  assert.deepEqual(seen, [
    ['1', 'a'],
    ['2', 'b'],
  ]);
  assert.deepEqual(
    requests.map(({ headers }) => headers['last-event-id']),
    [undefined, '1', '1', '2'],
  );
});

test('a stream follows the rules of retries, and ignores what is no event', async () => {
  const text =
    'retry: soon\nid: 1\nevent: decision\n\nretry: 10\nid: 1\nevent: decision\ndata: {"id":"a"}\n\n';
  const { govern, requests } = client(
    [
      () => new Response(text),
      error(504),
      error(502, { 'retry-after': '1' }),
      () => new Response('id: 2\nevent: decision\ndata: {"id":"b"}\n\n'),
      error(503, { 'retry-after': '61' }),
    ],
    { maxRetries: 0 },
  );
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const { data } of govern.decisions.stream()) seen.push(data.id);
  }, ServiceUnavailableError);
  assert.deepEqual(seen, ['a', 'b']);
  assert.deepEqual(
    requests.map(({ headers }) => headers['last-event-id']),
    [undefined, '1', '1', '1', '2'],
  );
  assert.ok(requests[3]!.time - requests[2]!.time >= 990);
  // Only the delay that the service asked for is long.
  assert.ok(requests[4]!.time - requests[3]!.time < 990);
});

test('an export that ends early is an error', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"id":1}\n{"id":'));
      setTimeout(() => controller.error(new TypeError('terminated')), 10);
    },
  });
  const { govern } = client([() => new Response(body)]);
  const range = { recorded_from: '2000-01-01T00:00:00Z', recorded_to: '2100-01-01T00:00:00Z' };
  const seen: unknown[] = [];
  await assert.rejects(async () => {
    for await (const record of govern.decisions.export(range)) seen.push(record);
  }, ApiConnectionError);
  assert.deepEqual(seen, [{ id: 1 }]);
});

test('a URL is required, and an empty key or tenant is not replaced', () => {
  assert.throws(() => new Govern({}), /`baseUrl` is missing/);
  assert.throws(() => client([], { apiKey: '' }), /`apiKey` is empty/);
  assert.throws(() => client([], { tenantId: '' }), /`tenantId` is empty/);
});

test('a URL whose paths would be others is refused, and not shown', () => {
  const wrong = ['govern.example', 'localhost:3000', 'ftp://a'];
  for (const baseUrl of [...wrong, 'https://a/?b=secret', 'https://a/#b', 'https://u:secret@a']) {
    const isRefused = (error: unknown) => error instanceof TypeError && !error.message.includes('secret');
    assert.throws(() => client([], { baseUrl }), isRefused, baseUrl);
  }
});

test('a path of a request continues the URL, not its host name', async () => {
  const { govern, requests } = client([ok({}), ok({})], { baseUrl: 'https://govern.example/base//' });
  for (const path of ['v1/health', '.evil.example/', '@evil.example/', ':1/', '', '/v1/health#a']) {
    await assert.rejects(govern.request('GET', path), TypeError);
  }
  await govern.request('GET', '/v1/policies?limit=1', { query: { q: 'a' } });
  await govern.request('GET', '/v1/policies?limit=1');
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['?limit=1&q=a', '?limit=1'].map((query) => `https://govern.example/base/v1/policies${query}`),
  );
});

test('a key that cannot be in a header is refused, and no error or log shows a key', () => {
  for (const name of ['apiKey', 'tenantId']) {
    for (const value of ['secret\n', 'secret\r\nX: y', 'sec ret', 'secrét', 'secret€', 5] as any[]) {
      const isRefused = (error: unknown) => error instanceof TypeError && !/sec/.test(error.message);
      assert.throws(() => client([], { [name]: value }), isRefused);
    }
  }
  const { govern } = client([], { apiKey: 'svc_secret', headers: { 'x-proxy': 'secret' } });
  assert.doesNotMatch(inspect(govern, { depth: 9, showHidden: true }) + JSON.stringify(govern), /secret/);
});

test('a header replaces one of the client in any case, and is otherwise refused', async () => {
  const { govern, requests } = client([ok({})], { headers: { Authorization: 'Basic a', 'X-A': 'b' } });
  await govern.service.health({ headers: { 'x-a': 'c' } });
  assert.deepEqual(requests[0]!.headers, { authorization: 'Basic a', 'x-a': 'c', 'x-service-tenant-id': 't' });
  for (const headers of [{ 'x-a': 5 }, { 'x-a': null }, { 'x-a': 'secret\n\n.' }, { 'x a': 'secret' }] as any[]) {
    const isRefused = (error: unknown) => error instanceof TypeError && !error.message.includes('secret');
    await assert.rejects(govern.service.health({ headers }), isRefused);
  }
});

test('`withOptions` changes what is given, and another service gets no cookies', async () => {
  const signedIn = () => new Response('{}', { headers: { 'set-cookie': 'session=secret; Path=/' } });
  const { govern, requests } = client([signedIn, ok({}), ok({})], { apiKey: null });
  await govern.session.signIn({ email: 'a@b.example', password: 'p' });
  await govern.withOptions({ tenantId: undefined, timeoutMs: 1000 }).service.health();
  await govern.withOptions({ baseUrl: 'https://other.example' }).service.health();
  assert.deepEqual(
    requests.slice(1).map(({ headers }) => headers),
    [{ cookie: 'session=secret', 'x-service-tenant-id': 't' }, { 'x-service-tenant-id': 't' }],
  );
});

test('a list whose pages repeat is an error, not endless', async () => {
  for (const cursors of ['aa', 'aba']) {
    const pages = [...cursors].map((next_cursor) => ok({ items: [], next_cursor }));
    const { govern } = client(pages);
    await assert.rejects(async () => {
      for await (const item of govern.policies.list()) assert.fail(String(item));
    }, GovernError);
  }
});

test('a cancelled export throws the reason of the caller', async () => {
  const caller = new AbortController();
  const fetch: any = async (_: string, { signal }: RequestInit) => {
    const start = (controller: ReadableStreamDefaultController) => {
      signal!.addEventListener('abort', () => controller.error(signal!.reason));
    };
    setTimeout(() => caller.abort(new Error('enough')), 10);
    return new Response(new ReadableStream({ start }));
  };
  const range = { recorded_from: '2000-01-01T00:00:00Z', recorded_to: '2100-01-01T00:00:00Z' };
  const records = client([], { fetch }).govern.decisions.export(range, { signal: caller.signal });
  await assert.rejects(records.next(), { message: 'enough' });
});

/** Is compiled, not called: the types know the members of requests and results. */
export async function typesAreExact(govern: Govern): Promise<void> {
  // @ts-expect-error: the member is `decision_type`
  await govern.decisions.evaluate({ context: { decisionType: 'expense', fields: {} } });
  // @ts-expect-error: not a severity
  await govern.alerts.list({ severity: 'huge' }).page();
  // @ts-expect-error: the verdict is `ALLOW`
  (await govern.decisions.get('id')).decision === 'allow';
}
