// Strict Ed25519 verification (docs/FORMAT.md): keys and nonces of small order are rejected.

import { type Bytes, toHex } from './canonical.js';

// The y coordinates of the points of small order, also those that are not canonical. The sign bit is cleared.
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

/** Returns whether `signature` is the signature of `message` under the public key. */
export async function verifyEd25519(publicKey: Bytes, signature: Bytes, message: Bytes): Promise<boolean> {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  if (isSmallOrder(publicKey) || isSmallOrder(signature.slice(0, 32))) return false;
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError') throw error;
    return false; // not a point of the curve
  }
  return crypto.subtle.verify('Ed25519', key, signature, message);
}

function isSmallOrder(point: Bytes): boolean {
  const y = point.slice();
  y[31]! &= 0x7f;
  return SMALL_ORDER.has(toHex(y));
}
