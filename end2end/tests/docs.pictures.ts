// The screenshots of the guides in `docs/guide`: `make docs-screens`

import { join } from 'node:path';
import { expect, test, type TestEnv } from '../support/fixtures.js';
import { ROOT, type TestUser } from '../support/govern.js';
import { PAGES } from '../support/pages.js';

const DIRECTORY = join(ROOT, 'docs/images/screens');

interface Picture {
  name: string;
  /** The name of the page in `support/pages.ts`. */
  page: string;
  /** The role of the user; without one, the page is visited without signing in. */
  role?: string;
  height: number;
  /** Creates further data that the page shows. */
  create?: (env: TestEnv) => Promise<unknown>;
}

/** The users of the pictures by role, with their first names. */
const FIRST_NAMES: Record<string, string> = {
  author: 'anna',
  reviewer: 'ravi',
  ratifier: 'rosa',
  operator: 'olga',
  auditor: 'amir',
};

const users = new Map<string, TestUser>();

async function userOf(env: TestEnv, role: string): Promise<TestUser> {
  if (role === 'admin') return env.server.admin;
  const user = users.get(role) ?? (await env.server.createUser(FIRST_NAMES[role] ?? role, role));
  users.set(role, user);
  return user;
}

const PICTURES: Picture[] = [
  { name: 'author-editor', page: 'edit-gate', role: 'author', height: 900 },
  { name: 'author-submit', page: 'submit-for-review', role: 'author', height: 620 },
  { name: 'reviewer-inbox', page: 'inbox', role: 'reviewer', height: 620, create: (env) => env.sealedPolicy() },
  { name: 'reviewer-review', page: 'review-codified', role: 'reviewer', height: 900 },
  { name: 'ratifier-compare', page: 'compare', role: 'ratifier', height: 900 },
  { name: 'ratifier-ratify', page: 'ratify', role: 'ratifier', height: 760 },
  { name: 'operator-alerts', page: 'alerts', role: 'operator', height: 720 },
  { name: 'operator-webhook', page: 'deliveries', role: 'operator', height: 560 },
  { name: 'auditor-decision', page: 'decision-denied', role: 'auditor', height: 900 },
  { name: 'auditor-audit', page: 'audit', role: 'auditor', height: 720 },
  { name: 'auditor-verify', page: 'verify-verified', height: 900 },
  { name: 'admin-members', page: 'members', role: 'admin', height: 620 },
  { name: 'admin-keys', page: 'keys', role: 'admin', height: 620 },
  { name: 'developer-try', page: 'dry-run-decision', role: 'author', height: 760 },
];

for (const { name, page: pageName, role, height, create } of PICTURES) {
  test(`picture ${name}`, async ({ page, env }) => {
    const visited = PAGES.find((candidate) => candidate.name === pageName);
    if (!visited) throw new Error(`no page is named ${pageName}`);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1280, height });
    if (role) await env.signIn(page, await userOf(env, role));
    await create?.(env);
    const response = await page.goto(await visited.path(env));
    expect(response?.status()).toBe(200);
    await visited.prepare?.(page, env);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(DIRECTORY, `${name}.png`) });
  });
}
