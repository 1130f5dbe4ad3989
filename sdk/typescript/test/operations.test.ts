// Calls every operation of /openapi.json against a service.

import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  AuthenticationError,
  ConflictError,
  type Govern,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  trustOf,
  verifyReceipt,
  verifyWebhook,
  WebhookSignatureError,
  type WebhookEvent,
} from '@govern/sdk';
import { draft, PASSWORD, ROOT, Service } from './service.js';

let service: Service;
let govern: Govern;
let admin: Govern;
let policy: { id: string; decisionType: string };

before(async () => {
  service = await Service.start();
  govern = service.client();
  admin = await service.signInAdmin();
  policy = await service.activePolicy('expense');
});
after(() => service?.stop());

const context = (amount: number) => ({ decision_type: policy.decisionType, fields: { amount } });
const record = async (amount: number) => (await govern.decisions.record({ context: context(amount) })).decision;

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test('infrastructure, keys and the log', async () => {
  assert.equal((await govern.service.health()).status, 'healthy');
  assert.ok(await govern.service.ready());
  const { keys } = await govern.trust.signingKeys();
  assert.equal(keys[0].kty, 'OKP');
  const registry = await govern.trust.registry();
  assert.equal(registry.payload, (await govern.trust.registry({ version: 1 })).payload);
  const { id } = await record(1);
  await govern.receipts.get(id, { wait_for: 'anchor' });
  assert.match(await govern.log.checkpoint(), /^127\.0\.0\.1.*\/log\/1\n\d+\n/);
  const size = Number((await govern.log.checkpoint()).split('\n')[1]);
  assert.equal((await govern.log.tile(`0/000.p/${size}`)).length, 32 * size);
  await assert.rejects(govern.log.rekor(), NotFoundError);
});

test('decisions', async () => {
  const { result } = await govern.decisions.evaluate({ context: context(100) });
  assert.deepEqual([result.decision, result.dry_run], ['ALLOW', true]);
  for (const alias of ['dry-run', 'dryRun']) {
    const body = { context: context(100) };
    assert.equal((await govern.request('POST', `/v1/decisions/${alias}`, { body })).result.decision, 'ALLOW');
  }
  const batch = await govern.decisions.evaluateBatch({ contexts: [context(1), context(501)] });
  assert.equal(batch.items.length, 2);

  const request = { context: context(900), idempotency_key: 'expense-1' };
  const first = await govern.decisions.record(request);
  const second = await govern.decisions.record(request);
  assert.deepEqual([first.is_new, second.is_new], [true, false]);
  assert.deepEqual(first.decision, second.decision);
  assert.equal(first.decision.result.violations[0]?.rule_code, 'EXP-LIMIT');

  const decision = await govern.decisions.get(first.decision.id);
  assert.equal(decision.decision, first.decision.decision);
  const outcome = await govern.decisions.recordOutcome(decision.id, { status: 'accepted', reference_id: 'r-1' });
  assert.equal(outcome.status, 'accepted');
  await assert.rejects(govern.decisions.recordOutcome(decision.id, { status: 'accepted' }), ConflictError);
  assert.equal((await govern.decisions.replay(decision.id)).matches, true);

  for (let amount = 1; amount <= 4; amount++) await record(amount);
  const ids = (await collect(govern.decisions.list({ limit: 2 }))).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length >= 5);
  const page = await govern.decisions.list({ limit: 2 }).page();
  assert.deepEqual(
    page.items.map(({ id }) => id),
    ids.slice(0, 2),
  );
  const range = { recorded_from: '2000-01-01T00:00:00Z', recorded_to: '2100-01-01T00:00:00Z' };
  assert.deepEqual((await collect(govern.decisions.export(range))).map(({ id }) => id).sort(), ids.sort());
  assert.equal((await govern.snapshots.get(decision.policy_snapshot_id)).id, decision.policy_snapshot_id);
});

