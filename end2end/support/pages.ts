// All pages, with the data that each shows, for tests that visit every page.

import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { alteredBundle, chooseTrustDocument, exampleBundle, verifyBundle } from './bundle.js';
import type { TestEnv } from './fixtures.js';
import type { Json } from './govern.js';
import { createRecord } from './identity-provider.js';
import { addAuthenticatorApp, nextTotp, totp } from './second-factor.js';

export interface TestedPage {
  name: string;
  /** Returns the path of the page and creates the data that it shows. Tenant pages use the demo's tenant. */
  path: (env: TestEnv) => Promise<string> | string;
  /** Whether the page is visited without signing in. */
  isPublic?: boolean;
  /** The expected status of the response, 200 by default. */
  status?: number;
  /** Prepares the hydrated page before it is checked. */
  prepare?: (page: Page, env: TestEnv) => Promise<unknown>;
}

/** The parameters of `govern login`, with the challenge of RFC 7636. The name of the machine is last. */
const CLI_LOGIN = 'code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&name=laptop';

export const PAGES: TestedPage[] = [
  { name: 'login', path: () => '/login', isPublic: true },
  { name: 'help', path: () => '/help', isPublic: true },
  { name: 'docs', path: () => '/docs/start', isPublic: true },
  { name: 'docs-concepts', path: () => '/docs/concepts', isPublic: true },
  { name: 'docs-guide', path: () => '/docs/guide/author', isPublic: true },
  { name: 'docs-errors', path: () => '/docs/errors', isPublic: true },
  { name: 'docs-performance', path: () => '/docs/performance', isPublic: true },
  { name: 'docs-search', path: () => '/docs/search?q=receipt', isPublic: true },
  { name: 'setup', path: () => '/setup?token=no-such-link', isPublic: true },
  { name: 'receipt', path: publicReceipt, isPublic: true },
  { name: 'verify', path: () => '/verify', isPublic: true },
  {
    name: 'verify-verified',
    path: () => '/verify',
    isPublic: true,
    prepare: async (page) => {
      await chooseTrustDocument(page);
      await verifyBundle(page, exampleBundle('decision_bundle'));
    },
  },
  {
    name: 'verify-failed',
    path: () => '/verify',
    isPublic: true,
    prepare: async (page) => {
      await chooseTrustDocument(page);
      await verifyBundle(page, alteredBundle({ 'receipt/integrity.json': null }));
    },
  },
  {
    name: 'verify-incomplete',
    path: () => '/verify',
    isPublic: true,
    prepare: (page) => verifyBundle(page, exampleBundle('chain_bundle')),
  },
  {
    name: 'verify-invalid-pin',
    path: () => '/verify',
    isPublic: true,
    prepare: async (page) => {
      await page.getByLabel('Fingerprints').fill('no-fingerprint');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'log', path: () => '/log', isPublic: true },
  { name: 'log-not-found', path: () => `/log?digest=${'0'.repeat(64)}`, isPublic: true },
  { name: 'log-invalid-digest', path: () => '/log?digest=0', isPublic: true },
  { name: 'trust', path: () => '/trust', isPublic: true },
  { name: 'gallery', path: () => '/dev/gallery', isPublic: true },
  { name: 'form-public', path: publicForm, isPublic: true },
  { name: 'form-receipt', path: formReceipt, isPublic: true },
  { name: 'no-such-page', path: () => '/no/such/page', isPublic: true, status: 404 },
  { name: 'confirm', path: () => '/login/confirm?next=/' },
  { name: 'account', path: () => '/account' },
  { name: 'second-factor', path: () => '/login', isPublic: true, prepare: openSecondFactor },
  { name: 'account-second-factors', path: () => '/login', isPublic: true, prepare: openAccount },
  { name: 'authenticator', path: () => '/login', isPublic: true, prepare: setUpAuthenticator },
  { name: 'recovery-codes', path: () => '/login', isPublic: true, prepare: openRecoveryCodes },
  { name: 'recovery-codes-gone', path: () => '/account/recovery-codes' },
  { name: 'invitations', path: () => '/invitations' },
  { name: 'cli-login', path: () => `/cli-login?port=52011&state=s&${CLI_LOGIN}` },
  { name: 'cli-login-long', path: () => `/cli-login?${CLI_LOGIN}${'x'.repeat(100)}` },
  { name: 'cli-login-invalid', path: () => '/cli-login?port=80' },
  { name: 'overview', path: (env) => `/t/${env.server.tenantId}` },
  { name: 'overview-quarter', path: (env) => `/t/${env.server.tenantId}?range=90d` },
  { name: 'overview-empty', path: (env) => `/t/${env.server.tenantId}?range=custom&from=2020-01-01&to=2020-01-02` },
  { name: 'policies', path: (env) => env.path('policies') },
  { name: 'policies-empty', path: (env) => env.path('policies?q=no-such-policy') },
  {
    name: 'palette',
    path: (env) => env.path('policies'),
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
    },
  },
  { name: 'policies-filtered', path: (env) => env.path('policies?state=active&mode=enforcing') },
  { name: 'policy', path: procurementPath },
  { name: 'policy-rules', path: async (env) => `${await procurementPath(env)}?tab=rules` },
  { name: 'policy-versions', path: async (env) => `${await procurementPath(env)}?tab=versions` },
  { name: 'analytics', path: async (env) => `${await procurementPath(env)}/analytics?range=90d` },
  { name: 'analytics-empty', path: async (env) => `${(await env.draftPolicy()).path}/analytics` },
  { name: 'version-active', path: async (env) => `${await procurementPath(env)}/versions/1` },
  { name: 'version-submitted', path: async (env) => `${await procurementPath(env)}/versions/2` },
  { name: 'version-draft', path: async (env) => (await env.draftPolicy()).versionPath },
  { name: 'policy-new', path: (env) => env.path('policies/new') },
  { name: 'deactivate', path: async (env) => `${await procurementPath(env)}/deactivate` },
  { name: 'policy-details', path: async (env) => `${await procurementPath(env)}/details` },
  { name: 'edit', path: async (env) => `${(await env.draftPolicy()).versionPath}/edit` },
  { name: 'edit-gate', path: async (env) => `${(await env.draftPolicy()).versionPath}/edit?rule=EXP-RECEIPT` },
  { name: 'edit-new', path: async (env) => `${(await env.draftPolicy()).versionPath}/edit?rule=-new` },
  { name: 'edit-json', path: async (env) => `${(await env.draftPolicy()).versionPath}/edit?look=json` },
  { name: 'edit-requested', path: async (env) => `${(await env.returnedPolicy()).versionPath}/edit` },
  { name: 'edit-closed', path: async (env) => `${(await env.submittedPolicy()).versionPath}/edit` },
  { name: 'delete', path: async (env) => `${(await env.draftPolicy()).versionPath}/delete` },
  { name: 'review', path: async (env) => `${(await env.sealedPolicy()).versionPath}/review` },
  { name: 'review-codified', path: async (env) => `${(await env.codifiedPolicy()).versionPath}/review` },
  { name: 'review-comments', path: async (env) => `${(await env.returnedPolicy()).versionPath}/review?tab=comments` },
  { name: 'review-clauses', path: async (env) => `${(await env.codifiedPolicy()).versionPath}/review?tab=clauses` },
  { name: 'review-timeline', path: async (env) => `${(await env.returnedPolicy()).versionPath}/review?tab=timeline` },
  { name: 'compare', path: async (env) => `${await procurementPath(env)}/versions/2/compare` },
  { name: 'compare-unified', path: async (env) => `${await procurementPath(env)}/versions/2/compare?against=1&layout=unified` },
  { name: 'compare-same', path: async (env) => `${await procurementPath(env)}/versions/2/compare?against=2` },
  { name: 'compare-comments', path: comparisonWithComments },
  { name: 'review-not-submitted', path: async (env) => `${(await env.draftPolicy()).versionPath}/review` },
  { name: 'review-accept', path: async (env) => `${await pendingReview(env)}/accept` },
  { name: 'review-return', path: async (env) => `${await pendingReview(env)}/return` },
  { name: 'submit-for-review', path: async (env) => `${(await env.draftPolicy()).versionPath}/send` },
  { name: 'set-aside', path: async (env) => `${(await env.draftPolicy()).versionPath}/set-aside` },
  { name: 'supersede', path: async (env) => `${(await env.draftPolicy()).versionPath}/supersede` },
  { name: 'inbox', path: (env) => env.path('inbox') },
  { name: 'inbox-others', path: (env) => env.path('inbox?tab=others') },
  { name: 'inbox-done', path: (env) => env.path('inbox?tab=done') },
  { name: 'ratify', path: async (env) => `${await procurementPath(env)}/versions/2/ratify` },
  { name: 'reject', path: async (env) => `${await procurementPath(env)}/versions/2/reject` },
  { name: 'activate', path: async (env) => `${await procurementPath(env)}/versions/1/activate` },
  { name: 'decisions', path: (env) => env.path('decisions') },
  { name: 'decisions-range', path: (env) => env.path('decisions?range=7d&verdict=DENY') },
  { name: 'decisions-invalid', path: (env) => env.path('decisions?version=1') },
  { name: 'decision-export', path: (env) => env.path('decisions/export?verdict=DENY') },
  { name: 'decision-export-invalid', path: (env) => env.path('decisions/export?from=2026-11-22T00:00&to=2026-11-21T00:00&submitted=1') },
  { name: 'chains', path: async (env) => (await createChain(env), env.path('chains')) },
  { name: 'chains-empty', path: (env) => env.path(`chains?chain=${UNKNOWN_ID}`) },
  { name: 'decisions-empty', path: (env) => env.path('decisions?rule=NO-SUCH-RULE') },
  { name: 'decision-denied', path: (env) => decisionByVerdict(env, 'DENY') },
  { name: 'decision-allowed', path: (env) => decisionByVerdict(env, 'ALLOW') },
  { name: 'decision-chained', path: async (env) => env.path(`decisions/${(await createChain(env))[1]}`) },
  { name: 'chain', path: async (env) => env.path(`chains/${(await createChain(env))[0]}`) },
  { name: 'chain-sealed', path: sealedChain },
  { name: 'bundle', path: codifiedBundle },
  {
    name: 'bundle-file',
    path: async (env) => `${await decisionByVerdict(env, 'ALLOW')}/bundle?file=receipt/receipt.dsse.json`,
  },
  { name: 'decision-raw', path: async (env) => `${await decisionByVerdict(env, 'DENY')}?look=raw` },
  { name: 'decisions-filtered', path: (env) => env.path('decisions?verdict=DENY&actor=uw-204') },
  { name: 'decision-replay', path: async (env) => `${await decisionByVerdict(env, 'DENY')}?replay=now` },
  { name: 'outcome', path: async (env) => `${await decisionByVerdict(env, 'ALLOW')}/outcome` },
  { name: 'alerts', path: (env) => env.path('alerts') },
  { name: 'alerts-acknowledged', path: (env) => env.path('alerts?status=acknowledged') },
  { name: 'alerts-empty', path: (env) => env.path('alerts?type=webhook_dead') },
  { name: 'alert', path: firstAlert },
  {
    name: 'alert-next-to-list',
    path: async (env) => (await firstAlert(env)).replace('alerts/', 'alerts?order=time&alert='),
  },
  { name: 'alerts-snoozed', path: snoozedAlerts },
  { name: 'acknowledge', path: newAlert, prepare: selectAll('Acknowledge all') },
  { name: 'assign', path: newAlert, prepare: selectAll('Assign all') },
  { name: 'snooze', path: newAlert, prepare: selectAll('Snooze all') },
  { name: 'acknowledge-empty', path: (env) => env.path('alerts/acknowledge') },
  { name: 'dry-run', path: (env) => env.path('try') },
  { name: 'dry-run-decision', path: dryRunOfDecision },
  { name: 'keys', path: apiKeys },
  { name: 'key-revoke', path: apiKeyRevocation },
  { name: 'capabilities', path: capabilities },
  { name: 'capability-carry', path: async (env) => `${await carriableCapability(env)}/carry` },
  { name: 'capability-revoke', path: async (env) => `${await carriableCapability(env)}/revoke` },
  { name: 'audit', path: (env) => env.path('audit') },
  { name: 'audit-empty', path: (env) => env.path('audit?action=no.such_action') },
  { name: 'audit-verified', path: (env) => env.path('audit?check=1') },
  { name: 'groups', path: (env) => env.path('groups') },
  { name: 'group', path: groupWithPolicy },
  { name: 'group-empty', path: async (env) => env.path(`groups/${(await env.createGroup()).id}`) },
  { name: 'forms', path: (env) => env.path('forms') },
  { name: 'form', path: demoFormEditor },
  { name: 'form-json', path: async (env) => `${await demoFormEditor(env)}?as=json` },
  { name: 'form-access', path: async (env) => `${await demoFormEditor(env)}?tab=access` },
  { name: 'form-branding', path: async (env) => `${await demoFormEditor(env)}?tab=branding` },
  { name: 'form-integrate', path: async (env) => `${await demoFormEditor(env)}?tab=integrate` },
  { name: 'webhooks-empty', path: deleteWebhooks },
  { name: 'webhooks', path: async (env) => (await createWebhook(env), env.path('webhooks')) },
  { name: 'webhook-new', path: (env) => env.path('webhooks/new') },
  { name: 'webhook-replace', path: async (env) => env.path(`webhooks/new?from=${await createWebhook(env)}`) },
  { name: 'deliveries', path: async (env) => (await createDeadDelivery(env), env.path('webhooks/deliveries')) },
  { name: 'deliveries-empty', path: (env) => env.path(`webhooks/deliveries?webhook=${UNKNOWN_ID}`) },
  { name: 'delivery', path: async (env) => env.path(`webhooks/deliveries/${await createDeadDelivery(env)}`) },
  { name: 'members', path: (env) => env.path('members') },
  { name: 'members-invitations', path: (env) => env.path('members?tab=invitations') },
  { name: 'members-roles', path: (env) => env.path('members?tab=roles') },
  { name: 'member-role', path: (env) => memberAction(env, 'role') },
  { name: 'member-remove', path: (env) => memberAction(env, 'remove') },
  { name: 'settings', path: (env) => env.path('settings') },
  { name: 'identity-providers', path: identityProviders },
  { name: 'identity-provider-new', path: (env) => env.path('settings/identity-providers/new') },
  { name: 'identity-provider-edit', path: identityProviderForm },
  {
    name: 'settings-change',
    path: (env) => env.path('settings?change=maker_checker_enabled&to=false'),
  },
  { name: 'policy-missing', path: (env) => env.path(`policies/${UNKNOWN_ID}`), status: 404 },
];

