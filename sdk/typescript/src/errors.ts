// Errors that the client throws.

import type { DecisionRecord, EvaluationResult, Problem, RecordRequest, Verdict } from './openapi.js';
import type { OptionalKey } from './resources.js';

/** A code of an error response, listed in `docs/ERRORS.md`. A later service may send further codes. */
export type ErrorCode = Problem['code'];

/** An invalid value of a request. `path` is its JSON Pointer, such as `/rules/0/severity`. */
export interface FieldError {
  path: string;
  code: string;
  message: string;
}

/** The superclass of all errors of this package. */
export class GovernError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service could not be reached, or the connection broke. `cause` is the error of `fetch`. */
export class ApiConnectionError extends GovernError {}

/** The service did not respond in time. */
export class ApiTimeoutError extends ApiConnectionError {}

/** An error response of the service, or a redirect. The subclass depends on the status. */
export class ApiError extends GovernError {
  /** The HTTP status. */
  readonly status: number;
  /** The error code for programs; `undefined` if the response is not one of Govern, but of a proxy. */
  readonly code: ErrorCode | undefined;
  /** Details for programs; their members depend on the code. */
  readonly details: unknown;
  /** The correlation ID of the request, which is also in the log of the service. */
  readonly correlationId: string | undefined;
  /** The number of seconds after which the service accepts a retry, if it sent one. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: unknown) {
    const { error, correlation_id, retry_after } = (body ?? {}) as Record<string, any>;
    const correlationId = correlation_id ?? response.headers.get('x-correlation-id') ?? undefined;
    // The codes of a proxy may be numbers.
    const code = typeof error?.code === 'string' ? error.code : undefined;
    const reason = code ? `${code}: ${error.message}` : response.statusText;
    const answer = redirectOf(response) ?? `${response.status} ${reason}`;
    super(`${answer}${correlationId ? ` (correlation ID ${correlationId})` : ''}`);
    this.status = response.status;
    this.code = code;
    this.details = error?.details;
    this.correlationId = correlationId;
    const stated = typeof retry_after === 'number' ? retry_after : undefined;
    this.retryAfter = readRetryAfter(response.headers.get('retry-after')) ?? stated;
  }

  /** The invalid values of the request; empty for errors that do not name a value. */
  get fields(): FieldError[] {
    const errors = (this.details as { errors?: unknown } | undefined)?.errors;
    return Array.isArray(errors) ? errors : [];
  }

  /** Reads an error response and returns its error. */
  static async read(response: Response): Promise<ApiError> {
    const text = await response.text();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    const Type = CLASSES[response.status] ?? ApiError;
    return new Type(response, body);
  }
}

/** 401: the credentials are missing, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {}
/** 403: the caller is not permitted to do this. */
export class PermissionDeniedError extends ApiError {}
/** 404: the resource does not exist in this tenant, or no active policy applies. */
export class NotFoundError extends ApiError {}
/** 409: the state does not allow the request. */
export class ConflictError extends ApiError {}
/** 400, 413, 415 and 422: the request is invalid. `fields` names the invalid values. */
export class InvalidRequestError extends ApiError {}
/** 429: a rate limit was reached. */
export class RateLimitError extends ApiError {}
/** 500: an internal error of the service. */
export class InternalServerError extends ApiError {}
/** 502, 503 and 504: the service is unavailable, or a proxy cannot reach it. */
export class ServiceUnavailableError extends ApiError {}

const CLASSES: Record<number, typeof ApiError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
  500: InternalServerError,
  502: ServiceUnavailableError,
  503: ServiceUnavailableError,
  504: ServiceUnavailableError,
};

/** Describes a redirect, which a client never follows. A browser hides its status and its target. */
function redirectOf(response: Response): string | undefined {
  const isRedirect = response.type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(response.status);
  if (!isRedirect && !response.redirected) return undefined;
  const target = response.redirected ? response.url : response.headers.get('location');
  return `the redirect${target ? ` to ${target}` : ''} is not followed: is \`baseUrl\` the URL of the service?`;
}

/** `Retry-After` contains a number of seconds, or from a proxy a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  // `Date.parse` reads numbers as years or months. A date begins with the name of its day.
  const date = /^[a-z]/i.test(header) ? Date.parse(header) : NaN;
  const seconds = /^\d+$/.test(header) ? Number(header) : (date - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** A webhook request that Govern did not sign with this secret, or that is too old. */
export class WebhookSignatureError extends GovernError {}

/** The verdict does not permit the guarded action. The action was not executed. */
export class DecisionRefusedError extends GovernError {
  readonly verdict: Verdict;

  constructor(
    /** The evaluation with its violations. */
    readonly result: EvaluationResult,
    /** The recorded decision; `undefined` if it could not be recorded. `cause` is then the reason. */
    readonly decision: DecisionRecord | undefined,
    options?: ErrorOptions,
  ) {
    const codes = [...new Set(result.violations.map((violation) => violation.rule_code))];
    super(`the verdict is ${result.decision}${codes.length ? `: ${codes.join(', ')}` : ''}`, options);
    this.verdict = result.decision;
  }
}

/**
 * The guarded action ended, but its decision or outcome could not be recorded. `cause` is the reason.
 * `decisions.record(request)` records the decision later: the request has an idempotency key.
 */
export class UnrecordedActionError<Value = unknown> extends GovernError {
  constructor(
    /** The request of the decision. */
    readonly request: OptionalKey<RecordRequest>,
    /** The result of the action. */
    readonly action: { value: Value } | { error: unknown },
    options: ErrorOptions,
  ) {
    super('the action ended, but its decision or outcome could not be recorded', options);
  }
}