test('the stream of decisions continues after its last event', async () => {
  const first = await next(govern.decisions.stream({ decision: 'DENY' }));
  assert.deepEqual(first.data.violations, ['EXP-LIMIT']);
  const missed = await record(901);
  const stream = govern.decisions.stream({}, { lastEventId: first.id });
  const later: string[] = [];
  for await (const { data } of stream) {
    later.push(data.id);
    if (data.id === missed.id) break;
  }
  assert.ok(!later.includes(first.data.id));

  const controller = new AbortController();
  const aborted = govern.decisions.stream({}, { signal: controller.signal }).next();
  setTimeout(() => controller.abort(), 50);
  assert.equal((await aborted).done, true);

  /** Returns the next event. Records decisions until the stream is open. */
  async function next(stream: ReturnType<typeof govern.decisions.stream>) {
    const event = stream.next();
    let isPending = true;
    void event.finally(() => (isPending = false));
    for (let amount = 600; isPending; amount++) {
      await record(amount);
      await new Promise((done) => setTimeout(done, 20));
    }
    await stream.return();
    return (await event).value!;
  }
});

test('receipts of the service are verified offline, and tampered ones are not', async () => {
  const request = {
    context: { ...context(720), metadata: { actor_id: 'agent-7', ip_address: '192.0.2.1' } },
    action: { type: 'payment', reference_id: 'P-1' },
    idempotency_key: randomUUID(),
  };
  const { decision } = await govern.decisions.record(request);
  const receipt = await govern.receipts.get(decision.id, { wait_for: 'anchor' });
  const trust = { ...trustOf(await service.command('trust', 'show')), request };
  const result = await verifyReceipt(receipt, trust);
  assert.equal(result.status, 'verified', JSON.stringify(result.checks));

  const changed = structuredClone(receipt);
  changed.result.violations[0]!.severity = 'low';
  assert.equal((await verifyReceipt(changed, trust)).checks.result.status, 'failed');
  const moved = structuredClone(receipt);
  (moved.statement as any).decision_id = moved.decision_id = randomUUID();
  assert.equal((await verifyReceipt(moved, trust)).checks.signature.status, 'failed');
  assert.equal((await verifyReceipt(moved, trust)).checks.inclusion.status, 'failed');

  const tar = await govern.receipts.bundle(decision.id);
  assert.equal(new TextDecoder().decode(tar.slice(257, 262)), 'ustar');
  const bundle = JSON.parse(new TextDecoder().decode(await govern.receipts.bundle(decision.id, { format: 'json' })));
  assert.equal(bundle.manifest.subject.decision_id, decision.id);
  // The public operations need no credentials.
  const reader = service.client({ apiKey: null, tenantId: undefined });
  assert.deepEqual(await reader.receipts.get(decision.id), receipt);
});

test('chains', async () => {
  const chain_id = randomUUID();
  for (const chain_step of [1, 2])
    await govern.decisions.record({ context: context(1), chain: { chain_id, chain_step } });
  assert.equal((await govern.chains.list({ chain_id }).page()).items.length, 1);
  assert.equal((await govern.chains.verify(chain_id)).valid, true);
  assert.equal((await govern.chains.seal(chain_id)).chain_id, chain_id);
  assert.equal((await govern.chains.getSeal(chain_id, { wait_for: 'anchor' })).chain_id, chain_id);
  assert.ok((await govern.chains.bundle(chain_id)).length > 1024);
});

