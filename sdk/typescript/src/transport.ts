// Requests: URL, headers, timeout, retries, cookies.

import { ApiConnectionError, ApiError, ApiTimeoutError } from './errors.js';
import { assertJson } from './json.js';

/** The settings of a client. */
export interface GovernOptions {
  /** The URL of the service, such as `https://govern.example`. Default: the variable `GOVERN_URL`. */
  baseUrl?: string;
  /** An API key, `svc_…`. Default: the variable `GOVERN_API_KEY`. `null`: a session, or public operations. */
  apiKey?: string | null;
  /** The ID of the tenant. Default: the variable `GOVERN_TENANT_ID`. */
  tenantId?: string;
  /**
   * The time limit of an attempt in milliseconds, from the request to the end of the response. For a stream and an
   * export: until its headers, and between two parts of an export. `Infinity`: none. Default: 60,000.
   */
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
  // These members are private also at run time, so that a log of the client shows no key.
  readonly #options: GovernOptions;
  readonly #settings;
  /** A session outside a browser: `fetch` stores no cookies there. */
  readonly #cookies: Map<string, string>;

  constructor(options: GovernOptions, cookies = new Map<string, string>()) {
    const env = (name: string) => (globalThis as any).process?.env?.[name] || undefined;
    const baseUrl = options.baseUrl ?? env('GOVERN_URL');
    if (!baseUrl) throw new TypeError('`baseUrl` is missing');
    // Without it, another key or tenant of the environment would be used.
    for (const name of ['apiKey', 'tenantId'] as const) {
      if (options[name] === '') throw new TypeError(`\`${name}\` is empty`);
    }
    this.#options = options;
    this.#cookies = cookies;
    this.#settings = {
      baseUrl: serviceUrl(baseUrl),
      apiKey: options.apiKey === undefined ? env('GOVERN_API_KEY') : options.apiKey,
      tenantId: options.tenantId ?? env('GOVERN_TENANT_ID'),
      ...limits(options, { timeoutMs: 60_000, maxRetries: 2, maxRetryDelayMs: 60_000 }),
      fetch: options.fetch ?? ((input: any, init: any) => fetch(input, init)),
    };
    const { apiKey, tenantId } = this.#settings;
    assertCredential('apiKey', apiKey);
    assertCredential('tenantId', tenantId);
  }

  /** Returns a transport with other settings. It has the same session, unless it has another `baseUrl`. */
  with(changes: GovernOptions): Transport {
    const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    return new Transport({ ...this.#options, ...set }, 'baseUrl' in set ? undefined : this.#cookies);
  }

  /** The time limit of a call in milliseconds. */
  timeoutMs(options: RequestOptions = {}): number {
    return limits(options, this.#settings).timeoutMs;
  }

  async send<T>(method: string, path: string, read: Reader<T>, call: Call = {}): Promise<T> {
    const { maxRetries } = limits(call.options ?? {}, this.#settings);
    const isRepeatable = call.isRepeatable ?? method === 'GET';
    const url = this.url(path, call.query);
    assertJson(call.body ?? null);
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    for (let attempt = 0; ; attempt++) {
      const headers = this.headers(call);
      try {
        return await this.attempt(`${method} ${path}`, url, { method, headers, body }, read, call);
      } catch (error) {
        const delay = isRepeatable && attempt < maxRetries ? this.retryDelayMs(error, attempt) : undefined;
        if (delay === undefined) throw error;
        await pause(delay, call.options?.signal);
      }
    }
  }

  private async attempt<T>(
    name: string,
    url: string,
    request: RequestInit,
    read: Reader<T>,
    call: Call,
  ): Promise<T> {
    const { signal } = call.options ?? {};
    signal?.throwIfAborted();
    const timeoutMs = this.timeoutMs(call.options);
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const timer = startTimer(timeoutMs, () => {
      controller.abort(new ApiTimeoutError(`no response within ${timeoutMs} ms`));
    });
    try {
      const exchange = this.exchange(url, { ...request, signal: controller.signal }, read);
      // A replacement of `fetch` may ignore the signal.
      return await Promise.race([exchange, rejection(controller.signal)]);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (controller.signal.aborted) throw controller.signal.reason;
      throw new ApiConnectionError(`${name}: ${(error as Error).message}`, { cause: error });
    } finally {
      clearTimeout(timer);
      // The signal also cancels the body that the caller reads.
      if ((read as unknown) !== unread) signal?.removeEventListener('abort', abort);
    }
  }

  private async exchange<T>(url: string, request: RequestInit, read: Reader<T>): Promise<T> {
    // A redirected `POST` would become a `GET` without its body, and its headers would reach another host.
    const response = await this.#settings.fetch(url, { ...request, redirect: 'manual' });
    // A replacement of `fetch` may have followed one.
    if (response.redirected) throw await ApiError.read(response);
    this.storeCookies(response);
    if (!response.ok) throw await ApiError.read(response);
    return read(response);
  }

  private url(path: string, query: Query = {}): string {
    // Another path would continue the host name, so that the key reaches another host.
    if (!/^\/[^#]*$/.test(path)) throw new TypeError('the path does not begin with `/`, or contains `#`');
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined || value === null) continue;
      assertJson(value, name);
      if (typeof value === 'object') throw new TypeError(`\`${name}\` is not a text, a number or a boolean`);
      parameters.set(name, String(value));
    }
    const search = parameters.toString();
    return this.#settings.baseUrl + path + (search && (path.includes('?') ? '&' : '?') + search);
  }

  private headers(call: Call): Record<string, string> {
    const { apiKey, tenantId } = this.#settings;
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = {
      'x-service-tenant-id': tenantId,
      'content-type': call.body === undefined ? undefined : 'application/json',
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : { cookie: cookie || undefined }),
    };
    // Later ones replace earlier ones, also if their names differ in case.
    const headers = new Headers();
    for (const given of [own, this.#options.headers, call.headers, call.options?.headers]) {
      for (const [name, value] of Object.entries(given ?? {})) {
        if (value !== undefined) setHeader(headers, name, value);
      }
    }
    return Object.fromEntries(headers);
  }

  private storeCookies(response: Response): void {
    // A browser stores cookies itself, and does not show them.
    for (const cookie of response.headers.getSetCookie?.() ?? []) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
      if (!name) continue;
      if (value && !/;\s*max-age=0/i.test(cookie)) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
  }

  /** Returns the delay before the next attempt in milliseconds, or `undefined` if there is none. */
  retryDelayMs(error: unknown, attempt: number): number | undefined {
    const backoff = Math.min(8_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2);
    if (error instanceof ApiConnectionError) return backoff;
    if (!(error instanceof ApiError) || ![429, 502, 503, 504].includes(error.status)) return undefined;
    if (error.code === 'FORM_BUDGET_EXHAUSTED') return undefined; // refills later, or never
    const delay = Math.max(backoff, (error.retryAfter ?? 0) * 1000);
    return delay > this.#settings.maxRetryDelayMs ? undefined : delay;
  }
}

/** Returns the URL of the service without a slash at its end. The errors do not show it: it may have a password. */
function serviceUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text, globalThis.location?.href); // in a browser, it may be relative to the page
  } catch {
    throw new TypeError('`baseUrl` is not a URL');
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('`baseUrl` does not begin with `https://` or `http://`');
  if (url.username || url.password) throw new TypeError('`baseUrl` contains credentials, which are not sent');
  // The paths of the operations are appended.
  if (/[?#]/.test(text)) throw new TypeError('`baseUrl` contains a query or a fragment');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Throws for a value that cannot be in a header. The error does not show it. */
function assertCredential(name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value !== 'string' || !/^[!-~]+$/.test(value)) {
    throw new TypeError(`\`${name}\` contains a space, a line break or another character that it cannot have`);
  }
}

/** Sets a header. The error does not show its value, unlike that of `Headers`. */
function setHeader(headers: Headers, name: string, value: unknown): void {
  try {
    if (typeof value === 'string') return headers.set(name, value);
  } catch {
    // is refused below
  }
  throw new TypeError(`the header \`${name}\` has a name or a value that no request can have`);
}

type Limits = { timeoutMs: number; maxRetries: number; maxRetryDelayMs: number };

/** Returns the limits of `options`, or else of `defaults`. Throws for a value that is no limit. */
function limits(options: Partial<Limits>, defaults: Limits): Limits {
  const limit = (name: keyof Limits, isValid: (value: number) => boolean) => {
    const value = options[name] ?? defaults[name];
    if (typeof value === 'number' && isValid(value)) return value;
    throw new TypeError(`\`${name}\` is ${value}, which is not a limit`);
  };
  return {
    timeoutMs: limit('timeoutMs', (value) => value > 0),
    maxRetries: limit('maxRetries', (value) => value >= 0),
    maxRetryDelayMs: limit('maxRetryDelayMs', (value) => value >= 0),
  };
}

/** Is rejected with the reason of a signal when it aborts. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

/** Starts a timer. Longer times than it supports would otherwise end at once. */
export function startTimer(ms: number, action: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(action, Math.min(ms, 2 ** 31 - 1));
}

/** Waits, and throws if the signal aborts the call. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = startTimer(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Builds a path. Each value is one segment of it. */
export function path(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: parts }, ...values.map(segment));
}

/** Builds the path of a tile, which has several segments. */
export function tilePath(tile: string): string {
  return tile.split('/').map(segment).join('/');
}

function segment(value: string | number): string {
  assertJson(value, 'ID');
  // A URL resolves the named segments, so that the request would be for another path.
  if (!['string', 'number'].includes(typeof value) || ['', '.', '..'].includes(value as string)) {
    throw new TypeError(`\`${value}\` is not an ID`);
  }
  return encodeURIComponent(value);
}

/** Returns a password as the value of a header: each code unit is a byte of its UTF-8. */
export function headerPassword(password: string | undefined): string | undefined {
  if (password === undefined) return undefined;
  assertJson(password, 'password');
  // A header has no control characters, and loses white space at its ends.
  if (/[\0-\x1f\x7f]|^ | $/.test(password)) throw new TypeError('`password` cannot be sent in a header');
  return String.fromCharCode(...new TextEncoder().encode(password));
}

/** Returns a body with its idempotency key, or a new one. Retries of the call send the same key. */
export function withIdempotencyKey<T extends { idempotency_key?: string | null }>(body: T) {
  return { ...body, idempotency_key: body.idempotency_key ?? crypto.randomUUID() };
}
