// The programs of docs/API_GUIDE.md, docs/TUTORIAL.md and examples/README.md, in a fresh clone.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Govern } from '@govern/sdk';
import { freshClone, NPM_ENV, ROOT, Service } from './service.js';

const run = promisify(execFile);

let service: Service;
let clone: string;
before(async () => {
  service = await Service.start();
  clone = await freshClone();
});
after(async () => {
  await service?.stop();
  rmSync(clone, { recursive: true });
});

const environment = () => ({
  ...process.env,
  ...NPM_ENV,
  GOVERN_URL: service.url,
  GOVERN_TENANT_ID: service.first.tenant_id,
  GOVERN_API_KEY: service.first.api_key,
});

/** Returns the blocks of a document with this first line, as one program. */
function blocks(document: string, first: string): string {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const found = text.split(`\n\`\`\`${first}\n`).slice(1);
  return found.map((block) => block.slice(0, block.indexOf('\n```') + 1)).join('\n');
}

test('the API guide runs in TypeScript and with curl', async () => {
  await service.activePolicy('expense');
  const source = join(clone, 'sdk/typescript');
  await run('bash', ['-euc', 'npm ci && npm pack'], { cwd: source, env: environment() });
  // In the package, `@govern/sdk` is this package.
  const cwd = join(source, 'build');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'guide.ts'), blocks('docs/API_GUIDE.md', 'ts tutorial'));
  writeFileSync(join(cwd, 'trust.json'), JSON.stringify(await service.command('trust', 'show')));
  const options = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
  await run(join(source, 'node_modules/.bin/tsc'), [...options, 'guide.ts'], { cwd });
  const { stdout } = await run('node', ['guide.js'], { cwd, env: environment() });
  const id = '[0-9a-f-]{36}\n';
  const output = `EXPENSE
ALLOW
false true
amount is 620, above the maximum of 500
DENY
overridden
422 VALIDATION_ERROR /context/decision_type
ALLOW
(${id})+true DENY \\[ 'EXP-LIMIT' \\]
\\[ 'test' \\]
verified
`;
  assert.match(stdout, new RegExp(`^${output}$`));

  const env = { ...environment(), GOVERN_DATA_DIR: service.dataDir };
  const { stdout: shell } = await run(join(clone, 'scripts/readme-tutorial'), ['docs/API_GUIDE.md'], { env });
  const shellOutput = `EXPENSE
ALLOW
false
amount is 620, above the maximum of 500
DENY
overridden
422
VALIDATION_ERROR
/context/decision_type
rate-limit-limit: 1000\r
ALLOW
(${id})+data: \\{.*"decision":"DENY".*"violations":\\["EXP-LIMIT"\\]\\}
low: This is a test delivery. No alert was created.
verified
`;
  assert.match(shell, new RegExp(`^${shellOutput}`));
});

test('the clients in one file run', async () => {
  const policy = readFileSync(join(clone, 'examples/policies/ai-tool-calls.json'), 'utf8');
  await service.activate(JSON.parse(policy));
  const readme = readFileSync(join(clone, 'examples/README.md'), 'utf8');
  const [, commands] = /## Run a client\n\n```sh\n([^`]+)```/.exec(readme)!;
  const { stdout } = await run('bash', ['-euc', commands!], { cwd: clone, env: environment() });
  const verdicts = stdout.trim().split('\n').map((line) => JSON.parse(line).evaluated); // prettier-ignore
  assert.deepEqual(verdicts, ['ALLOW', 'ALLOW', 'ALLOW']);
});

test('the tutorial runs with a second person in the console', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'govern-sdk-'));
  const fresh = await freshClone();
  const env = {
    ...environment(),
    GOVERN_DATA_DIR: service.dataDir,
    XDG_CONFIG_HOME: directory,
    TMPDIR: directory,
    // The tutorial uses the built program by its name.
    PATH: `${join(ROOT, 'target')}:${process.env.PATH}`,
  };
  const tutorial = spawn(join(fresh, 'scripts/readme-tutorial'), ['docs/TUTORIAL.md'], { env, detached: true });
  let output = '';
  let errors = '';
  tutorial.stderr.on('data', (chunk) => (errors += chunk));
  const end = new Promise<number | null>((done) => tutorial.once('exit', done));
  try {
    const password = await new Promise<string>((found, fail) => {
      tutorial.stdout.on('data', (chunk) => {
        output += chunk;
        const [, password] = /roy@acme\.example, password (\w+)/.exec(output) ?? [];
        if (password) found(password);
      });
      void end.then(() => fail(new Error(output + errors)));
    });
    await ratify(await service.signIn('roy@acme.example', password), password);
    assert.equal(await end, 0, output + errors);
  } finally {
    // The shell may wait for a version that the test could not activate.
    if (tutorial.exitCode === null) process.kill(-tutorial.pid!);
  }
  assert.match(output, /3 passed, 0 failed/);
  assert.match(output, /[0-9a-f-]{36} refunded 40 for order A-17/);
  assert.match(output, /[0-9a-f-]{36} DENY: amount is 250, above the maximum of 100/);
  assert.match(output, /\nverified\n/);
  rmSync(directory, { recursive: true });
  rmSync(fresh, { recursive: true });
});

/** Does what the tutorial asks of the second person, and checks that the pages have the buttons that it names. */
async function ratify(roy: Govern, password: string): Promise<void> {
  const [policy] = (await roy.policies.list({ q: 'SUPPORT-REFUNDS' }).page()).items;
  const credentials = { email: 'roy@acme.example', password };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(credentials);
  const signIn = await fetch(`${service.url}/v1/session`, { method: 'POST', headers, body });
  const cookie = signIn.headers.getSetCookie()[0]!.split(';')[0]!;
  const tutorial = readFileSync(join(ROOT, 'docs/TUTORIAL.md'), 'utf8').replaceAll('\n', ' ');
  const tenant = `${service.url}/t/${service.first.tenant_id}`;
  const version = `${tenant}/policies/${policy!.id}/versions/1`;
  const hasLabels = async (url: string, ...labels: string[]) => {
    const response = await fetch(url, { headers: { cookie } });
    const page = await response.text();
    for (const label of labels) {
      assert.ok(tutorial.includes(`**${label}**`), label);
      assert.ok(response.ok && page.includes(label), `${url} has no ${label}`);
    }
  };

  await hasLabels(`${tenant}/policies`, 'Policies', 'Refunds by the support agent');
  await hasLabels(version, 'Ratify v1');
  await hasLabels(`${version}/ratify`, 'I have read the 2 rules', 'Sign and ratify v1');
  await roy.policies.versions.ratify(policy!.id, 1, { expected_revision: 1 });
  await hasLabels(version, 'Activate v1');
  await roy.policies.versions.activate(policy!.id, 1);
}
