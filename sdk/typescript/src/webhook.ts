// Webhook requests: check of their signature.

import { WebhookSignatureError } from './errors.js';
import type { Alert } from './openapi.js';

/** The body of a webhook request. */
export interface WebhookEvent {
  event: 'alert.created';
  timestamp: string;
  /** The alert. The type `test` is that of a sample. */
  alert: Pick<Alert, 'id' | 'severity' | 'message' | 'created_at'> &
    Partial<Pick<Alert, 'decision_id'>> & { alert_type: Alert['alert_type'] | 'test' };
}

/** Headers of a request: those of `fetch`, or of Node. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * Checks the signature of a webhook request and returns its event. A delivery may arrive twice, with the same
 * `X-Service-Delivery-Id`.
 *
 * @param body the body as received: parsing and serializing it again could change its bytes
 * @param secret the secret of the subscription, `whsec_…`
 * @param toleranceMs the maximum age of the request in milliseconds
 * @throws WebhookSignatureError if the signature is invalid or the request is too old
 * @throws TypeError if the secret is empty or the body is not the received one
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  toleranceMs = 5 * 60_000,
): Promise<WebhookEvent> {
  // Anyone can sign with an empty secret.
  if (!secret) throw new TypeError('`secret` is empty');
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('`body` is neither the text nor the bytes that were received');
  }
  // The headers of another library, or of another window, are not of the class `Headers`.
  const entries: Iterable<[string, unknown]> = Symbol.iterator in headers ? headers : Object.entries(headers);
  const header = (name: string) => [...entries].find(([other]) => other.toLowerCase() === name)?.[1] ?? '';
  const timestamp = String(header('x-service-timestamp'));
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(String(header('x-service-signature'))) ?? [];
  if (!hex || !/^\d{1,16}$/.test(timestamp)) throw new WebhookSignatureError('the request is not signed');
  const encoder = new TextEncoder();
  const content = typeof body === 'string' ? encoder.encode(body) : body;
  const prefix = encoder.encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + content.length);
  signed.set(prefix);
  signed.set(content, prefix.length);
  const signature = Uint8Array.from(hex.match(/../g)!, (byte) => parseInt(byte, 16));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  // `verify` compares in constant time.
  if (!(await crypto.subtle.verify('HMAC', key, signature, signed))) {
    throw new WebhookSignatureError('the signature is invalid');
  }
  // Is also thrown if the tolerance is not a number.
  if (!(Math.abs(Date.now() - Number(timestamp)) <= toleranceMs)) {
    throw new WebhookSignatureError('the timestamp is outside the tolerance');
  }
  return JSON.parse(new TextDecoder().decode(content));
}
