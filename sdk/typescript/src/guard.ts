// The guard: evaluate, act, record the decision, record the outcome.

import type { Govern } from './client.js';
import { ConflictError, DecisionRefusedError, UnrecordedActionError } from './errors.js';
import type { DecisionRecord, EvaluationResult, OutcomeRequest, RecordRequest, Verdict } from './openapi.js';
import { assertJson } from './json.js';
import type { OptionalKey } from './resources.js';
import { withIdempotencyKey } from './transport.js';

/** Settings of a guard. */
export interface GuardOptions {
  /** The verdicts that permit the action. Default: `ALLOW` and `ALERT`. */
  permit?: Verdict[];
  /**
   * Whether the decision is recorded before the action instead of after it. Then no action can be without a
   * decision, even if this process ends during the action. Default: false.
   */
  recordFirst?: boolean;
}

/** The result of a guarded action. */
export interface GuardResult<Value> {
  /** The result of the action. */
  value: Value;
  /** The recorded decision. */
  decision: DecisionRecord;
}

export async function guard<Value>(
  govern: Govern,
  request: OptionalKey<RecordRequest>,
  act: (result: EvaluationResult) => Value | Promise<Value>,
  { permit = ['ALLOW', 'ALERT'], recordFirst = false }: GuardOptions = {},
): Promise<GuardResult<Value>> {
  const keyed = withIdempotencyKey(request);
  // Otherwise the decision of an executed action could not be recorded.
  assertJson(keyed);
  if (!/^.{1,255}$/su.test(keyed.idempotency_key)) {
    throw new TypeError('`/idempotency_key` does not have 1 to 255 characters');
  }
  const record = async () => (await govern.decisions.record(keyed)).decision;
  const { context, actor, policy_ids, policy_group_code } = request;

  let decision = recordFirst ? await record() : undefined;
  const result =
    decision?.result ?? (await govern.decisions.evaluate({ context, actor, policy_ids, policy_group_code })).result;
  if (!permit.includes(result.decision)) {
    let cause: unknown;
    decision ??= await record().catch((error) => void (cause = error));
    throw new DecisionRefusedError(result, decision, { cause });
  }

  const finish = async (outcome: OutcomeRequest) => {
    decision ??= await record();
    // The policies may have changed during the action.
    const isPermitted = permit.includes(decision.decision);
    const overridden: OutcomeRequest = {
      status: 'overridden',
      note: `the verdict before the action was ${result.decision}`,
    };
    await govern.decisions.recordOutcome(decision.id, isPermitted ? outcome : overridden).catch((error) => {
      // An earlier call with the same idempotency key recorded an outcome, which cannot be changed.
      if (!(error instanceof ConflictError)) throw error;
    });
    return decision;
  };

  let action: { value: Value } | { error: unknown };
  try {
    action = { value: await act(result) };
  } catch (error) {
    action = { error };
  }
  const outcome: OutcomeRequest =
    'value' in action ? { status: 'accepted' } : { status: 'abandoned', note: 'the action failed' };
  const recorded = await finish(outcome).catch((cause) => {
    throw new UnrecordedActionError(keyed, action, { cause });
  });
  if ('error' in action) throw action.error;
  return { value: action.value, decision: recorded };
}