test('policies, versions, reviews and comments', async () => {
  const reviewer = await service.user('reviewer', 'ratifier');
  const { policy: created } = await govern.policies.create(draft('DRAFTED', 'drafted'));
  const id = created.id;
  const versions = govern.policies.versions;
  assert.equal((await govern.policies.get(id)).code, 'DRAFTED');
  assert.equal((await govern.policies.update(id, { name: 'Renamed' })).name, 'Renamed');
  assert.ok((await collect(govern.policies.list({ limit: 1 }))).length >= 2);
  assert.ok(await govern.policies.analytics(policy.id, { bucket: 'day' }));
  assert.ok((await govern.policies.decisions(policy.id).page()).items.length > 0);
  assert.equal((await govern.policies.deactivate(policy.id, { reason: 'a test' })).is_active, false);
  await reviewer.policies.versions.activate(policy.id, 1);
  assert.ok(await versions.approval(policy.id, 1));

  const { rules } = draft('DRAFTED', 'drafted');
  const patched = await versions.update(id, 1, {
    expected_revision: 1,
    rules: [...rules, { ...rules[0]!, code: 'MORE' }],
  });
  assert.equal(patched.rules?.length, 2);
  const submission = await versions.seal(id, 1);
  await versions.submit(id, 1);
  assert.equal((await versions.submissions.list(id, 1).page()).items[0]?.id, submission.id);
  await reviewer.policies.versions.submissions.review(id, 1, submission.id, {
    verdict: 'RETURN',
    note: 'No.',
    comments: [],
  });
  const comments = reviewer.policies.versions.comments;
  const comment = await comments.create(id, 1, { text: 'Why 500?', rule_code: 'EXP-LIMIT' });
  assert.equal((await comments.list(id, 1).page()).items[0]?.id, comment.id);
  await comments.resolve(id, 1, comment.id);
  await comments.reopen(id, 1, comment.id);
  assert.equal((await versions.recall(id, 1)).status, 'draft');

  const superseded = await admin.policies.versions.supersede(id, 1, {
    expected_revision: 2,
    rules,
    change_reason: 'simpler',
  });
  assert.equal(superseded.draft.version, 2);
  assert.ok((await versions.diff(id, 2, { against: 1 })).removed);
  await versions.submit(id, 2).catch((error) => assert.ok(error instanceof InvalidRequestError, String(error)));
  await admin.policies.versions.setAside(id, 2, { reason: 'start again' });
  await versions.create(id, { rules });
  assert.equal((await versions.get(id, 3)).version, 3);
  assert.equal((await collect(versions.list(id))).length, 3);

  const { policy: other } = await govern.policies.create(draft('OTHER', 'other'));
  await versions.submit(other.id, 1);
  assert.equal((await reviewer.policies.versions.reject(other.id, 1, { reason: 'no' })).status, 'draft');
  const { policy: third } = await govern.policies.create(draft('THIRD', 'third'));
  await versions.delete(third.id, 1);
  await govern.policies.delete(third.id);
  await assert.rejects(govern.policies.get(third.id), NotFoundError);
});

test('policy groups', async () => {
  const { id } = await govern.policyGroups.create({ code: 'TRAVEL', name: 'Travel' });
  assert.equal((await govern.policyGroups.update(id, { description: 'Trips' })).description, 'Trips');
  assert.equal((await govern.policyGroups.update(id, { description: null })).description, undefined);
  assert.equal((await govern.policyGroups.get(id)).code, 'TRAVEL');
  assert.deepEqual((await govern.policyGroups.policies(id).page()).items, []);
  assert.equal((await collect(govern.policyGroups.list())).length, 1);
  await govern.policyGroups.delete(id);
});

test('authoring capabilities', async () => {
  const { policy: drafted } = await govern.policies.create(draft('GRANTED', 'granted'));
  const { capability, plaintext_key } = await admin.capabilities.create({
    policy_id: drafted.id,
    version: 1,
    actions: ['policy.read', 'review.retrieve'],
    name: 'assistant',
  });
  const program = service.client({ apiKey: plaintext_key });
  assert.equal((await program.capabilities.current()).id, capability.id);
  assert.equal((await program.capabilities.pendingWork()).capability_id, capability.id);
  assert.equal((await govern.capabilities.get(capability.id)).id, capability.id);
  assert.equal((await govern.capabilities.list().page()).items.length, 1);
  const { rules } = draft('GRANTED', 'granted');
  await admin.policies.versions.supersede(drafted.id, 1, { expected_revision: 1, rules, change_reason: 'again' });
  const carried = await admin.capabilities.carry(capability.id, { version: 2 });
  await admin.capabilities.revoke(carried.id);
});

