// Sizes of the files that a page downloads, with their limits.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ROOT } from './govern.js';

/** Compressed bytes by kind, 330 kB of code together. `style` is the sum of style sheets and fonts. `verifier` is a WebAssembly module with a
 * limit of its own, which only `/verify` loads. */
export const SIZE_LIMITS = { wasm: 310_000, verifier: 400 * 1024, js: 20_000, style: 60_000 };
export type DownloadSizes = Record<keyof typeof SIZE_LIMITS, number>;

const PATTERNS: [keyof DownloadSizes, RegExp][] = [
  ['verifier', /\/verifier_bg\.wasm$/],
  ['wasm', /\.wasm$/],
  ['js', /\.js$/],
  ['style', /\.(css|woff2)$/],
];

/** Sums the compressed sizes of `files` of the site by kind. */
export function downloadSizes(files: Iterable<string>): DownloadSizes {
  const sizes: DownloadSizes = { wasm: 0, verifier: 0, js: 0, style: 0 };
  for (const file of files) {
    const kind = PATTERNS.find(([, pattern]) => pattern.test(file))?.[0];
    if (!kind) continue;
    sizes[kind] += compressedSize(file);
  }
  return sizes;
}

function compressedSize(file: string): number {
  // The style sheet of the documentation is part of the program.
  if (file.startsWith('/docs/')) return brotliCompressSync(readFileSync(join(ROOT, 'server/src', file))).length;
  // Fonts are compressed already and have no `.br` copy.
  const stored = file.endsWith('.woff2') ? file : `${file}.br`;
  return statSync(join(ROOT, 'target/site', stored)).size;
}