/** A valid ID that no resource has. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Returns the path of the demo policy with the active version 1 and the submitted version 2. */
export async function procurementPath(env: TestEnv): Promise<string> {
  const { items } = await env.server.api('GET', '/v1/policies?q=PUBLIC-PROCUREMENT');
  return env.path(`policies/${items[0].id}`);
}

/** Creates a version with an open and a resolved thread. Returns the path of its comparison. */
async function comparisonWithComments(env: TestEnv): Promise<string> {
  const policy = await env.sealedPolicy();
  const comments = `/v1/policies/${policy.id}/versions/1/comments`;
  const post = (user: typeof env.ratifier, body: object) => env.server.apiAs(user, 'POST', comments, body);
  const first = await post(env.ratifier, { text: 'Per day or per trip?', rule_code: 'EXP-LIMIT' });
  await post(env.server.admin, { text: 'Per day.', in_reply_to: first.id });
  const second = await post(env.ratifier, { text: `A long word ${'x'.repeat(200)}` });
  await env.server.apiAs(env.ratifier, 'POST', `${comments}/${second.id}/resolve`, {});
  return `${policy.versionPath}/compare`;
}

/** Creates a user with an authenticator app. Returns the user and the next code of the app. */
async function userWithApp(env: TestEnv) {
  const user = await env.server.createUser(`app-${randomUUID().slice(0, 8)}`, 'viewer');
  const { secret } = await addAuthenticatorApp(env.server, user);
  return { user, code: nextTotp(secret) };
}

