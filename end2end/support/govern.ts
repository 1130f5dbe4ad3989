// The built server with its own data directory, port and private PostgreSQL.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The root of the clone. The server runs here and finds the console's files by relative paths. */
export const ROOT = resolve(import.meta.dirname, '../..');

const BIN = resolve(ROOT, process.env.GOVERN_BIN ?? 'target/govern');

const START_TIMEOUT_MS = 60_000;

export interface TestUser {
  email: string;
  password: string;
}

/** The content of `first-run.json`, which the server writes at its first start. */
interface FirstRun extends TestUser {
  url: string;
  tenant_id: string;
  api_key: string;
}

/** A JSON value of `/v1` without a declared type. */
export type Json = any;

export class GovernServer {
  readonly dataDir: string;
  private process?: ChildProcess;
  private loadedFirstRun?: FirstRun;

  private constructor(
    private readonly port: number,
    private readonly host: string,
  ) {
    this.dataDir = mkdtempSync(join(tmpdir(), 'govern-e2e-'));
    chmodSync(this.dataDir, 0o755); // as root, PostgreSQL runs as another user and must enter it
  }

  /** Starts a server whose public URL has this host. Passkeys need a host name. */
  static async start(host = '127.0.0.1'): Promise<GovernServer> {
    const server = new GovernServer(await freePort(), host);
    await server.serve();
    return server;
  }

  /** Starts or restarts the process and waits until it is ready. */
  async serve(): Promise<void> {
    const log = openSync(this.logPath, 'a');
    const child = spawn(BIN, ['serve'], { cwd: ROOT, env: this.processEnv, stdio: ['ignore', log, log] });
    let failure: string | undefined;
    child.on('error', (error) => (failure = error.message));
    child.on('exit', (code, signal) => (failure = `it ended with ${code ?? signal}`));
    this.process = child;
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await this.isReady())) {
      if (failure !== undefined || Date.now() > deadline) {
        throw new Error(`${BIN} is not ready: ${failure ?? 'timed out'}\n${readFileSync(this.logPath)}`);
      }
      await pause(100);
    }
    this.loadedFirstRun = JSON.parse(readFileSync(join(this.dataDir, 'first-run.json'), 'utf8'));
  }

  /** Kills the process without a shutdown, like a power failure. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Shuts the process down and removes its data directory. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** The environment of the server and of commands that use its data directory. */
  get processEnv(): NodeJS.ProcessEnv {
    const { DATABASE_URL: _, ...rest } = process.env;
    return {
      ...rest,
      GOVERN_DATA_DIR: this.dataDir,
      GOVERN_ADDR: `127.0.0.1:${this.port}`,
      GOVERN_PUBLIC_URL: this.url,
      GOVERN_DEMO: '1',
      // Webhook receivers of the tests run on this machine. The six attempts end within a second.
      GOVERN_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      GOVERN_WEBHOOK_SCHEDULE: '0,100ms,100ms,100ms,100ms,100ms',
    };
  }

  get url(): string {
    return `http://${this.host}:${this.port}`;
  }

  get tenantId(): string {
    return this.firstRun.tenant_id;
  }

  get admin(): TestUser {
    return this.firstRun;
  }

  /** Calls `/v1` with the first API key. Throws if the status is not 2xx. */
  async api(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.firstRun.api_key}`,
        'x-service-tenant-id': this.tenantId,
        'content-type': 'application/json',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Calls `/v1` in a new session of a user. Throws if the status is not 2xx. */
  async apiAs({ email, password }: TestUser, method: string, path: string, body: unknown): Promise<Json> {
    const headers = { 'content-type': 'application/json' };
    const login = { method: 'POST', headers, body: JSON.stringify({ email, password }) };
    const [cookie] = (await fetch(`${this.url}/v1/session`, login)).headers.getSetCookie();
    if (!cookie) throw new Error(`${email} cannot sign in`);
    const response = await fetch(this.url + path, {
      method,
      headers: { ...headers, 'x-service-tenant-id': this.tenantId, cookie: cookie.split(';')[0] ?? '' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Runs `govern` with `args` on the data directory of the server and returns its JSON output. */
  async runCommand(...args: string[]): Promise<Json> {
    const { stdout } = await promisify(execFile)(BIN, [...args, '--json'], {
      cwd: ROOT,
      env: this.processEnv,
    });
    return JSON.parse(stdout);
  }

  async createUser(name: string, role: string): Promise<TestUser> {
    const email = `${name}@acme.example`;
    const password = 'walks-the-dog-at-nine-thirty'; // contains no part of an email address
    const args = ['--tenant', this.tenantId, '--email', email, '--password', password];
    await this.runCommand('user', 'create', ...args, '--role', role);
    return { email, password };
  }

  private get firstRun(): FirstRun {
    if (!this.loadedFirstRun) throw new Error('the server has not started yet');
    return this.loadedFirstRun;
  }

  private get logPath(): string {
    return join(this.dataDir, 'server.log');
  }

  private async isReady(): Promise<boolean> {
    return fetch(`${this.url}/v1/ready`).then((response) => response.ok, () => false);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await exit;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
