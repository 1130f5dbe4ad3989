// The offline check against the published vectors in receipt/vectors.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { digest, fromBase64, fromHex, toHex, utf8, canonicalJson } from '../src/canonical.js';
import { verifyEd25519 } from '../src/ed25519.js';
import { type CheckName, type Receipt, trustOf, verifyReceipt } from '@govern/sdk';
import { ROOT } from './service.js';

const VECTORS = join(ROOT, 'receipt/vectors');
const read = (name: string) => JSON.parse(readFileSync(join(VECTORS, name), 'utf8'));
const oracle = read('service_profile_oracle.json');

const trust = { ...trustOf(oracle.trust_document.registry), request: undefined as any };
const context = oracle.objects.find((object: any) => object.name === 'decision_context').input;

/** Returns the published receipt, changed by `change`. */
function receipt(change: (receipt: any) => void = () => {}): Receipt {
  const copy = structuredClone(oracle.public_receipt);
  change(copy);
  return copy;
}

test('canonical text and digest of every published object', async () => {
  for (const { name, object, canonical, sha256 } of [...oracle.objects, ...oracle.signed_objects]) {
    assert.equal(canonicalJson(object), canonical, name);
    assert.equal(await digest(object), sha256, name);
  }
});

test('canonical JSON of the RFC 8785 test data', () => {
  const files = readdirSync(join(VECTORS, 'jcs/testdata/input'));
  assert.equal(files.length, 6);
  for (const file of files) {
    // The profile has smaller limits for numbers than this data.
    const read = (folder: string) => readFileSync(join(VECTORS, 'jcs/testdata', folder, file), 'utf8').trim();
    const input = JSON.parse(read('input').replace(' 1E30,', ''));
    assert.equal(canonicalJson(input), read('output').replace(',1e+30', ''), file);
  }
  assert.throws(() => canonicalJson(2 ** 53), RangeError);
  assert.throws(() => canonicalJson(NaN), RangeError);
});

test('strict Ed25519: 914 cases of CCTV, 151 of Wycheproof, 12 of speccheck', async () => {
  const expected = read('derived/ed25519_strict_expected.json');
  const accepted: number[] = [];
  for (const { number, key, sig, msg } of read('cctv-ed25519/ed25519/ed25519vectors.json')) {
    if (await verifyEd25519(fromHex(key), fromHex(sig), utf8(msg))) accepted.push(number);
  }
  assert.deepEqual(accepted, expected.cctv_accept_numbers);

  let count = 0;
  for (const { publicKey, tests } of read('wycheproof/testvectors_v1/ed25519_test.json').testGroups) {
    for (const { tcId, msg, sig, result } of tests) {
      const isValid = await verifyEd25519(fromHex(publicKey.pk), fromHex(sig), fromHex(msg));
      assert.equal(isValid, result === 'valid', `Wycheproof ${tcId}`);
      count++;
    }
  }
  assert.equal(count, 151);

  const results = read('ed25519-speccheck/cases.json').map((test: any) =>
    verifyEd25519(fromHex(test.pub_key), fromHex(test.signature), fromHex(test.message)),
  );
  assert.deepEqual(await Promise.all(results), expected.speccheck_expected);
});

test('the published receipt is verified, and each check is named', async () => {
  const result = await verifyReceipt(receipt(), { ...trust, request: { context } });
  assert.deepEqual(
    Object.values(result.checks).map(({ name, status, detail }) => [name, status, detail]),
    [
      ['statement', 'verified', undefined],
      ['signature', 'verified', undefined],
      ['result', 'verified', undefined],
      ['request', 'verified', undefined],
      ['inclusion', 'verified', undefined],
      ['checkpoint', 'verified', undefined],
    ],
  );
  assert.equal(result.status, 'verified');
});

test('what is not checked is not verified', async () => {
  const nothing = await verifyReceipt(receipt(), { keys: [] });
  assert.equal(nothing.status, 'incomplete');
  assert.deepEqual(statuses(nothing.checks), {
    statement: 'verified',
    signature: 'not_checked',
    result: 'not_checked',
    request: 'not_checked',
    inclusion: 'verified',
    checkpoint: 'not_checked',
  });
  const version1 = await verifyReceipt(
    receipt((copy) => delete copy.receipt_schema_version),
    trust,
  );
  assert.equal(version1.status, 'incomplete');
  assert.ok(Object.values(version1.checks).every((check) => check.status === 'not_checked'));
});