/** Opens the page of the second factor after the password. */
async function openSecondFactor(page: Page, env: TestEnv): Promise<void> {
  const { user } = await userWithApp(env);
  await page.goto('/login');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code from your authenticator app').waitFor();
}

/** Opens the account page of a user with an authenticator app. */
async function openAccount(page: Page, env: TestEnv): Promise<void> {
  const { user, code } = await userWithApp(env);
  await page.request.post('/v1/session', { data: user });
  expect((await page.request.post('/v1/session/second-factor', { data: { code } })).status()).toBe(200);
  await page.goto('/account');
  await page.getByText('10 recovery codes left.').waitFor();
}

/** Opens the page with the secret of an authenticator app. */
async function setUpAuthenticator(page: Page, env: TestEnv): Promise<void> {
  await env.signIn(page, await env.server.createUser(`new-app-${randomUUID().slice(0, 8)}`, 'viewer'));
  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  await page.getByRole('img', { name: 'QR code of the key for the authenticator app' }).waitFor();
}

/** Opens the page with new recovery codes. */
async function openRecoveryCodes(page: Page, env: TestEnv): Promise<void> {
  await setUpAuthenticator(page, env);
  const secret = (await page.locator('main code').textContent()) ?? '';
  await page.getByLabel('Code from your authenticator app').fill(totp(secret));
  await page.getByRole('button', { name: 'Confirm code' }).click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
}

