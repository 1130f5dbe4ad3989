// Offline check of a receipt (docs/FORMAT.md, sections 3 to 10).

import {
  type Bytes,
  canonicalJson,
  concat,
  digest,
  fromBase64,
  fromBase64Url,
  fromHex,
  sha256,
  toBase64Url,
  toHex,
  utf8,
} from './canonical.js';
import { verifyEd25519 } from './ed25519.js';
import { assertJson } from './json.js';
import type { Receipt, RecordRequest } from './openapi.js';
import type { OptionalKey } from './resources.js';

/** What the caller trusts, received from the operator of the service in another way than the receipt. */
export interface ReceiptTrust {
  /**
   * Public keys that may sign receipts, as JSON Web Keys. `tenant_ids` of a key are the only tenants whose receipts it
   * signs.
   */
  keys: { x: string; tenant_ids?: string[] }[];
  /** Keys of the transparency log, in the form `name+id+key`. */
  logKeys?: string[];
  /** The request that recorded the decision, exactly as it was sent. */
  request?: OptionalKey<RecordRequest>;
}

/**
 * `statement`: the receipt has the same values as its signed statement.
 * `signature`: a trusted key signed the statement.
 * `result`: the verdict, the violations and the rules that were not applicable are the hashed ones.
 * `request`: the context and the idempotency key are those of `request`.
 * `inclusion`: the statement is in the tree of the checkpoint.
 * `checkpoint`: a trusted log signed that checkpoint.
 */
export type CheckName = 'statement' | 'signature' | 'result' | 'request' | 'inclusion' | 'checkpoint';

/** The result of one check. `detail` is the reason unless it is `verified`. */
export interface Check {
  name: CheckName;
  status: 'verified' | 'failed' | 'not_checked';
  detail?: string;
}

/** The result of a verification. */
export interface ReceiptVerification {
  /** `failed` if a check failed, `verified` if all six checks are, otherwise `incomplete`. */
  status: 'verified' | 'failed' | 'incomplete';
  checks: Record<CheckName, Check>;
  /** Facts that these checks do not cover. `govern-verify` checks them, given the bundle of the decision. */
  notCovered: string[];
}

const NOT_COVERED = [
  'validity period, purpose and revocation of the keys',
  'the rules, and that they give this verdict',
  'approvals of the policy versions',
  'evidence data',
  'the chain: its links and its seal',
  'texts and details of violations, the named policy, counts and durations of the evaluation',
];
const PAYLOAD_TYPE = 'application/vnd.service.receipt.v2+json';

/** A check that failed, or that is not possible with what the caller has. */
class Finding extends Error {
  constructor(
    readonly status: 'failed' | 'not_checked',
    detail: string,
  ) {
    super(detail);
  }
}

/** Checks a receipt without a network. Each check is reported on its own; none implies another. */
export async function verifyReceipt(receipt: Receipt, trust: ReceiptTrust): Promise<ReceiptVerification> {
  assertTrust(trust);
  const run = async (name: CheckName, check: (view: any, trust: ReceiptTrust) => Promise<void>): Promise<Check> => {
    try {
      if (typeof receipt !== 'object' || receipt === null) throw new Finding('failed', 'the receipt is not an object');
      if (receipt.receipt_schema_version !== 2 || !receipt.statement) {
        throw new Finding('not_checked', 'the receipt has another schema version than 2');
      }
      await check(receipt, trust);
      return { name, status: 'verified' };
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotSupportedError') throw error;
      // A receipt of another shape raises a TypeError or a SyntaxError.
      const status = error instanceof Finding ? error.status : 'failed';
      return { name, status, detail: (error as Error).message };
    }
  };
  const checks = {
    statement: await run('statement', checkStatement),
    signature: await run('signature', checkSignature),
    result: await run('result', checkResult),
    request: await run('request', checkRequest),
    inclusion: await run('inclusion', checkInclusion),
    checkpoint: await run('checkpoint', checkCheckpoint),
  };
  const has = (status: Check['status']) => Object.values(checks).some((check) => check.status === status);
  const status = has('failed') ? 'failed' : has('not_checked') ? 'incomplete' : 'verified';
  return { status, checks, notCovered: NOT_COVERED };
}

