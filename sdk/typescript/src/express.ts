// A guard as a middleware of Express.

import type { Govern } from './client.js';
import { DecisionRefusedError } from './errors.js';
import type { GuardOptions } from './guard.js';
import type { RecordRequest } from './openapi.js';
import type { OptionalKey } from './resources.js';

/** The members of an Express response that the middleware uses. */
interface Response {
  statusCode: number;
  headersSent: boolean;
  status(code: number): { json(body: unknown): unknown };
  once(event: 'finish' | 'close', listener: () => void): unknown;
}

/** Settings of the middleware. */
export interface MiddlewareOptions extends GuardOptions {
  /** Receives errors that occur after the response was sent. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

/**
 * Returns a middleware that guards requests. A request that the policies do not permit gets status 403. The
 * outcome is `accepted` if the handler responds with a status below 400, otherwise `abandoned`. The decision is
 * recorded after the response, or with `recordFirst` before the handlers are called.
 *
 * @param describe returns the request of `decisions.record`, or `undefined` for requests that need no decision
 */
export function guardRequests<Request>(
  govern: Govern,
  describe: (
    request: Request,
  ) => OptionalKey<RecordRequest> | undefined | Promise<OptionalKey<RecordRequest> | undefined>,
  { onError = console.error, ...options }: MiddlewareOptions = {},
) {
  return async (request: Request, response: Response, next: (error?: unknown) => void): Promise<void> => {
    try {
      const decision = await describe(request);
      if (!decision) return next();
      await govern.guard(decision, () => handled(response, next), options);
    } catch (error) {
      if (response.headersSent) {
        if (!(error instanceof FailedRequest)) onError(error);
      } else if (error instanceof DecisionRefusedError) {
        const { verdict, decision, result } = error;
        const violations = result.violations.map(({ rule_code, reason }) => ({ rule_code, reason }));
        response.status(403).json({ verdict, decision_id: decision?.id, violations });
      } else {
        next(error);
      }
    }
  };
}

/** Calls the handlers and waits for the end of the response. */
function handled(response: Response, next: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once('finish', () => (response.statusCode < 400 ? resolve() : reject(new FailedRequest())));
    response.once('close', () => reject(new FailedRequest()));
    next();
  });
}

/** The handler responded with an error, or the caller closed the connection. */
class FailedRequest extends Error {}
