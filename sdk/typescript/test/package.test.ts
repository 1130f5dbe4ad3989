// The package, as users install it, and the generated files.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { freshClone, NPM_ENV, ROOT, Service } from './service.js';

const PACKAGE = join(ROOT, 'sdk/typescript');
const run = (program: string, args: string[], cwd: string, env: Record<string, string> = {}) =>
  promisify(execFile)(program, args, { cwd, env: { ...process.env, ...env } });

test('the generated files match /openapi.json', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'govern-sdk-'));
  await run('node', ['scripts/generate.mjs', directory], PACKAGE);
  for (const name of ['openapi.ts', 'resources.ts']) {
    const [expected, actual] = [directory, join(PACKAGE, 'src')].map((path) => readFileSync(join(path, name), 'utf8'));
    assert.ok(actual === expected, `${name} is out of date: run \`npm run generate\``);
  }
  rmSync(directory, { recursive: true });
});

test('no dependency has a script that an installation would run', () => {
  const { packages } = JSON.parse(readFileSync(join(PACKAGE, 'package-lock.json'), 'utf8'));
  const scripts = Object.keys(packages).filter((name) => packages[name].hasInstallScript);
  assert.deepEqual(scripts, []);
});

test('a fresh clone builds the package, which has no dependencies and runs the quick start of its README', async () => {
  const clone = await freshClone();
  const source = join(clone, 'sdk/typescript');
  const project = mkdtempSync(join(tmpdir(), 'govern-sdk-'));
  const [, commands] = /`([^`]+)` in `sdk\/typescript`/.exec(readFileSync(join(clone, 'sdk/README.md'), 'utf8'))!;
  await run('bash', ['-euc', commands!], source, NPM_ENV);
  writeFileSync(join(project, 'package.json'), '{"private": true, "type": "module"}');
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  await run('npm', ['install', '--offline', '--silent', join(source, `govern-sdk-${version}.tgz`)], project);
  const { stdout: tree } = await run('npm', ['ls', '--all', '--parseable'], project);
  assert.equal(tree.trim().split('\n').length, 2, tree);

  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  const [, quickStart] = /```js quick-start\n([\s\S]*?)```/.exec(readme)!;
  writeFileSync(join(project, 'quick-start.js'), quickStart!);
  const service = await Service.start();
  try {
    await service.activePolicy('expense');
    const { tenant_id, api_key } = service.first;
    const env = { GOVERN_URL: service.url, GOVERN_API_KEY: api_key, GOVERN_TENANT_ID: tenant_id };
    const { stdout } = await run('node', ['quick-start.js'], project, env);
    const [verdict, listed, verified, denied] = stdout.trim().split('\n');
    assert.match(verdict!, /^(REVIEW|DENY) EXP-LIMIT$/);
    assert.match(listed!, /^[0-9a-f-]{36}$/);
    assert.equal(verified, 'verified');
    assert.match(denied!, /^404 NO_ACTIVE_POLICIES/);
  } finally {
    await service.stop();
    rmSync(project, { recursive: true });
    rmSync(clone, { recursive: true });
  }
});
