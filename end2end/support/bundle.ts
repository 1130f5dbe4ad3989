// Bundles of the test vectors, alterations of them, the page `/verify` and the command `govern-verify`.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page, type TestInfo } from '@playwright/test';
import { ROOT, type Json } from './govern.js';

export type BundleFiles = Map<string, Buffer>;

/** The block size of a tar archive in bytes. */
const BLOCK = 512;

export function readVector(name: string): Json {
  return JSON.parse(readFileSync(join(ROOT, 'receipt/vectors', name), 'utf8'));
}

const oracle = readVector('service_profile_oracle.json');

export const TRUST_DOCUMENT = Buffer.from(JSON.stringify(oracle.trust_document));

/** The ID of the key that signs receipts in the worked example. */
export const RECEIPT_KID: string = oracle.test_keys.receipt.jwk.kid;

/** Returns a bundle of the worked example as a tar archive. */
export function exampleBundle(name: 'decision_bundle' | 'chain_bundle'): Buffer {
  return Buffer.from(oracle[name].tar_base64, 'base64');
}

/** A bundle with the trust document with which it is verified and the exit code of the command. */
export type Example = { name: string; bundle: string; trust_document: string; exit_code: number };

/** Returns the bundles of retired keys and frozen logs of the crate `verify` (`verify/tests/it/examples.rs`). */
export function retiredAndFrozenExamples(): Example[] {
  return JSON.parse(readFileSync(join(ROOT, 'verify/tests/examples.json'), 'utf8'));
}

export function unpack(tar: Buffer): BundleFiles {
  const files: BundleFiles = new Map();
  const text = (from: number, to: number) => tar.toString('latin1', from, to).replace(/\0.*$/s, '');
  for (let offset = 0; tar[offset] !== 0; ) {
    const size = parseInt(text(offset + 124, offset + 136), 8);
    files.set(text(offset, offset + 100), tar.subarray(offset + BLOCK, offset + BLOCK + size));
    offset += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
  return files;
}

/** Returns the tar archive of `files` in its canonical form, the only one that verifiers accept. */
export function pack(files: BundleFiles): Buffer {
  const parts: Buffer[] = [];
  for (const [name, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK);
    parts.push(header(name, bytes.length), bytes, padding);
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (number: number, digits: number) => number.toString(8).padStart(digits, '0');
  block.write(name, 0);
  block.write('0000644\0' + '0000000\0'.repeat(2), 100);
  block.write(`${octal(size, 11)}\0${octal(0, 11)}\0`, 124);
  block.write(' '.repeat(8) + '0', 148);
  block.write('ustar\x0000', 257);
  block.write('0000000\0'.repeat(2), 329);
  block.write(`${octal(block.reduce((sum, byte) => sum + byte), 6)}\0 `, 148);
  return block;
}

export function toJsonBundle(files: BundleFiles): Buffer {
  const texts = Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString()]));
  const manifest = JSON.parse(texts['manifest.json'] ?? 'null');
  return Buffer.from(JSON.stringify({ manifest, files: texts }));
}

/** Returns the decision bundle with altered files: a text replaces or adds a file, null removes it. */
export function alteredBundle(changes: Record<string, string | null>): Buffer {
  const files = unpack(exampleBundle('decision_bundle'));
  for (const [path, text] of Object.entries(changes)) {
    if (text === null) files.delete(path);
    else files.set(path, Buffer.from(text));
  }
  return pack(files);
}

/** Returns the report of `govern-verify --json` for a bundle. */
export function commandReport(info: TestInfo, bundle: Buffer, trust?: Buffer, ...args: string[]): string {
  const path = info.outputPath('bundle');
  writeFileSync(path, bundle);
  if (trust) {
    writeFileSync(info.outputPath('trust.json'), trust);
    args.push('--trust', info.outputPath('trust.json'));
  }
  const { stdout, stderr } = spawnSync(join(ROOT, 'target/govern-verify'), ['--json', ...args, path]);
  expect(stderr.toString()).toBe('');
  return stdout.toString();
}

/** Waits until the verifier of `/verify` is ready. */
export async function waitForVerifier(page: Page): Promise<void> {
  await page.locator('[data-verifier=ready]').waitFor();
}

export async function chooseBundle(page: Page, bundle: Buffer, name: string): Promise<void> {
  await chooseFile(page.getByLabel(/^Choose (a bundle|another)/), bundle, name);
}

/** Chooses a bundle on `/verify` and returns its result when it is shown. */
export async function verifyBundle(page: Page, bundle: Buffer, name = 'decision.tar'): Promise<Locator> {
  await chooseBundle(page, bundle, name);
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText(`${name}, `)).toBeVisible();
  return result;
}

export async function chooseTrustDocument(page: Page, document = TRUST_DOCUMENT): Promise<void> {
  await chooseFile(page.getByLabel('Trust document', { exact: true }), document, 'trust.json');
  await expect(page.getByRole('button', { name: 'Remove' })).toBeVisible();
}

async function chooseFile(input: Locator, buffer: Buffer, name: string): Promise<void> {
  await input.setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

export async function downloadReport(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download report' }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}
