// Test fixtures: one server per worker, its users, and policies for single tests.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { test as base, expect, type Cookie, type Page } from '@playwright/test';
import { GovernServer, type Json, type TestUser } from './govern.js';

export { expect };

/**
 * The maximum random delay of a page's scripts in milliseconds. A delay finds tests that depend on the time of
 * hydration.
 */
const LAG_MS = Number(process.env.GOVERN_LAG ?? 0);

/** A policy with one version, and their paths in the console. */
export interface TestPolicy {
  id: string;
  code: string;
  name: string;
  decisionType: string;
  path: string;
  versionPath: string;
}

/** The server of a worker with its users and policies. */
export class TestEnv {
  private sharedCookies?: Cookie[];

  private constructor(
    readonly server: GovernServer,
    /** A user who can ratify and has not authored any version. */
    readonly ratifier: TestUser,
  ) {}

  static async start(host: string): Promise<TestEnv> {
    const server = await GovernServer.start(host);
    return new TestEnv(server, await server.createUser('roy', 'ratifier'));
  }

  path(rest: string): string {
    return `/t/${this.server.tenantId}/${rest}`;
  }

  /** The header with which a program acts with the cookie of a session. */
  get program(): Record<string, string> {
    return { 'x-service-tenant-id': this.server.tenantId };
  }

  /** Signs a user in through the API instead of the form. */
  async signIn(page: Page, user: TestUser): Promise<void> {
    const { email, password } = user;
    const response = await page.request.post('/v1/session', { data: { email, password } });
    expect(response.status()).toBe(200);
  }

  /** Adds the admin session that read-only tests share. */
  async useSharedAdminSession(page: Page): Promise<void> {
    if (!this.sharedCookies) {
      await this.signIn(page, this.server.admin);
      this.sharedCookies = await page.context().cookies();
    }
    await page.context().addCookies(this.sharedCookies);
  }

  /** Creates a policy with a draft and a new decision type. The API key acts for the admin. */
  async draftPolicy(): Promise<TestPolicy> {
    const suffix = randomUUID().slice(0, 8);
    const decisionType = `expense_${suffix}`;
    const [code, name] = [`EXPENSE-${suffix}`, `Expenses ${suffix}`];
    const { policy } = await this.server.api('POST', '/v1/policies', {
      code,
      name,
      decision_types: [decisionType],
      rules: [
        {
          code: 'EXP-LIMIT',
          name: 'Expenses end at 500',
          rule_type: 'threshold',
          condition: { field: 'amount', max: 500 },
          severity: 'high',
        },
        {
          code: 'EXP-RECEIPT',
          name: 'More than small change needs a receipt',
          rule_type: 'presence',
          condition: { required_fields: ['receipt'] },
          severity: 'medium',
          when: { field: 'amount', exists: true },
        },
      ],
    });
    const path = this.path(`policies/${policy.id}`);
    return { id: policy.id, code, name, decisionType, path, versionPath: `${path}/versions/1` };
  }

  async createGroup(): Promise<Json> {
    const suffix = randomUUID().slice(0, 8);
    return this.server.api('POST', '/v1/policy-groups', {
      code: `TRAVEL-${suffix}`,
      name: `Travel ${suffix}`,
      description: 'Everything about trips.',
    });
  }

  /** Issues a capability for the first version of a policy, as the admin. */
  async issueCapability(policy: TestPolicy, name: string): Promise<Json> {
    return this.server.apiAs(this.server.admin, 'POST', '/v1/authoring-capabilities', {
      policy_id: policy.id,
      version: 1,
      actions: ['policy.read', 'policy.draft.edit', 'review.seal'],
      max_uses: 40,
      name,
    });
  }

  /** Sets version 1 of a policy aside and creates version 2 without rules. */
  async replaceFirstVersion(policy: TestPolicy): Promise<void> {
    const versions = `/v1/policies/${policy.id}/versions`;
    const body = { reason: 'start over' };
    await this.server.apiAs(this.server.admin, 'POST', `${versions}/1/set-aside`, body);
    await this.server.api('POST', versions, { rules: [] });
  }

