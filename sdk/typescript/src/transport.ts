// Requests: URL, headers, timeout, retries, cookies.

import { ApiConnectionError, ApiError, ApiTimeoutError } from './errors.js';

/** The settings of a client. */
export interface GovernOptions {
  /** The URL of the service, such as `https://govern.example`. Default: the variable `GOVERN_URL`. */
  baseUrl?: string;
  /** An API key, `svc_…`. Default: the variable `GOVERN_API_KEY`. `null`: a session, or public operations. */
  apiKey?: string | null;
  /** The ID of the tenant. Default: the variable `GOVERN_TENANT_ID`. */
  tenantId?: string;
  /** The time limit of an attempt in milliseconds. Default: 60,000. */
  timeoutMs?: number;
  /** The maximum number of retries. Default: 2. */
  maxRetries?: number;
  /** If the service asks to wait longer than this before a retry, the error is thrown. Default: 60,000. */
  maxRetryDelayMs?: number;
  /** A replacement of the global `fetch`, for example with a proxy. */
  fetch?: typeof fetch;
  /** Headers of each request. */
  headers?: Record<string, string>;
}

/** Settings of one call. */
export interface RequestOptions extends Pick<GovernOptions, 'timeoutMs' | 'maxRetries' | 'headers'> {
  /** Cancels the call. */
  signal?: AbortSignal;
}

export type Query = Record<string, string | number | boolean | null | undefined>;

/** A request of an operation. */
export interface Call {
  query?: Query;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  /** Whether a repetition changes nothing, so that the request may be sent again. Default: for `GET` only. */
  isRepeatable?: boolean;
  options?: RequestOptions;
}

/** Reads a response into the result of an operation. */
export type Reader<T> = (response: Response) => Promise<T>;

export const json: Reader<any> = (response) => response.json();
export const text: Reader<string> = (response) => response.text();
export const bytes: Reader<Uint8Array> = async (response) => new Uint8Array(await response.arrayBuffer());
export const nothing: Reader<void> = async (response) => void (await response.arrayBuffer());
/** Leaves the body unread. The time limit then applies only to the headers. */
export const unread: Reader<Response> = async (response) => response;

/** Sends requests and repeats them if that is safe. */
export class Transport {
  private readonly settings;

  constructor(
    private readonly options: GovernOptions,
    // A session outside a browser: `fetch` stores no cookies there.
    private readonly cookies = new Map<string, string>(),
  ) {
    const env = (globalThis as any).process?.env ?? {};
    const baseUrl = options.baseUrl ?? env.GOVERN_URL;
    if (!baseUrl) throw new TypeError('`baseUrl` is missing');
    this.settings = {
      baseUrl: baseUrl.replace(/\/+$/, ''),
      apiKey: options.apiKey === undefined ? env.GOVERN_API_KEY : options.apiKey,
      tenantId: options.tenantId ?? env.GOVERN_TENANT_ID,
      timeoutMs: options.timeoutMs ?? 60_000,
      maxRetries: options.maxRetries ?? 2,
      maxRetryDelayMs: options.maxRetryDelayMs ?? 60_000,
      fetch: options.fetch ?? ((input: any, init: any) => fetch(input, init)),
    };
  }

  /** Returns a transport with other settings and the same session. */
  with(changes: GovernOptions): Transport {
    return new Transport({ ...this.options, ...changes }, this.cookies);
  }

  async send<T>(method: string, path: string, read: Reader<T>, call: Call = {}): Promise<T> {
    const maxRetries = call.options?.maxRetries ?? this.settings.maxRetries;
    const isRepeatable = call.isRepeatable ?? method === 'GET';
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.attempt(method, path, read, call);
      } catch (error) {
        const delay = isRepeatable && attempt < maxRetries ? this.retryDelayMs(error, attempt) : undefined;
        if (delay === undefined) throw error;
        await pause(delay, call.options?.signal);
      }
    }
  }

  private async attempt<T>(method: string, path: string, read: Reader<T>, call: Call): Promise<T> {
    const { signal, timeoutMs = this.settings.timeoutMs } = call.options ?? {};
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => {
      controller.abort(new ApiTimeoutError(`no response within ${timeoutMs} ms`));
    }, timeoutMs);
    try {
      const response = await this.settings.fetch(this.url(path, call.query), {
        method,
        headers: this.headers(call),
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
        signal: controller.signal,
      });
      this.storeCookies(response);
      if (!response.ok) throw await ApiError.read(response);
      return await read(response);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (controller.signal.aborted) throw controller.signal.reason;
      throw new ApiConnectionError(`${method} ${path}: ${(error as Error).message}`, { cause: error });
    } finally {
      clearTimeout(timer);
      // The signal also cancels the body that the caller reads.
      if ((read as unknown) !== unread) signal?.removeEventListener('abort', abort);
    }
  }

  private url(path: string, query: Query = {}): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) parameters.set(name, String(value));
    }
    const search = parameters.toString();
    return this.settings.baseUrl + path + (search && `?${search}`);
  }

  private headers(call: Call): Record<string, string> {
    const { apiKey, tenantId } = this.settings;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      'x-service-tenant-id': tenantId,
      'content-type': call.body === undefined ? undefined : 'application/json',
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : { cookie: cookie || undefined }),
      ...this.options.headers,
      ...call.headers,
      ...call.options?.headers,
    };
    const isSet = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
    return Object.fromEntries(Object.entries(headers).filter(isSet));
  }

  private storeCookies(response: Response): void {
    // A browser stores cookies itself, and does not show them.
    for (const cookie of response.headers.getSetCookie?.() ?? []) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
      if (!name) continue;
      if (value && !/;\s*max-age=0/i.test(cookie)) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
  }

  /** Returns the delay before the next attempt in milliseconds, or `undefined` if there is none. */
  private retryDelayMs(error: unknown, attempt: number): number | undefined {
    const backoff = Math.min(8_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2);
    if (error instanceof ApiConnectionError) return backoff;
    if (!(error instanceof ApiError) || ![429, 503].includes(error.status)) return undefined;
    if (error.code === 'FORM_BUDGET_EXHAUSTED') return undefined; // refills later, or never
    const delay = Math.max(backoff, (error.retryAfter ?? 0) * 1000);
    return delay > this.settings.maxRetryDelayMs ? undefined : delay;
  }
}

/** Waits, and throws if the signal aborts the call. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Builds a path. Each value is one segment of it. */
export function path(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => segment(String(value))));
}

/** Builds the path of a tile, which has several segments. */
export function tilePath(tile: string): string {
  return tile.split('/').map(segment).join('/');
}

function segment(value: string): string {
  // A URL resolves these segments, so that the request would be for another path.
  if (['', '.', '..'].includes(value)) throw new TypeError(`\`${value}\` is not an ID`);
  return encodeURIComponent(value);
}

/** Returns a body with its idempotency key, or a new one. Retries of the call send the same key. */
export function withIdempotencyKey<T extends { idempotency_key?: string | null }>(body: T) {
  return { ...body, idempotency_key: body.idempotency_key ?? crypto.randomUUID() };
}
