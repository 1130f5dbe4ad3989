import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../support/govern.js';
import { expect, test } from '../support/world.js';

test("the README's walk-through runs as it stands", async ({ world }) => {
  const { stdout } = await promisify(execFile)('scripts/readme-walk', {
    cwd: ROOT,
    env: world.govern.env,
  });
  expect(stdout).toContain('DENY');
  expect(stdout).toContain('Signature Verified Successfully');
  expect(stdout).toMatch(/approval_lineage +verified/);
  expect(stdout).toMatch(/transparency_proof +verified/);
});