  /** Creates a policy whose version is submitted without a review submission. */
  async submittedPolicy(): Promise<TestPolicy> {
    const policy = await this.draftPolicy();
    await this.server.api('POST', `/v1/policies/${policy.id}/versions/1/submit`, {});
    return policy;
  }

  /** Creates a policy whose version has a codification and is sealed and submitted. */
  async codifiedPolicy(): Promise<TestPolicy> {
    const policy = await this.draftPolicy();
    const path = `/v1/policies/${policy.id}/versions/1`;
    await this.server.api('PATCH', path, {
      expected_revision: 1,
      codification: {
        source: { document: 'Travel handbook', url: 'https://handbook.example/travel' },
        clauses: [
          { unit_id: 'u1', locator: 'section 1', text: 'Expenses may not exceed 800 euros.' },
          { unit_id: 'u2', locator: 'section 2', text: 'A receipt should be kept.' },
          { unit_id: 'u3', locator: 'section 3', text: 'Staff shall travel with appropriate care.' },
        ],
        ledger: [
          { unit_id: 'u1', disposition: 'mapped', rule_code: 'EXP-LIMIT' },
          { unit_id: 'u2', disposition: 'mapped', rule_code: 'EXP-RECEIPT' },
          { unit_id: 'u3', disposition: 'unsupported', note: 'not measurable' },
        ],
      },
    });
    await this.server.api('POST', `${path}/seal`, {});
    await this.server.api('POST', `${path}/submit`, {});
    return policy;
  }

  /** Creates a policy whose version is sealed and submitted. */
  async sealedPolicy(): Promise<TestPolicy> {
    const policy = await this.draftPolicy();
    await this.server.api('POST', `/v1/policies/${policy.id}/versions/1/seal`, {});
    await this.server.api('POST', `/v1/policies/${policy.id}/versions/1/submit`, {});
    return policy;
  }

  /** Creates a policy whose submitted version has requested changes to both rules, recorded by the ratifier. */
  async returnedPolicy(): Promise<TestPolicy> {
    const policy = await this.sealedPolicy();
    const path = `/v1/policies/${policy.id}/versions/1/submissions`;
    const { items: [submission] } = await this.server.api('GET', path);
    await this.server.apiAs(this.ratifier, 'POST', `${path}/${submission.id}/records`, {
      verdict: 'RETURN',
      note: 'Two remarks.',
      comments: [
        { rule_code: 'EXP-LIMIT', text: 'Per day or per trip?' },
        { rule_code: 'EXP-RECEIPT', text: 'Which amount is small change?' },
      ],
    });
    return policy;
  }

  /** Records a denied loan decision of the demo again under the idempotency key `key`, optionally in a chain. */
  async recordDecision(key: string, chain?: Json): Promise<Json> {
    const [{ context }] = await this.listDecisions('&decision=DENY&decision_type=consumer_loan');
    const { decision_type, fields } = context;
    return this.server.api('POST', '/v1/decisions/record', {
      context: { decision_type, fields },
      idempotency_key: key,
      chain,
    });
  }

  /** Returns up to 50 decisions, newest first. */
  async listDecisions(query = ''): Promise<Json[]> {
    return (await this.server.api('GET', `/v1/decisions?limit=50${query}`)).items;
  }
}

export const test = base.extend<object, { env: TestEnv; host: string }>({
  host: ['127.0.0.1', { option: true, scope: 'worker' }],
  env: [
    async ({ host }, use) => {
      const env = await TestEnv.start(host);
      await use(env);
      await env.server.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ env }, use) => use(env.server.url),
  context: async ({ context }, use) => {
    if (LAG_MS > 0) {
      await context.route('**/pkg/*', async (route) => {
        await pause(Math.random() * LAG_MS);
        await route.continue();
      });
    }
    await use(context);
  },
});
