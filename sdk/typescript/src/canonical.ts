// Canonical JSON (RFC 8785) and digests.

import { assertJson } from './json.js';

/** Returns the canonical text of a JSON value. Throws for other values, and for numbers beyond ±(2^53 − 1). */
export function canonicalJson(value: unknown): string {
  const text = canonicalText(value);
  assertJson(value);
  return text;
}

function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText)}]`;
  if (typeof value === 'object' && value !== null) {
    // `sort` compares UTF-16 code units, as RFC 8785 requires.
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`)}}`;
  }
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(`${value} is not a number of canonical JSON`);
  }
  return JSON.stringify(value);
}

/** Returns the SHA-256 of the canonical text of a value, in hexadecimal. */
export async function digest(value: unknown): Promise<string> {
  return toHex(await sha256(utf8(canonicalJson(value))));
}

export type Bytes = Uint8Array<ArrayBuffer>;

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function concat(...parts: Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads hexadecimal digits. Returns no bytes for any other text. */
export function fromHex(text: string): Bytes {
  return /^([0-9a-f]{2})*$/.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16))
    : new Uint8Array();
}

/** Reads base64 with padding. Throws for any other text. */
export function fromBase64(text: string): Bytes {
  // `atob` also reads white space, a text without padding, and bits that are not zero at the end.
  if (!/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/.test(text)) {
    throw new SyntaxError('not base64');
  }
  return decode(text);
}

function decode(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Reads base64url without padding. Throws for any other text. */
export function fromBase64Url(text: string): Bytes {
  if (!/^[\w-]*$/.test(text)) throw new SyntaxError('not base64url');
  const bytes = decode(text.replaceAll('-', '+').replaceAll('_', '/'));
  if (toBase64Url(bytes) !== text) throw new SyntaxError('not base64url');
  return bytes;
}

export function toBase64Url(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
