// Second factors of test users: the virtual authenticator of Chromium, and codes of an authenticator app.

import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { GovernServer, TestUser } from './govern.js';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/**
 * Adds an authenticator to the browser of `page`, which stores passkeys and confirms every request of a page. Returns a
 * function that decides whether its user verifies the identity, for example with a fingerprint. With `hasAutofill`, it
 * also signs the user in when the sign-in page is opened.
 */
export async function addAuthenticator(
  page: Page,
  hasAutofill = false,
): Promise<(isUserVerified: boolean) => Promise<unknown>> {
  await page.addInitScript((hasAutofill) => {
    if (!hasAutofill) PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  }, hasAutofill);
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (isUserVerified) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
}

/** Returns the code of an authenticator app for a secret in Base32 (RFC 6238: SHA-1, 6 digits, 30 seconds). */
export function totp(secret: string, atMs = Date.now()): string {
  const bits = [...secret.replaceAll(' ', '')].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / STEP_MS)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000;
  return String(number).padStart(6, '0');
}

/** Returns the code after the current one, because a code is accepted once. The service accepts it a step early. */
export const nextTotp = (secret: string): string => totp(secret, Date.now() + STEP_MS);

/** Adds an authenticator app to the account of a user. Returns its secret and the recovery codes. */
export async function addAuthenticatorApp(
  server: GovernServer,
  user: TestUser,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await server.apiAs(user, 'POST', '/v1/session/totp', {});
  const confirmation = { code: totp(secret) };
  const { recovery_codes } = await server.apiAs(user, 'POST', '/v1/session/totp/confirm', confirmation);
  return { secret, recoveryCodes: recovery_codes };
}