/**
 * Returns the receipt keys and log keys that a trust registry lists. It does not check the signatures of the
 * registry: use it only for a registry that you received from the operator in a trusted way.
 */
export function trustOf(registry: { payload: string }): Required<Pick<ReceiptTrust, 'keys' | 'logKeys'>> {
  const { keys, logs } = JSON.parse(new TextDecoder().decode(fromBase64(registry.payload)));
  const isUsable = (key: any) => ['active', 'retired'].includes(key.status) && key.purposes.includes('receipt');
  const trusted = ({ jwk, tenant_ids }: any) => (tenant_ids ? { ...jwk, tenant_ids } : jwk);
  return { keys: keys.filter(isUsable).map(trusted), logKeys: logs.map((log: any) => log.vkey) };
}

/** Throws a TypeError if the trust is of another shape. Otherwise the receipt would look invalid. */
function assertTrust({ keys, logKeys = [], request }: ReceiptTrust): void {
  const isList = (value: unknown, type: string) =>
    Array.isArray(value) && value.every((element) => typeof element === type && element !== null);
  if (!isList(keys, 'object')) throw new TypeError('`keys` is not a list of JSON Web Keys');
  if (!isList(logKeys, 'string')) throw new TypeError('`logKeys` is not a list of texts');
  assertJson(request ?? null); // such a request was never sent
}

async function checkStatement(view: any): Promise<void> {
  const { statement, result, chain } = view;
  const equal = (name: string, actual: unknown, expected: unknown) => {
    if (canonicalJson([actual ?? null]) !== canonicalJson([expected ?? null])) {
      throw new Finding('failed', `\`${name}\` differs from the statement`);
    }
  };
  equal('schema', 'service-receipt/v2', statement.schema);
  for (const name of ['tenant_id', 'decision_id', 'receipt_schema_version']) equal(name, view[name], statement[name]);
  for (const name of [
    'integrity_hash',
    'policy_snapshot_id',
    'policy_snapshot_digest',
    'evidence_manifest_digest',
    'timestamp',
    'decision',
  ]) {
    equal(`result.${name}`, result[name], statement[name]);
  }
  equal('chain.chain_id', chain?.chain_id, statement.chain?.chain_id);
  equal('chain.chain_step', chain?.chain_step, statement.chain?.step);
  equal('chain.parent_decision_id', chain?.parent_decision_id, statement.chain?.parent_decision_id);
  equal('signature_kid', view.signature_kid, statement.kid);
  equal('signature_algorithm', view.signature_algorithm, statement.alg);
  equal('payload_type', view.payload_type, statement.kid && PAYLOAD_TYPE);
  for (const name of ['signature', 'signature_kid', 'signature_algorithm'])
    equal(`result.${name}`, result[name], view[name]);
  const action = result.action && (await digest({ schema: 'service-action/v1', action: result.action }));
  equal('result.action', action, statement.action_digest);
}

