// What every spec stands on: a server for the worker, its people, and policies made for one test.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { test as base, expect, type Cookie, type Page } from '@playwright/test';
import { Govern, type Json, type Person } from './govern.js';

export { expect };

/**
 * Up to how many milliseconds a page's scripts are held back, at random. Finds what works only on a page
 * that woke early, or only on one that did not.
 */
const LAG_MS = Number(process.env.GOVERN_LAG ?? 0);

/** A policy with one version, and where the console shows them. */
export interface MadePolicy {
  id: string;
  code: string;
  name: string;
  decisionType: string;
  page: string;
  version: string;
}

export class World {
  private cookies?: Cookie[];

  private constructor(
    readonly govern: Govern,
    /** Somebody who may ratify, and has made nothing. */
    readonly ratifier: Person,
  ) {}

  static async make(): Promise<World> {
    const govern = await Govern.start();
    return new World(govern, await govern.person('roy', 'ratifier'));
  }

  /** A page of the tenant. */
  path(rest: string): string {
    return `/t/${this.govern.tenant}/${rest}`;
  }

  /** Signs a person in without the form, for tests about other things. */
  async signIn(page: Page, person: Person): Promise<void> {
    const { email, password } = person;
    const answer = await page.request.post('/v1/session', { data: { email, password } });
    expect(answer.status()).toBe(200);
  }

  /** Gives a page the one session of the admin that all tests share which only look. */
  async seat(page: Page): Promise<void> {
    if (!this.cookies) {
      await this.signIn(page, this.govern.admin);
      this.cookies = await page.context().cookies();
    }
    await page.context().addCookies(this.cookies);
  }

  /** Writes a policy of a decision type of its own with the key, which acts for the admin. */
  async draft(): Promise<MadePolicy> {
    const mark = randomUUID().slice(0, 8);
    const decisionType = `expense_${mark}`;
    const [code, name] = [`EXPENSE-${mark}`, `Expenses ${mark}`];
    const { policy } = await this.govern.api('POST', '/v1/policies', {
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
    const page = this.path(`policies/${policy.id}`);
    return { id: policy.id, code, name, decisionType, page, version: `${page}/versions/1` };
  }

  /** Makes an empty policy group with the key. */
  async group(): Promise<Json> {
    const mark = randomUUID().slice(0, 8);
    return this.govern.api('POST', '/v1/policy-groups', {
      code: `TRAVEL-${mark}`,
      name: `Travel ${mark}`,
      description: 'Everything about trips.',
    });
  }

  /** Grants a program work on a policy's first version, as the admin. */
  async grant(policy: MadePolicy, name: string): Promise<Json> {
    return this.govern.apiAs(this.govern.admin, 'POST', '/v1/authoring-capabilities', {
      policy_id: policy.id,
      version: 1,
      actions: ['policy.read', 'policy.draft.edit', 'review.seal'],
      max_uses: 40,
      name,
    });
  }

  /** Begins version 2 of a policy in place of its first. */
  async anew(policy: MadePolicy): Promise<void> {
    const versions = `/v1/policies/${policy.id}/versions`;
    const because = { reason: 'begin anew' };
    await this.govern.apiAs(this.govern.admin, 'POST', `${versions}/1/set-aside`, because);
    await this.govern.api('POST', versions, { rules: [] });
  }

  async submitted(): Promise<MadePolicy> {
    const policy = await this.draft();
    await this.govern.api('POST', `/v1/policies/${policy.id}/versions/1/submit`, {});
    return policy;
  }

  /** A version that is sealed and sent, with the clauses that its rules come from. */
  async codified(): Promise<MadePolicy> {
    const policy = await this.draft();
    const path = `/v1/policies/${policy.id}/versions/1`;
    await this.govern.api('PATCH', path, {
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
          { unit_id: 'u3', disposition: 'unsupported', note: 'nobody can measure it' },
        ],
      },
    });
    await this.govern.api('POST', `${path}/seal`, {});
    await this.govern.api('POST', `${path}/submit`, {});
    return policy;
  }

  /** A version that is sealed and sent. */
  async sealed(): Promise<MadePolicy> {
    const policy = await this.draft();
    await this.govern.api('POST', `/v1/policies/${policy.id}/versions/1/seal`, {});
    await this.govern.api('POST', `/v1/policies/${policy.id}/versions/1/submit`, {});
    return policy;
  }

  /** Records a decision of the demo's kind under `key`, in a chain or outside of them. */
  async record(key: string, chain?: Json): Promise<Json> {
    const [{ context }] = await this.decisions('&decision=DENY&decision_type=consumer_loan');
    const { decision_type, fields } = context;
    return this.govern.api('POST', '/v1/decisions/record', {
      context: { decision_type, fields },
      idempotency_key: key,
      chain,
    });
  }

  /** The decisions of the demo, newest first. */
  async decisions(query = ''): Promise<Json[]> {
    return (await this.govern.api('GET', `/v1/decisions?limit=50${query}`)).items;
  }
}

export const test = base.extend<object, { world: World }>({
  world: [
    async ({}, use) => {
      const world = await World.make();
      await use(world);
      await world.govern.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ world }, use) => use(world.govern.url),
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
