// @ts-check
// Evaluates a tool call, records the decision and reads its receipt. Needs Node 18 and nothing else.
//
//   GOVERN_URL=http://127.0.0.1:3000 GOVERN_TENANT_ID=… GOVERN_API_KEY=svc_… node govern_client.mjs
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {'ALLOW' | 'ALERT' | 'REVIEW' | 'DENY'} Verdict */
/** @typedef {{ result: { decision: Verdict } }} EvaluateResponse */
/** @typedef {{ decision: { id: string, decision: Verdict }, is_new: boolean }} RecordResponse */
/** @typedef {{ decision_id: string, result: { decision: Verdict } }} Receipt */

const ATTEMPTS = 3;
const url = setting('GOVERN_URL').replace(/\/$/, '');
const headers = {
  authorization: `Bearer ${setting('GOVERN_API_KEY')}`,
  'x-service-tenant-id': setting('GOVERN_TENANT_ID'),
  'content-type': 'application/json',
};

/** @param {string} name */
function setting(name) {
  const value = process.env[name];
  if (value) return value;
  console.error(`${name} is not set`);
  process.exit(1);
}

/**
 * Sends a request and returns the JSON of the response. Retries when the service asks for it.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function call(method, path, body) {
  for (let attempt = 1; ; attempt++) {
    /** @type {Response} */
    let response;
    try {
      const signal = AbortSignal.timeout(10_000);
      // A redirected `POST` would become a `GET` without its body, so a redirect is an error.
      const redirect = 'manual';
      response = await fetch(url + path, { method, headers, body: JSON.stringify(body), redirect, signal });
    } catch (cause) {
      if (attempt === ATTEMPTS) throw new Error(`the service cannot be reached: ${cause}`);
      await sleep(attempt * 1000);
      continue;
    }
    if (response.ok) return response.json();
    // These can succeed later. All other errors need a different request.
    if (![429, 502, 503, 504].includes(response.status) || attempt === ATTEMPTS) {
      // The response of a proxy is not one of Govern.
      const { error, correlation_id } = await response.json().catch(() => ({}));
      const reason = error?.code ? `${error.code} (correlation ID ${correlation_id})` : response.statusText;
      throw new Error(`${response.status} ${reason}`);
    }
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000);
  }
}

async function main() {
  // The ID of the operation in the calling system. An agent runtime uses the ID of the tool call.
  const callId = randomUUID();
  const context = {
    decision_type: 'ai_tool_call',
    fields: {
      tool: { name: 'crm.lookup', effect: 'read' },
      reason: 'Find the renewal date of the customer.',
      environment: 'production',
      agent: { id: 'agent-7', operator_id: 'k.tanaka', autonomy_level: 2 },
      target: { url: 'https://api.example.com/customers/42', external: false },
    },
    metadata: { actor_id: 'agent-7' },
  };

  // A dry run. Nothing is stored.
  /** @type {EvaluateResponse} */
  const evaluated = await call('POST', '/v1/decisions/evaluate', { context });

  // The key depends on the operation only. A retry sends the same key and receives the same decision.
  // Execute the tool call only if the verdict is `ALLOW` or `ALERT`.
  const request = { context, idempotency_key: `tool-call-${callId}` };
  /** @type {RecordResponse} */
  const { decision, is_new } = await call('POST', '/v1/decisions/record', request);

  // The receipt is public and also readable without an API key. Append `?wait_for=anchor` to wait up to
  // 5 s for its entry in the transparency log.
  const receiptPath = `/v1/receipts/${decision.id}`;
  /** @type {Receipt} */
  const receipt = await call('GET', receiptPath);
  if (receipt.result.decision !== decision.decision) throw new Error('the receipt has a different verdict');

  const summary = {
    evaluated: evaluated.result.decision,
    decision: decision.decision,
    decision_id: decision.id,
    is_new,
    receipt: url + receiptPath,
  };
  console.log(JSON.stringify(summary));
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
