// The offline check of webhook requests.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { verifyWebhook, WebhookSignatureError } from '@govern/sdk';

const SECRET = 'whsec_test';
const BODY = '{"event":"alert.created"}';

/** Returns the headers of a request with this time and secret. */
function signed(timestamp = Date.now(), secret = SECRET): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${BODY}`).digest('hex');
  return { 'X-Service-Timestamp': String(timestamp), 'X-SERVICE-SIGNATURE': `sha256=${signature}` };
}

test('a signed request is accepted as text and as bytes, in headers of any case', async () => {
  const headers = signed();
  const bytes = new TextEncoder().encode(BODY);
  for (const body of [BODY, bytes, Buffer.from(BODY)]) {
    for (const form of [headers, new Headers(headers), new Map(Object.entries(headers)) as any]) {
      assert.equal((await verifyWebhook(body, form, SECRET)).event, 'alert.created');
    }
  }
});

test('other signatures, several signatures and other times are refused', async () => {
  const headers = signed();
  const signature = headers['X-SERVICE-SIGNATURE']!;
  const withSignature = (value: any) => ({ ...headers, 'X-SERVICE-SIGNATURE': value });
  for (const refused of [
    {},
    withSignature(''),
    withSignature(signature.replace('sha256=', 'sha512=')),
    withSignature(signature.replace('sha256=', '')),
    withSignature([signature, signature]),
    withSignature(signed(Date.now(), 'whsec_other')['X-SERVICE-SIGNATURE']),
    { ...headers, 'X-Service-Timestamp': String(Number(headers['X-Service-Timestamp']) + 1) },
    signed(Date.now() - 5 * 60_000 - 1000),
    signed(Date.now() + 5 * 60_000 + 1000),
    signed(-1),
  ]) {
    await assert.rejects(verifyWebhook(BODY, refused, SECRET), WebhookSignatureError);
  }
  for (const tolerance of [NaN, -1]) {
    await assert.rejects(verifyWebhook(BODY, headers, SECRET, tolerance), WebhookSignatureError);
  }
});

test('an empty secret and a parsed body are mistakes of the caller', async () => {
  await assert.rejects(verifyWebhook(BODY, signed(Date.now(), ''), ''), /`secret` is empty/);
  await assert.rejects(verifyWebhook(JSON.parse(BODY), signed(), SECRET), /`body` is neither/);
});
