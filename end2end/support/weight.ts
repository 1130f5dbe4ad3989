// What a browser fetches before a page is awake.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './govern.js';

/** Compressed, in bytes. Weighed apart: the editor's own module, which only who writes a policy fetches, and
 * the verifier, which only `/verify` does. */
export const LIMITS = { wasm: 400_000, editor: 150_000, verifier: 400 * 1024, js: 20_000, css: 30_000 };
const APART = { editor: /\/split_show_author_page[^/]*\.wasm$/, verifier: /\/verifier_bg\.wasm$/ };

export type Weight = Record<keyof typeof LIMITS, number>;

/** What these files of the site weigh. */
export function weigh(files: Iterable<string>): Weight {
  const weight: Weight = { wasm: 0, editor: 0, verifier: 0, js: 0, css: 0 };
  for (const file of files) {
    const apart = Object.entries(APART).find(([, files]) => files.test(file));
    const kind = (apart ? apart[0] : file.split('.').pop()) as keyof Weight;
    if (kind in weight) weight[kind] += statSync(join(ROOT, 'target/site', `${file}.br`)).size;
  }
  return weight;
}
