// Responses that are read while they arrive: server-sent events and JSON Lines.

import { ApiConnectionError, ApiTimeoutError } from './errors.js';
import type { DecisionRecord } from './openapi.js';
import { pause, startTimer, type Transport } from './transport.js';

/** A decision in the event stream. */
export interface DecisionEvent
  extends
    Pick<DecisionRecord, 'id' | 'decision_type' | 'decision' | 'recorded_at' | 'chain_id'>,
    Partial<Pick<DecisionRecord, 'policy' | 'correlation_id'>> {
  /** The codes of the violated rules, each once. */
  violations: string[];
}

/** An event of the stream. */
export interface StreamedDecision {
  /** The ID of the event, for `lastEventId` of a later stream. */
  id: string;
  data: DecisionEvent;
}

/** Settings of an event stream. */
export interface StreamOptions {
  /** The ID of the last event that was processed. The stream continues after it. */
  lastEventId?: string;
  /** Whether a new connection continues the stream when the connection ends. Default: true. */
  reconnect?: boolean;
  /** Ends the stream. */
  signal?: AbortSignal;
}

// The service sends a comment every 15 seconds.
const SILENCE_MS = 45_000;
// The service or a proxy may ask for a longer delay of reconnections.
const RETRY_MAX_MS = 60_000;

/** Iterates over the decisions of an event stream, across connections. */
export async function* streamDecisions(
  transport: Transport,
  open: (lastEventId: string | undefined) => Promise<Response>,
  { lastEventId, reconnect = true, signal }: StreamOptions,
): AsyncGenerator<StreamedDecision, void, undefined> {
  let retryMs = 3000;
  while (!signal?.aborted) {
    let delay = 0;
    try {
      let event: { id?: string; type?: string; data: string } = { data: '' };
      for await (const line of lines(await open(lastEventId), SILENCE_MS)) {
        const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
        if (field === 'id' && !value.includes('\0')) event.id = value;
        else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Math.min(Number(value), RETRY_MAX_MS);
        else if (field === 'event') event.type = value;
        else if (field === 'data') event.data += (event.data && '\n') + value;
        else if (line === '') {
          // An event is complete at its empty line. Only then may a new connection continue after it.
          lastEventId = event.id ?? lastEventId;
          const isDecision = event.type === 'decision' && event.data;
          if (isDecision) yield { id: lastEventId ?? '', data: JSON.parse(event.data) };
          event = { data: '' };
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      // A connection is opened again after the errors after which a call is repeated.
      const retryDelay = reconnect ? transport.retryDelayMs(error, 0) : undefined;
      if (retryDelay === undefined) throw error;
      delay = retryDelay;
    }
    if (!reconnect) return;
    await pause(Math.max(delay, retryMs) * (1 + Math.random() / 4), signal).catch(() => {});
  }
}

/** Iterates over the objects of a response in JSON Lines. */
export async function* jsonLines<T>(
  response: Response,
  silenceMs: number,
  signal?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  try {
    for await (const line of lines(response, silenceMs)) if (line) yield parse(line);
  } catch (error) {
    // As for other calls, the reason of the caller is thrown.
    throw signal?.aborted ? signal.reason : error;
  }
}

/** Reads the object of a line. A line that is cut off is not JSON. */
function parse(line: string): any {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ApiConnectionError('the response ended early', { cause });
  }
}

/** Iterates over the lines of a response. Throws if it ends early, or is silent for too long. */
async function* lines(response: Response, silenceMs: number): AsyncGenerator<string, void, undefined> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    while (true) {
      const { done, value } = await read(reader, silenceMs);
      if (done) break;
      const complete = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = complete.pop()!;
      yield* complete;
    }
    if (rest) yield rest;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, silenceMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = startTimer(silenceMs, () => reject(new ApiTimeoutError(`no data within ${silenceMs} ms`)));
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    if (error instanceof ApiTimeoutError) throw error;
    throw new ApiConnectionError('the response ended early', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
