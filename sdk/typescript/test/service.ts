// A service for the tests: the built program with a new data directory and a private PostgreSQL.

import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Govern, type GovernOptions, type PolicyDraft } from '@govern/sdk';

/** The root of the clone. */
export const ROOT = resolve(import.meta.dirname, '../../../..');

/** The tested program. */
export const PROGRAM = resolve(ROOT, process.env.GOVERN_BIN ?? 'target/govern');

/** What `scripts/setup` downloaded is not downloaded again. */
export const NPM_ENV = { npm_config_prefer_offline: 'true' };

/** Makes a fresh clone in a new directory and returns its path. */
export async function freshClone(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'govern-clone-'));
  await promisify(execFile)(join(ROOT, 'scripts/fresh-clone'), [directory]);
  return directory;
}

/** A password that contains no part of an email address. */
export const PASSWORD = 'walks-the-dog-at-nine-thirty';

export class Service {
  /** The requests that clients of this service sent, such as `GET /v1/policies`. */
  readonly requests: { method: string; path: string }[] = [];

  private constructor(
    readonly url: string,
    readonly dataDir: string,
    private readonly env: NodeJS.ProcessEnv,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<Service> {
    const dataDir = mkdtempSync(join(tmpdir(), 'govern-sdk-'));
    chmodSync(dataDir, 0o755); // as root, PostgreSQL runs as another user and must enter it
    const port = await freePort();
    const { DATABASE_URL: _, ...rest } = process.env;
    const env = {
      ...rest,
      GOVERN_DATA_DIR: dataDir,
      GOVERN_ADDR: `127.0.0.1:${port}`,
      GOVERN_DEMO: '0',
      GOVERN_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      GOVERN_WEBHOOK_SCHEDULE: '0,100ms',
      GOVERN_RATE_LIMIT_FORM_PER_MIN: '1000',
    };
    const log = openSync(join(dataDir, 'server.log'), 'a');
    const child = spawn(PROGRAM, ['serve'], { cwd: ROOT, env, stdio: ['ignore', log, log] });
    const exit = new Promise((done) => child.once('exit', done));
    const stop = async () => {
      child.kill('SIGTERM');
      await exit;
      rmSync(dataDir, { recursive: true, force: true });
    };
    const service = new Service(`http://127.0.0.1:${port}`, dataDir, env, stop);
    const deadline = Date.now() + 120_000;
    while (
      !(await fetch(`${service.url}/v1/ready`).then(
        (response) => response.ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`${PROGRAM} is not ready\n${readFileSync(join(dataDir, 'server.log'))}`);
      }
      await pause(100);
    }
    return service;
  }

  /** The content of `first-run.json`: an admin and an API key with all scopes. */
  get first(): { email: string; password: string; tenant_id: string; api_key: string } {
    return JSON.parse(readFileSync(join(this.dataDir, 'first-run.json'), 'utf8'));
  }

  /** Returns a client with the first API key. Its requests are counted. */
  client(options: GovernOptions = {}): Govern {
    return new Govern({
      baseUrl: this.url,
      apiKey: this.first.api_key,
      tenantId: this.first.tenant_id,
      fetch: (input, init) => {
        this.requests.push({ method: init?.method ?? 'GET', path: new URL(String(input)).pathname });
        return fetch(input, init);
      },
      ...options,
    });
  }

  /** Returns a client with a new session. */
  async signIn(email: string, password = PASSWORD): Promise<Govern> {
    const client = this.client({ apiKey: null });
    await client.session.signIn({ email, password });
    return client;
  }

  signInAdmin(): Promise<Govern> {
    return this.signIn(this.first.email, this.first.password);
  }

  /** Creates a user with a role and returns a client with a session. */
  async user(name: string, role: string): Promise<Govern> {
    const email = `${name}@acme.example`;
    const args = ['--tenant', this.first.tenant_id, '--email', email, '--password', PASSWORD, '--role', role];
    await this.command('user', 'create', ...args);
    return this.signIn(email);
  }

  /** Runs `govern` on the data directory and returns its JSON output. */
  async command(...args: string[]): Promise<any> {
    const { stdout } = await promisify(execFile)(PROGRAM, [...args, '--json'], { cwd: ROOT, env: this.env });
    return JSON.parse(stdout);
  }

  /** Returns the token of the newest mailed link to an address. */
  async mailedToken(address: string): Promise<string> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const mails = readdirSync(join(this.dataDir, 'mail')).sort().reverse();
      for (const name of mails) {
        const mail = readFileSync(join(this.dataDir, 'mail', name), 'utf8')
          .replaceAll('=\r\n', '')
          .replaceAll('=3D', '=');
        const [, token] = (mail.includes(address) && /\/setup\?token=([\w-]+)/.exec(mail)) || [];
        if (token) return token;
      }
      await pause(50);
    }
    throw new Error(`no mail to ${address}`);
  }

  /** Creates and activates a policy that limits `amount` to 500, and returns its ID and decision type. */
  async activePolicy(decisionType: string): Promise<{ id: string; decisionType: string }> {
    return { id: await this.activate(draft(decisionType.toUpperCase(), decisionType)), decisionType };
  }

  /** Creates and activates a policy, and returns its ID. */
  async activate(draft: PolicyDraft): Promise<string> {
    const { policy } = await this.client().policies.create(draft);
    await this.client().policies.versions.submit(policy.id, 1);
    const ratifier = await this.user(`ratifier-${draft.code.toLowerCase()}`, 'ratifier');
    await ratifier.policies.versions.ratify(policy.id, 1, { expected_revision: 1 });
    await ratifier.policies.versions.activate(policy.id, 1);
    return policy.id;
  }
}

/** Returns the draft of a policy that limits `amount` to 500. */
export function draft(code: string, decisionType: string) {
  return {
    code,
    name: 'Expenses',
    decision_types: [decisionType],
    rules: [
      {
        code: 'EXP-LIMIT',
        name: 'Expenses are at most 500',
        rule_type: 'threshold' as const,
        condition: { field: 'amount', max: 500 },
        severity: 'high' as const,
      },
    ],
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
