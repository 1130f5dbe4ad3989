import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/govern.js';
import { expect, test } from '../support/fixtures.js';

const run = promisify(execFile);

test('the README tutorial runs unchanged in a fresh clone', async ({ env }) => {
  const clone = mkdtempSync(join(tmpdir(), 'govern-clone-'));
  await run(join(ROOT, 'scripts/fresh-clone'), [clone]);
  const { stdout } = await run(join(clone, 'scripts/readme-tutorial'), { env: env.server.processEnv });
  rmSync(clone, { recursive: true });
  expect(stdout).toContain('DENY');
  expect(stdout).toContain('Signature Verified Successfully');
  expect(stdout).toMatch(/approval_lineage +verified/);
  expect(stdout).toMatch(/transparency_proof +verified/);
});