async function checkSignature({ statement, signature }: any, { keys }: ReceiptTrust): Promise<void> {
  if (!signature) throw new Finding('not_checked', 'the receipt is not signed');
  let publicKey: Bytes | undefined;
  let tenantIds: string[] | undefined;
  for (const { x, tenant_ids } of keys) {
    const thumbprint = await sha256(utf8(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x })));
    if (toBase64Url(thumbprint) !== statement.kid) continue;
    publicKey = fromBase64Url(x);
    tenantIds = tenant_ids;
  }
  if (!publicKey) throw new Finding('not_checked', `the key ${statement.kid} is not trusted`);
  if (tenantIds && !tenantIds.includes(statement.tenant_id)) {
    throw new Finding('failed', 'the key is not one of this tenant');
  }
  if (statement.alg !== 'Ed25519') throw new Finding('failed', `the algorithm is ${statement.alg}`);
  const body = utf8(canonicalJson(statement));
  // DSSE signs the type and the body with their lengths.
  const head = utf8(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${body.length} `);
  if (!(await verifyEd25519(publicKey, fromBase64Url(signature), concat(head, body)))) {
    throw new Finding('failed', 'the signature is invalid');
  }
}

async function checkResult(
  { statement, result, context_digest, redaction }: any,
  { request }: ReceiptTrust,
): Promise<void> {
  if (redaction === 'values') throw new Finding('not_checked', 'values are redacted');
  const pick = (value: any, names: string[]) => Object.fromEntries(names.map((name) => [name, value[name]]));
  const preimage = {
    schema: 'service-decision-integrity/v2',
    receipt_schema_version: 2,
    context_digest,
    decision_type: statement.decision_type,
    ...pick(result, ['decision', 'policy_snapshot_digest', 'evaluated_rules_hash', 'evidence_manifest_digest']),
    violations: result.violations.map((violation: any) => ({
      ...pick(violation, [
        'rule_code',
        'severity',
        'reason_code',
        'field',
        'actual_value',
        'expected_value',
        'policy_id',
      ]),
      is_shadow: violation.is_shadow ?? false,
    })),
    na_rules: result.na_rules.map((rule: any) => pick(rule, ['policy_id', 'rule_code'])),
    is_shadow: result.is_shadow ?? false,
    shadow_converted: result.shadow_converted ?? false,
    ...pick(result, ['original_decision', 'narrowing']),
  };
  // The actor and the evaluation time of temporal rules are hashed, and are not in the receipt.
  const metadata = request?.context.metadata;
  const actorId = request?.actor?.id ?? metadata?.actor_id;
  const time = metadata?.timestamp ? new Date(metadata.timestamp).toISOString() : statement.timestamp;
  for (const as_of of [undefined, time]) {
    if ((await digest({ ...preimage, actor_id: actorId, as_of })) === statement.integrity_hash) return;
  }
  if (request) throw new Finding('failed', 'the result is not the hashed one');
  throw new Finding('not_checked', 'the hash also covers the actor and the time of the request, which is needed');
}

async function checkRequest({ statement, context_digest }: any, { request }: ReceiptTrust): Promise<void> {
  if (!request) throw new Finding('not_checked', 'the request is needed');
  const context = structuredClone(request.context) as any;
  for (const name of ['ip_address', 'user_agent', 'correlation_id']) delete context.metadata?.[name];
  for (const item of context.evidence ?? []) {
    if (!('data' in item)) continue;
    item.data_digest = await digest(item.data);
    delete item.data;
  }
  if ((await digest({ schema: 'service-decision-context/v1', context })) !== context_digest) {
    throw new Finding('failed', 'the context is not the one of the receipt');
  }
  const { tenant_id } = statement;
  const { idempotency_key } = request;
  if (idempotency_key == null) return;
  const key = await digest({ schema: 'service-idempotency-key/v1', tenant_id, idempotency_key });
  if (key !== statement.idempotency_key_digest) throw new Finding('failed', 'the idempotency key is another');
}

async function checkInclusion({ statement, result, transparency_anchor: anchor }: any): Promise<void> {
  if (!anchor) throw new Finding('not_checked', 'the receipt is not in the log yet');
  const fail = (detail: string) => new Finding('failed', detail);
  if (anchor.provider !== 'embedded') throw new Finding('not_checked', `the provider is ${anchor.provider}`);
  if (result.transparency_anchor && canonicalJson(result.transparency_anchor) !== canonicalJson(anchor)) {
    throw fail('the anchors differ');
  }
  const { hashes, log_index, root_hash, tree_size, checkpoint } = anchor.inclusion_proof;
  const { origin, size, root } = readCheckpoint(checkpoint);
  if (size !== tree_size || root !== root_hash || log_index !== anchor.log_index) {
    throw fail('the proof differs from its checkpoint');
  }
  const entry = { schema: 'service-log-entry/v1', kind: 'receipt', digest: await digest(statement) };
  const leaf = await sha256(concat(Uint8Array.of(0), utf8(canonicalJson(entry))));
  const treeId = toHex(await sha256(utf8(origin))).slice(0, 16);
  if (anchor.entry_uuid !== treeId + toHex(leaf)) throw fail('the entry is another');
  if (toHex(await rootOf(leaf, log_index, size, hashes)) !== root) throw fail('the inclusion proof is invalid');
}

async function checkCheckpoint({ transparency_anchor: anchor }: any, { logKeys = [] }: ReceiptTrust): Promise<void> {
  if (!anchor) throw new Finding('not_checked', 'the receipt is not in the log yet');
  const note: string = anchor.inclusion_proof.checkpoint;
  const { origin, signed } = readCheckpoint(note);
  const trusted = logKeys.filter((key) => key.startsWith(`${origin}+`));
  if (trusted.length === 0) throw new Finding('not_checked', `the log ${origin} is not trusted`);
  const lines = note.slice(signed.length + 1).split('\n');
  for (const logKey of trusted) {
    const [, id = '', key = ''] = /\+([0-9a-f]{8})\+(.+)$/.exec(logKey) ?? [];
    const typed = fromBase64(key);
    if (typed[0] !== 1 || toHex((await sha256(concat(utf8(`${origin}\n`), typed))).slice(0, 4)) !== id) {
      throw new TypeError(`\`${logKey}\` is not a log key`);
    }
    const blobs = lines
      .filter((line) => line.startsWith(`— ${origin} `))
      .map((line) => fromBase64(line.slice(origin.length + 3)));
    const signatures = blobs.filter((blob) => toHex(blob.slice(0, 4)) === id).map((blob) => blob.slice(4));
    const results = await Promise.all(
      signatures.map((signature) => verifyEd25519(typed.slice(1), signature, utf8(signed))),
    );
    if (results.length > 0 && results.every(Boolean)) return;
  }
  throw new Finding('failed', 'the log did not sign the checkpoint');
}