test('alerts and webhooks', async () => {
  const received: { headers: Record<string, any>; body: Buffer }[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(received.length === 1 ? 204 : 500).end();
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { subscriptions, deliveries } = govern.alerts;
  const { subscription, secret } = await subscriptions.create({ url, severity_min: 'low' });
  assert.equal((await subscriptions.get(subscription.id)).webhook_url, url);
  assert.equal((await collect(subscriptions.list())).length, 1);
  const { id } = await subscriptions.test(subscription.id);
  const delivered = await until(async () => (await deliveries.get(id)).status === 'delivered' && received[0]);
  const { body, headers } = delivered;

  const event: WebhookEvent = await verifyWebhook(body, headers, secret);
  assert.equal(event.alert.alert_type, 'test');
  assert.equal((await verifyWebhook(body.toString(), new Headers(headers), secret)).event, 'alert.created');
  const changed = Buffer.from(body.toString().replace('alert', 'alarm'));
  for (const [content, key, tolerance] of [
    [changed, secret],
    [body, 'whsec_other'],
    [body, secret, -1],
  ] as const) {
    await assert.rejects(verifyWebhook(content, headers, key, tolerance), WebhookSignatureError);
  }
  await assert.rejects(verifyWebhook(body, {}, secret), WebhookSignatureError);
  await assert.rejects(deliveries.retry(id), InvalidRequestError);

  await record(5000);
  await until(async () => (await deliveries.stats()).by_status.dead > 0);
  assert.ok((await collect(deliveries.list({ status: 'dead' }))).length > 0);
  assert.ok(await deliveries.redrive({ subscription_id: subscription.id }));
  const alerts = await collect(govern.alerts.list({ limit: 2 }));
  assert.equal(new Set(alerts.map((alert) => alert.id)).size, alerts.length);
  assert.ok(alerts.length > 2, 'more than one page');
  const alert = (await govern.alerts.list({ status: 'open' }).page()).items[0]!;
  assert.equal((await govern.alerts.get(alert.id)).id, alert.id);
  const { user } = await admin.session.get();
  assert.equal((await govern.alerts.assign(alert.id, { user_id: user.id })).assigned_to, user.id);
  assert.ok((await govern.alerts.snooze(alert.id, { until: new Date(Date.now() + 60_000).toISOString() })).id);
  assert.ok((await govern.alerts.acknowledge(alert.id)).acknowledged_at);
  assert.ok(await govern.alerts.acknowledgeMany({ ids: [alert.id] }));
  await subscriptions.delete(subscription.id);
  receiver.close();
  receiver.closeAllConnections();
});

test('forms', async () => {
  const fields = [{ name: 'amount', label: 'Amount', type: 'number' as const, required: true }];
  const form = await govern.forms.create({
    policy_id: policy.id,
    title: 'Expense',
    access_mode: 'token',
    is_published: true,
    fields,
  });
  assert.equal((await govern.forms.get(form.id)).title, 'Expense');
  assert.equal((await collect(govern.forms.list())).length, 1);
  const token = await govern.forms.tokens.create(form.id);
  const visitor = service.client({ apiKey: null, tenantId: undefined });
  assert.ok(await visitor.forms.schema(form.id, { access_token: token.token }));
  assert.ok(await visitor.forms.apiContract(form.id, { access_token: token.token }));
  const submitted = await visitor.forms.submit(form.id, { values: { amount: 800 }, access_token: token.token });
  assert.notEqual(submitted.decision, 'ALLOW');
  assert.equal((await visitor.forms.receipt(form.id, submitted.decision_id)).decision_id, submitted.decision_id);
  await govern.forms.tokens.revoke(form.id, token.id);
  await govern.forms.update(form.id, { access_mode: 'password', password: 'open sesame now' });
  await assert.rejects(visitor.forms.schema(form.id), PermissionDeniedError);
  assert.ok(await visitor.forms.schema(form.id, {}, 'open sesame now'));
  await govern.forms.delete(form.id);
});

test('API keys, settings and the audit log', async () => {
  const { key, plaintext_key } = await govern.apiKeys.create({ name: 'reader', scopes: ['policies:read'] });
  const reader = service.client({ apiKey: plaintext_key });
  await assert.rejects(reader.decisions.evaluate({ context: context(1) }), (error) => {
    assert.ok(error instanceof PermissionDeniedError);
    assert.equal(error.code, 'INSUFFICIENT_SCOPE');
    assert.ok(error.correlationId);
    return true;
  });
  assert.ok((await collect(govern.apiKeys.list())).length >= 2);
  assert.equal((await govern.apiKeys.get(key.id)).name, 'reader');
  await govern.apiKeys.revoke(key.id);
  await assert.rejects(reader.policies.list().page(), AuthenticationError);
  const short = await govern.apiKeys.create({ name: 'short', scopes: ['policies:read'] });
  const anonymous = service.client({ apiKey: null, tenantId: undefined });
  await anonymous.apiKeys.revokeSecret({ api_key: short.plaintext_key });
  const revoked = service.client({ apiKey: short.plaintext_key });
  await assert.rejects(revoked.policies.list().page(), AuthenticationError);
  const exchange = { code: 'unknown', code_verifier: 'v'.repeat(43) };
  await assert.rejects(anonymous.apiKeys.exchangeCode(exchange), NotFoundError);
  await govern.settings.update({ alert_min_severity: 'medium' });
  assert.equal((await govern.settings.get()).alert_min_severity, 'medium');
  assert.ok((await govern.auditLog.list({ limit: 5 }).page()).items.length > 0);
  assert.equal((await govern.auditLog.verify()).status, 'intact');
});

test('identity providers', async () => {
  const { identityProviders } = admin;
  const issuer = 'https://127.0.0.1:9';
  const { id } = await identityProviders.create({ name: 'Acme', issuer, client_id: 'govern', is_enabled: false });
  assert.ok((await collect(identityProviders.list())).some((provider) => provider.id === id));
  assert.equal((await identityProviders.update(id, { name: 'Acme SSO' })).name, 'Acme SSO');
  assert.equal((await identityProviders.get(id)).name, 'Acme SSO');
  assert.equal((await identityProviders.test(id)).is_usable, false);
  await identityProviders.delete(id);
});

test('members, users, invitations and sessions', async () => {
  const { user: unused } = await admin.users.create({ email: 'unused@acme.example', display_name: 'Unused' });
  assert.equal(unused.email, 'unused@acme.example');
  assert.deepEqual(await admin.users.get(unused.id), unused);
  const user = { id: (await admin.members.invite({ email: 'new@acme.example', role: 'viewer' })).user_id };
  const anonymous = service.client({ apiKey: null });
  await anonymous.session.setUp({ token: await service.mailedToken('new@acme.example'), password: PASSWORD });
  const session = await service.signIn('new@acme.example');
  assert.equal((await session.session.get()).memberships[0]?.role, 'viewer');
  assert.equal((await admin.members.get(user.id)).status, 'active');
  assert.equal((await admin.members.update(user.id, { role: 'author' })).role, 'author');
  assert.ok((await collect(admin.members.list())).length >= 2);

  await session.session.confirm({ password: PASSWORD });
  const password = 'feeds-the-cat-at-ten-past-six';
  await session.session.changePassword({ password: PASSWORD, new_password: password });
  const second = await service.signIn('new@acme.example', password);
  const { items } = await second.session.list();
  const other = items.find((item) => !item.is_current)!;
  await second.session.revoke(other.id);
  await assert.rejects(session.session.get(), AuthenticationError);
  await anonymous.session.requestReset({ email: 'new@acme.example' });

  const operator = service.client({
    apiKey: (await service.command('key', 'create-operator', '--name', 'test')).plaintext_key,
  });
  const invitations: string[] = [];
  for (const name of ['Accepted', 'Declined']) {
    const tenant = await operator.tenants.create({ name });
    const host = await tenantAdmin(tenant.tenant_id);
    await host.members.invite({ user_id: user.id, role: 'viewer' });
    invitations.push(tenant.tenant_id);
  }
  assert.equal((await collect(operator.tenants.list())).length, 3);
  assert.equal((await second.session.invitations.list()).items.length, 2);
  assert.equal((await second.session.invitations.accept(invitations[0]!)).tenant_id, invitations[0]);
  await second.session.invitations.decline(invitations[1]!);
  await admin.members.remove(user.id);
  await second.session.signOut();
  await assert.rejects(second.session.get(), AuthenticationError);

  async function tenantAdmin(tenantId: string): Promise<Govern> {
    const email = `admin-${tenantId.slice(0, 8)}@acme.example`;
    await service.command(
      'user',
      'create',
      '--tenant',
      tenantId,
      '--email',
      email,
      '--password',
      PASSWORD,
      '--role',
      'admin',
    );
    return (await service.signIn(email)).withOptions({ tenantId });
  }
});

test('second factors', async () => {
  const email = 'factors@acme.example';
  const { session } = await service.user('factors', 'viewer');
  const setup = await session.totp.setUp();
  const { recovery_codes: codes } = await session.totp.confirm({ code: totp(setup.secret) });
  assert.equal(codes.length, 10);
  assert.equal((await session.secondFactors()).recovery_codes_left, 10);
  assert.equal((await session.replaceRecoveryCodes()).recovery_codes.length, 10);

  // The test has no authenticator, so each passkey is refused.
  const created = await session.passkeys.options();
  assert.equal((created.public_key as any).attestation, 'none');
  const credential = { id: 'AAAA', type: 'public-key', response: {} };
  await assert.rejects(session.passkeys.create({ name: 'Laptop', credential }), InvalidRequestError);
  await assert.rejects(session.passkeys.update(randomUUID(), { name: 'Laptop' }), NotFoundError);
  await assert.rejects(session.passkeys.delete(randomUUID()), NotFoundError);

  const { session: other } = service.client({ apiKey: null });
  const signIn = other.signIn({ email, password: PASSWORD });
  await assert.rejects(signIn, (error: any) => error.code === 'SECOND_FACTOR_MISSING');
  const used = await other.passkeyOptions({ purpose: 'second_factor' });
  assert.ok((used.public_key as any).challenge);
  await assert.rejects(other.signInWithPasskey({ credential }), AuthenticationError);
  const signedIn = await other.finishSignIn({ code: totp(setup.secret, 1) });
  assert.equal(signedIn.auth_method, 'password+totp');
  await other.totp.delete();
  // An account that other tenants can invite is not reset by the admin of one.
  await assert.rejects(admin.members.resetSecondFactors(signedIn.user.id), PermissionDeniedError);

  /** Returns the code of an authenticator app, some steps from now (RFC 6238). */
  function totp(secret: string, steps = 0): string {
    const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter));
    const text = bits.map((value) => value.toString(2).padStart(5, '0')).join('');
    const key = Buffer.from(text.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
    const tag = createHmac('sha1', key).update(counter).digest();
    const number = tag.readUInt32BE(tag[19]! & 15) & 0x7fffffff;
    return String(number % 1_000_000).padStart(6, '0');
  }
});

