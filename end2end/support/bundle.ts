// The bundles of the known answers, what is done to them, and what the command says of them.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page, type TestInfo } from '@playwright/test';
import { ROOT, type Json } from './govern.js';

/** Members by path. */
export type Files = Map<string, Buffer>;

const BLOCK = 512;

/** A known answer, which lies beside the crate `receipt`. */
export function vector(name: string): Json {
  return JSON.parse(readFileSync(join(ROOT, 'receipt/vectors', name), 'utf8'));
}

const oracle = vector('service_profile_oracle.json');

/** The trust document of the worked example. */
export const TRUST = Buffer.from(JSON.stringify(oracle.trust_document));

/** The key of the worked example that signs receipts. */
export const KID: string = oracle.test_keys.receipt.jwk.kid;

/** A bundle of the worked example. */
export function archive(name: 'decision_bundle' | 'chain_bundle'): Buffer {
  return Buffer.from(oracle[name].tar_base64, 'base64');
}

/** The members of an archive. */
export function read(tar: Buffer): Files {
  const files: Files = new Map();
  const text = (from: number, to: number) => tar.toString('latin1', from, to).replace(/\0.*$/s, '');
  for (let at = 0; tar[at] !== 0; ) {
    const size = parseInt(text(at + 124, at + 136), 8);
    files.set(text(at, at + 100), tar.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
  return files;
}

/** An archive of members, in its one form. */
export function write(files: Files): Buffer {
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

/** The JSON form of members. */
export function json(files: Files): Buffer {
  const texts = Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString()]));
  const manifest = JSON.parse(texts['manifest.json'] ?? 'null');
  return Buffer.from(JSON.stringify({ manifest, files: texts }));
}

/** The decision's bundle with `set` applied: new text by path; null takes a member out. */
export function altered(set: Record<string, string | null>): Buffer {
  const files = read(archive('decision_bundle'));
  for (const [path, text] of Object.entries(set)) {
    if (text === null) files.delete(path);
    else files.set(path, Buffer.from(text));
  }
  return write(files);
}

/** What `govern-verify --json` prints of a bundle. */
export function native(info: TestInfo, bundle: Buffer, trust?: Buffer, ...args: string[]): string {
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

/** Waits until the page `/verify` and its verifier are here. */
export async function awake(page: Page): Promise<void> {
  await page.locator('[data-verifier=ready]').waitFor();
}

/** Gives the page `/verify` a file to check. */
export async function give(page: Page, bundle: Buffer, name: string): Promise<void> {
  await choose(page.getByLabel('Choose a bundle'), bundle, name);
}

/** Gives the page `/verify` a bundle, and waits for the result. */
export async function check(page: Page, bundle: Buffer, name = 'decision.tar'): Promise<Locator> {
  await give(page, bundle, name);
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText(`${name}, `)).toBeVisible();
  return result;
}

/** Gives the page `/verify` a trust document. */
export async function trust(page: Page, document = TRUST): Promise<void> {
  await choose(page.getByLabel('Trust document', { exact: true }), document, 'trust.json');
  await expect(page.getByRole('button', { name: 'Forget' })).toBeVisible();
}

async function choose(input: Locator, buffer: Buffer, name: string): Promise<void> {
  await input.setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

/** The report that the page gives to keep. */
export async function report(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download report' }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}
