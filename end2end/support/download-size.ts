// Sizes of the files that a page downloads, with their limits.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './govern.js';

/** Compressed bytes by kind. `editor` and `verifier` are WebAssembly modules with limits of their own: only the
 * policy editor loads the first, and only `/verify` loads the second. */
export const SIZE_LIMITS = { wasm: 400_000, editor: 150_000, verifier: 400 * 1024, js: 20_000, css: 30_000 };
const SEPARATE_MODULES = { editor: /\/split_show_author_page[^/]*\.wasm$/, verifier: /\/verifier_bg\.wasm$/ };

export type DownloadSizes = Record<keyof typeof SIZE_LIMITS, number>;

/** Sums the compressed sizes of `files` of the site by kind. */
export function downloadSizes(files: Iterable<string>): DownloadSizes {
  const sizes: DownloadSizes = { wasm: 0, editor: 0, verifier: 0, js: 0, css: 0 };
  for (const file of files) {
    const separate = Object.entries(SEPARATE_MODULES).find(([, pattern]) => pattern.test(file));
    const kind = (separate ? separate[0] : file.split('.').pop()) as keyof DownloadSizes;
    if (kind in sizes) sizes[kind] += statSync(join(ROOT, 'target/site', `${file}.br`)).size;
  }
  return sizes;
}