const TAMPERED: [string, (receipt: any) => void, CheckName][] = [
  ['the decision ID of the view', (r) => (r.decision_id = 'd1000000-0000-4000-8000-000000000004'), 'statement'],
  ['the verdict of the view', (r) => (r.result.decision = 'DENY'), 'statement'],
  ['the verdict of the view, in the hash', (r) => (r.result.decision = 'DENY'), 'result'],
  ['the verdict of the statement', (r) => (r.statement.decision = 'DENY'), 'signature'],
  ['the tenant of the statement', (r) => (r.statement.tenant_id = r.statement.decision_id), 'signature'],
  ['a member added to the statement', (r) => (r.statement.more = 1), 'signature'],
  ['the signature', (r) => (r.signature = r.result.signature = `A${r.signature.slice(1)}`), 'signature'],
  ['the alphabet of the signature', (r) => (r.signature = r.result.signature = `${r.signature}=`), 'signature'],
  ['a violation added', (r) => r.result.violations.push({ rule_code: 'X', severity: 'low' }), 'result'],
  ['a rule that was not applicable', (r) => r.result.na_rules.pop(), 'result'],
  ['the context digest', (r) => (r.context_digest = '0'.repeat(64)), 'request'],
  ['the action', (r) => (r.result.action.reference_id = 'PAY-43'), 'statement'],
  ['the chain step', (r) => (r.chain.chain_step = 4), 'statement'],
  ['the log index', (r) => (r.transparency_anchor.log_index = 2), 'inclusion'],
  ['the log index everywhere', (r) => anchors(r, (a) => (a.log_index = a.inclusion_proof.log_index = 2)), 'inclusion'],
  ['a hash of the proof', (r) => anchors(r, (a) => (a.inclusion_proof.hashes[0] = '0'.repeat(64))), 'inclusion'],
  ['a hash added to the proof', (r) => anchors(r, (a) => a.inclusion_proof.hashes.push('0'.repeat(64))), 'inclusion'],
  ['a hash less', (r) => anchors(r, (a) => a.inclusion_proof.hashes.pop()), 'inclusion'],
  ['the entry', (r) => anchors(r, (a) => (a.entry_uuid = '0'.repeat(80))), 'inclusion'],
  ['the anchor of the view only', (r) => (r.transparency_anchor.anchored_at = ''), 'inclusion'],
  ['the size of the checkpoint', (r) => note(r, (text) => text.replace('\n5\n', '\n6\n')), 'checkpoint'],
  ['the signature of the checkpoint', (r) => note(r, (text) => text.replace('dCgKPm8/q', 'dCgKPm8/r')), 'checkpoint'],
  ['the signature removed', (r) => note(r, (text) => text.replace(/— govern[^\n]+\n/, '')), 'checkpoint'],
];

for (const [name, change, check] of TAMPERED) {
  test(`tampered: ${name}`, async () => {
    const result = await verifyReceipt(receipt(change), { ...trust, request: { context } });
    assert.equal(result.status, 'failed');
    assert.equal(result.checks[check].status, 'failed', JSON.stringify(result.checks));
  });
}

test('another request is not the one of the receipt', async () => {
  const other = structuredClone(context);
  other.fields.amount = 1;
  const result = await verifyReceipt(receipt(), { ...trust, request: { context: other } });
  assert.equal(result.checks.request.status, 'failed');
  const actor = await verifyReceipt(receipt(), { ...trust, request: { context, actor: { id: 'other' } } });
  assert.deepEqual([actor.checks.request.status, actor.checks.result.status], ['verified', 'failed']);
});

test('a key of another pair under the trusted ID is not trusted', async () => {
  const [key] = trust.keys;
  const forged = { ...key, x: oracle.test_keys.log.jwk.x };
  const result = await verifyReceipt(receipt(), { ...trust, keys: [forged] });
  assert.equal(result.checks.signature.status, 'not_checked');
});

test('a key of another tenant, and one with an unknown status, signs nothing', async () => {
  const registry = (change: (key: any) => void) => {
    const payload = JSON.parse(Buffer.from(oracle.trust_document.registry.payload, 'base64').toString());
    payload.keys.forEach(change);
    return trustOf({ payload: Buffer.from(JSON.stringify(payload)).toString('base64') });
  };
  const signature = async (changed: ReturnType<typeof trustOf>) =>
    (await verifyReceipt(receipt(), changed)).checks.signature.status;
  const { tenant_id } = oracle.public_receipt;
  assert.equal(await signature(registry((key) => (key.tenant_ids = [tenant_id]))), 'verified');
  assert.equal(await signature(registry((key) => (key.tenant_ids = [receipt().decision_id]))), 'failed');
  assert.equal(await signature(registry((key) => (key.tenant_ids = []))), 'failed');
  assert.equal(await signature(registry((key) => (key.status = 'suspended'))), 'not_checked');
});

test('trust of another shape is a mistake of the caller, and what is no receipt is not verified', async () => {
  const { keys, logKeys } = trust;
  const keysOnly = [undefined, { keys }, keys[0], [keys[0]!.x]].map((mistaken) => ({ keys: mistaken }));
  for (const mistaken of [...keysOnly, { keys, logKeys: logKeys[0] }]) {
    await assert.rejects(verifyReceipt(receipt(), mistaken as any), TypeError);
  }
  for (const other of [null, JSON.stringify(receipt()), 5, undefined] as any[]) {
    assert.equal((await verifyReceipt(other, trust)).status, 'failed');
  }
});

test('base64 has one form', () => {
  assert.deepEqual(fromBase64('YQ=='), utf8('a'));
  for (const text of ['YQ', 'YQ= =', 'YQ==\n', 'YR==', 'Y-==', 'YWJ=', 'Y']) assert.throws(() => fromBase64(text));
});

function anchors(receipt: any, change: (anchor: any) => void): void {
  change(receipt.transparency_anchor);
  receipt.result.transparency_anchor = structuredClone(receipt.transparency_anchor);
}

function note(receipt: any, change: (text: string) => string): void {
  anchors(receipt, ({ inclusion_proof: proof }) => {
    const changed = change(proof.checkpoint);
    assert.notEqual(changed, proof.checkpoint);
    proof.checkpoint = changed;
  });
}

function statuses(checks: Record<CheckName, { status: string }>) {
  return Object.fromEntries(Object.entries(checks).map(([name, { status }]) => [name, status]));
}

test('toHex and fromHex are inverse', () => assert.equal(toHex(fromHex('00ff10')), '00ff10'));