/** Reads a C2SP checkpoint. `signed` is the text that the log signs. */
function readCheckpoint(note: string): { origin: string; size: number; root: string; signed: string } {
  const end = note.lastIndexOf('\n\n');
  const [origin, size, root] = note.slice(0, Math.max(end, 0)).split('\n');
  if (!origin || !root || !/^(0|[1-9]\d{0,15})$/.test(size ?? ''))
    throw new Finding('failed', 'the checkpoint is malformed');
  return { origin, size: Number(size), root: toHex(fromBase64(root)), signed: note.slice(0, end + 1) };
}

/** Returns the root of the tree (RFC 9162, section 2.1.3.2). Throws if the proof has another length. */
async function rootOf(leaf: Bytes, index: number, size: number, proof: string[]): Promise<Bytes> {
  const invalid = new Finding('failed', 'the inclusion proof is invalid');
  // Indexes exceed 32 bits, so bit operations are not possible.
  let node = index;
  let last = size - 1;
  let hash = leaf;
  if (!Number.isSafeInteger(index) || node < 0 || node > last) throw invalid;
  for (const text of proof) {
    const sibling = fromHex(text);
    if (last === 0 || sibling.length !== 32) throw invalid;
    if (node % 2 === 1 || node === last) {
      hash = await sha256(concat(Uint8Array.of(1), sibling, hash));
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = await sha256(concat(Uint8Array.of(1), hash, sibling));
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  if (last !== 0) throw invalid;
  return hash;
}