/** Creates a group with one policy and returns its path. */
async function groupWithPolicy(env: TestEnv): Promise<string> {
  const { id } = await env.createGroup();
  const policy = await env.draftPolicy();
  await env.server.api('PATCH', `/v1/policies/${policy.id}`, { policy_group_id: id });
  return env.path(`groups/${id}`);
}

/** Returns the path of a page that changes or removes a member. */
async function memberAction(env: TestEnv, action: string): Promise<string> {
  const { items } = await env.server.api('GET', '/v1/admin/members');
  return env.path(`members/${items[0].user_id}/${action}`);
}

/** Returns the path of the newest decision with a verdict. */
async function decisionByVerdict(env: TestEnv, verdict: string): Promise<string> {
  const [decision] = await env.listDecisions(`&decision=${verdict}`);
  return env.path(`decisions/${decision.id}`);
}

async function firstAlert(env: TestEnv): Promise<string> {
  const { items } = await env.server.api('GET', '/v1/alerts?limit=1');
  return env.path(`alerts/${items[0].id}`);
}

/** Snoozes an alert and returns the path of the list of snoozed alerts. */
async function snoozedAlerts(env: TestEnv): Promise<string> {
  await env.recordDecision(`snooze ${randomUUID()}`);
  const { items } = await env.server.api('GET', '/v1/alerts?status=open&limit=1');
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await env.server.api('POST', `/v1/alerts/${items[0].id}/snooze`, { until });
  return env.path('alerts?status=snoozed');
}

