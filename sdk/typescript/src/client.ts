// The client of the API.

import { guard, type GuardOptions, type GuardResult } from './guard.js';
import { Resources, type OptionalKey } from './resources.js';
import type { EvaluationResult, RecordRequest } from './openapi.js';
import { type Call, type GovernOptions, json, type Reader, Transport } from './transport.js';

/**
 * A client of Govern. Its methods are grouped by noun, such as `govern.decisions.record(…)`.
 *
 * `GET` requests, evaluations and requests with an idempotency key are repeated after network errors and
 * responses with status 429, 502, 503 or 504. Other requests are sent once.
 */
export class Govern extends Resources {
  private readonly transport: Transport;

  /** @throws TypeError if the URL of the service is missing */
  constructor(options: GovernOptions | Transport = {}) {
    const transport = options instanceof Transport ? options : new Transport(options);
    super(transport);
    this.transport = transport;
  }

  /** Returns a client with other settings. Both clients share a session, unless `changes` has a `baseUrl`. */
  withOptions(changes: GovernOptions): Govern {
    return new Govern(this.transport.with(changes));
  }

  /** Sends a request for which there is no method. `read` reads the response; the default is its JSON. */
  request<T = any>(method: string, path: string, call: Call = {}, read: Reader<T> = json): Promise<T> {
    return this.transport.send(method, path, read, call);
  }

  /**
   * Executes an action only if the policies permit it, and records the decision with its outcome:
   * evaluate, act, record the decision, record the outcome.
   *
   * @param request the request of `decisions.record`
   * @param act the action. It receives the result of the evaluation
   * @throws DecisionRefusedError if the verdict does not permit the action. The decision is recorded
   * @throws UnrecordedActionError if the action ended and the decision or outcome could not be recorded
   */
  guard<Value>(
    request: OptionalKey<RecordRequest>,
    act: (result: EvaluationResult) => Value | Promise<Value>,
    options?: GuardOptions,
  ): Promise<GuardResult<Value>> {
    return guard(this, request, act, options);
  }
}
