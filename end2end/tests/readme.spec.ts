import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../support/govern.js';
import { expect, test } from '../support/fixtures.js';

test('the README tutorial runs unchanged', async ({ env }) => {
  const { stdout } = await promisify(execFile)('scripts/readme-tutorial', {
    cwd: ROOT,
    env: env.server.processEnv,
  });
  expect(stdout).toContain('DENY');
  expect(stdout).toContain('Signature Verified Successfully');
  expect(stdout).toMatch(/approval_lineage +verified/);
  expect(stdout).toMatch(/transparency_proof +verified/);
});