/** Creates an alert and returns the path of the list. */
async function newAlert(env: TestEnv): Promise<string> {
  await env.recordDecision(`acknowledge ${randomUUID()}`);
  return env.path('alerts');
}

/** Opens the confirmation page of an action on all alerts that match. The list posts the selection to it. */
function selectAll(action: string) {
  return async (page: Page) => {
    await page.getByText(/^All matching/).click();
    await page.getByRole('button', { name: action }).click();
    await page.getByRole('heading', { level: 1, name: /\d alerts?\??$/ }).waitFor();
  };
}

/** Creates a chain of three steps with a gap. Returns the IDs of the chain and of its second decision. */
async function createChain(env: TestEnv): Promise<[string, string]> {
  const id = randomUUID();
  const steps = [];
  for (const chain_step of [1, 4, 5]) {
    steps.push(await env.recordDecision(`${id} ${chain_step}`, { chain_id: id, chain_step }));
  }
  return [id, steps[1].decision.id];
}

/** Creates a sealed chain and returns its path. */
async function sealedChain(env: TestEnv): Promise<string> {
  const [id] = await createChain(env);
  await env.server.api('POST', `/v1/chains/${id}/seal`, {});
  return env.path(`chains/${id}`);
}

/** Returns the path of the bundle of a decision whose rules cite clauses. */
async function codifiedBundle(env: TestEnv): Promise<string> {
  const [decision] = await env.listDecisions('&decision=DENY&decision_type=ai_tool_call');
  return env.path(`decisions/${decision.id}/bundle`);
}

/** Returns the path of a dry run of a recorded decision. */
async function dryRunOfDecision(env: TestEnv): Promise<string> {
  const [decision] = await env.listDecisions('&decision=DENY');
  return env.path(`try?from=${decision.id}`);
}

/** Creates an active key with long scopes, a revoked key and a capability holder. Returns the path of the list. */
async function apiKeys(env: TestEnv): Promise<string> {
  const create = async (scopes: string[], expires_at?: string) => {
    const name = `Nightly import ${randomUUID().slice(0, 8)}`;
    return (await env.server.api('POST', '/v1/api-keys', { name, scopes, expires_at })).key.id;
  };
  await create(['decisions:evaluate', 'policies:write'], '2031-12-31T23:59:59.000Z');
  await env.server.api('DELETE', `/v1/api-keys/${await create(['decisions:evaluate'])}`);
  await env.issueCapability(await env.draftPolicy(), 'drafting assistant');
  return env.path('keys');
}

async function apiKeyRevocation(env: TestEnv): Promise<string> {
  const { items } = await env.server.api('GET', '/v1/api-keys');
  return env.path(`keys/${items[0].id}/revoke`);
}

