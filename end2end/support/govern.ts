// A release server with a data folder, a port and a private PostgreSQL of its own.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The clone's root, from which the server finds the console's files. */
export const ROOT = resolve(import.meta.dirname, '../..');

const BIN = resolve(ROOT, process.env.GOVERN_BIN ?? 'target/govern');

const START_TIMEOUT_MS = 60_000;

export interface Person {
  email: string;
  password: string;
}

/** What the server keeps of its first start. */
interface FirstRun extends Person {
  url: string;
  tenant_id: string;
  api_key: string;
}

/** An answer of `/v1` whose body nobody has described. */
export type Json = any;

export class Govern {
  readonly data: string;
  private process?: ChildProcess;
  private kept?: FirstRun;

  private constructor(private readonly port: number) {
    this.data = mkdtempSync(join(tmpdir(), 'govern-e2e-'));
    chmodSync(this.data, 0o755); // PostgreSQL's own user walks through it when we are root
  }

  static async start(): Promise<Govern> {
    const govern = new Govern(await freePort());
    await govern.serve();
    return govern;
  }

  /** Starts the process, again after it was killed, and waits until it is ready. */
  async serve(): Promise<void> {
    const log = openSync(this.log, 'a');
    const child = spawn(BIN, ['serve'], { cwd: ROOT, env: this.env, stdio: ['ignore', log, log] });
    let ended: string | undefined;
    child.on('error', (error) => (ended = error.message));
    child.on('exit', (code, signal) => (ended = `it ended with ${code ?? signal}`));
    this.process = child;
    const until = Date.now() + START_TIMEOUT_MS;
    while (!(await this.isReady())) {
      if (ended !== undefined || Date.now() > until) {
        throw new Error(`${BIN} is not ready: ${ended ?? 'time is up'}\n${readFileSync(this.log)}`);
      }
      await pause(100);
    }
    this.kept = JSON.parse(readFileSync(join(this.data, 'first-run.json'), 'utf8'));
  }

  /** Ends the process at once, as a loss of power would. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Ends the process in good order and removes what it leaves. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.data, { recursive: true, force: true });
  }

  /** The environment of the server, and of commands beside it. */
  get env(): NodeJS.ProcessEnv {
    const { DATABASE_URL: _, ...rest } = process.env;
    return {
      ...rest,
      GOVERN_DATA_DIR: this.data,
      GOVERN_ADDR: `127.0.0.1:${this.port}`,
      GOVERN_DEMO: '1',
      // Receivers of tests are on this machine, and are given up within a second.
      GOVERN_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      GOVERN_WEBHOOK_SCHEDULE: '0,100ms,100ms,100ms,100ms,100ms',
    };
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get tenant(): string {
    return this.firstRun.tenant_id;
  }

  get admin(): Person {
    return this.firstRun;
  }

  /** A call of `/v1` with the first key. Refusals throw. */
  async api(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.firstRun.api_key}`,
        'x-service-tenant-id': this.tenant,
        'content-type': 'application/json',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** A call of `/v1` by a person who signs in for it. Refusals throw. */
  async apiAs({ email, password }: Person, method: string, path: string, body: unknown): Promise<Json> {
    const headers = { 'content-type': 'application/json' };
    const login = { method: 'POST', headers, body: JSON.stringify({ email, password }) };
    const [cookie] = (await fetch(`${this.url}/v1/session`, login)).headers.getSetCookie();
    if (!cookie) throw new Error(`${email} cannot sign in`);
    const answer = await fetch(this.url + path, {
      method,
      headers: { ...headers, 'x-service-tenant-id': this.tenant, cookie: cookie.split(';')[0] ?? '' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** Runs `govern` with `args` beside the server. */
  async command(...args: string[]): Promise<Json> {
    const { stdout } = await promisify(execFile)(BIN, [...args, '--json'], {
      cwd: ROOT,
      env: this.env,
    });
    return JSON.parse(stdout);
  }

  /** Makes a person of the tenant. */
  async person(name: string, role: string): Promise<Person> {
    const email = `${name}@acme.example`;
    const password = 'walks-the-dog-at-nine-thirty'; // no part of any address
    const args = ['--tenant', this.tenant, '--email', email, '--password', password];
    await this.command('user', 'create', ...args, '--role', role);
    return { email, password };
  }

  private get firstRun(): FirstRun {
    if (!this.kept) throw new Error('the server has not started yet');
    return this.kept;
  }

  private get log(): string {
    return join(this.data, 'server.log');
  }

  private async isReady(): Promise<boolean> {
    return fetch(`${this.url}/v1/ready`).then((answer) => answer.ok, () => false);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