test('errors name the code, the correlation ID and the invalid fields', async () => {
  const body = draft('WRONG', 'wrong');
  (body.rules[0] as any).severity = 'huge';
  await assert.rejects(govern.policies.create(body, { headers: { 'x-correlation-id': 'sdk-test' } }), (error) => {
    assert.ok(error instanceof InvalidRequestError);
    assert.deepEqual([error.status, error.code, error.correlationId], [422, 'VALIDATION_ERROR', 'sdk-test']);
    assert.deepEqual(
      error.fields.map(({ path, code }) => [path, code]),
      [['/rules/0/severity', 'enum']],
    );
    assert.match(error.message, /^422 VALIDATION_ERROR: .*\(correlation ID sdk-test\)$/);
    return true;
  });
  await assert.rejects(async () => govern.policies.get('../decisions'), NotFoundError);
  assert.throws(() => govern.policies.get('..'), TypeError);
});

test('every operation was called', () => {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as { paths: Record<string, object> };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({ method, path })),
  );
  const isCalled = ({ method, path }: { method: string; path: string }) => {
    const pattern = path.replace('/{path}', '/.+').replace(/\{\w+\}/g, '[^/]+');
    const isFixed = (other: string) => !other.includes('{') && Object.keys(paths).includes(other);
    return service.requests.some(
      (request) =>
        request.method.toLowerCase() === method &&
        new RegExp(`^${pattern}$`).test(request.path) &&
        (request.path === path || !isFixed(request.path)),
    );
  };
  const missing = operations.filter((operation) => !isCalled(operation)).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(missing, []);
  console.log(`${operations.length} operations called`);
});

async function until<T>(condition: () => Promise<T | false | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const result = await condition();
    if (result) return result;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('the condition was not met');
}