/** Creates a version that another user sealed and submitted. Returns the path of its review. */
async function pendingReview(env: TestEnv): Promise<string> {
  const policy = await env.draftPolicy();
  for (const action of ['seal', 'submit']) {
    await env.server.apiAs(env.ratifier, 'POST', `/v1/policies/${policy.id}/versions/1/${action}`, {});
  }
  return `${policy.versionPath}/review`;
}

/** Creates a capability that can be carried over and returns its path. */
async function carriableCapability(env: TestEnv): Promise<string> {
  const policy = await env.draftPolicy();
  const { capability } = await env.issueCapability(policy, 'drafting assistant');
  await env.replaceFirstVersion(policy);
  return env.path(`capabilities/${capability.id}`);
}

/** Creates a capability that can be carried over and one that cannot. Returns the path of the list. */
async function capabilities(env: TestEnv): Promise<string> {
  await carriableCapability(env);
  await env.issueCapability(await env.draftPolicy(), 'translating assistant');
  return env.path('capabilities');
}

/** Returns the path of the receipt of a denied decision. */
async function publicReceipt(env: TestEnv): Promise<string> {
  const [decision] = await env.listDecisions('&decision=DENY');
  return `/r/${decision.id}`;
}

async function publicForm(env: TestEnv): Promise<string> {
  const { items } = await env.server.api('GET', '/v1/forms');
  return `/f/${items.at(-1).id}`;
}

/** Returns the path of the demo's form in the console. */
async function demoFormEditor(env: TestEnv): Promise<string> {
  const { items } = await env.server.api('GET', '/v1/forms');
  return env.path(`forms/${items.at(-1).id}/edit`);
}

/** Creates an identity provider, if there is none, and returns one. */
async function identityProvider(env: TestEnv): Promise<Json> {
  const path = '/v1/admin/identity-providers';
  const { items } = await env.server.apiAs(env.server.admin, 'GET', path, undefined);
  return items[0] ?? createRecord(env.server, 'Acme SSO', 'http://localhost:9');
}

/** Returns the path of the list with at least one identity provider. */
async function identityProviders(env: TestEnv): Promise<string> {
  await identityProvider(env);
  return env.path('settings/identity-providers');
}

/** Returns the path of the form of an identity provider. */
async function identityProviderForm(env: TestEnv): Promise<string> {
  return env.path(`settings/identity-providers/${(await identityProvider(env)).id}/edit`);
}

/** Deletes all webhooks and returns the path of the list. */
async function deleteWebhooks(env: TestEnv): Promise<string> {
  const { items } = await env.server.api('GET', '/v1/alerts/subscriptions');
  for (const { id } of items) await env.server.api('DELETE', `/v1/alerts/subscriptions/${id}`);
  return env.path('webhooks');
}

/** Creates a webhook whose address has no receiver and returns its ID. */
async function createWebhook(env: TestEnv): Promise<string> {
  const { subscription } = await env.server.api('POST', '/v1/alerts/subscriptions', {
    url: 'http://127.0.0.1:9/hooks/a-rather-long-address-that-must-break-somewhere-when-the-page-is-narrow',
    severity_min: 'high',
    decision_types: ['unused_type', 'other_unused_type'],
  });
  return subscription.id;
}

/** Sends a test delivery, waits until it is dead and returns its ID. */
async function createDeadDelivery(env: TestEnv): Promise<string> {
  const { id } = await env.server.api('POST', `/v1/alerts/subscriptions/${await createWebhook(env)}/test`, {});
  await expect
    .poll(async () => (await env.server.api('GET', `/v1/alerts/deliveries/${id}`)).status)
    .toBe('dead');
  return id;
}

/** Creates a form, submits it and returns the path of the receipt. */
async function formReceipt(env: TestEnv): Promise<string> {
  const policy_id = (await procurementPath(env)).split('/').at(-1);
  const fields = [{ name: 'supplier.name', label: 'Supplier', type: 'text' }];
  const draft = { policy_id, title: 'Short form', is_published: true, fields };
  const { id } = await env.server.api('POST', '/v1/forms', draft);
  const values = { 'supplier.name': 'Harrow & Byrne Ltd' };
  const { decision_id } = await env.server.api('POST', `/v1/forms/${id}/submit`, { values });
  return `/f/${id}/receipts/${decision_id}`;
}
