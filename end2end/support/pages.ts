// Every page of the console, for the specs that walk them all.

import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { altered, archive, check, trust } from './bundle.js';
import type { World } from './world.js';

export interface WalkedPage {
  name: string;
  /** Where it is, in the demo's tenant. */
  path: (world: World) => Promise<string> | string;
  /** Seen by somebody who has not signed in. */
  isPublic?: boolean;
  /** Plain HTML, without scripts. */
  isPlain?: boolean;
  /** The status of the answer, when it is no success. */
  status?: number;
  /** What is done on the page, once it is awake, before it is looked at. */
  prepare?: (page: Page) => Promise<unknown>;
}

export const PAGES: WalkedPage[] = [
  { name: 'login', path: () => '/login', isPublic: true },
  { name: 'help', path: () => '/help', isPublic: true },
  { name: 'setup', path: () => '/setup?token=no-such-link', isPublic: true },
  { name: 'receipt', path: receipt, isPublic: true },
  { name: 'verify', path: () => '/verify', isPublic: true },
  {
    name: 'verify-verified',
    path: () => '/verify',
    isPublic: true,
    prepare: async (page) => {
      await trust(page);
      await check(page, archive('decision_bundle'));
    },
  },
  {
    name: 'verify-failed',
    path: () => '/verify',
    isPublic: true,
    prepare: async (page) => {
      await trust(page);
      await check(page, altered({ 'receipt/integrity.json': null }));
    },
  },
  {
    name: 'verify-incomplete',
    path: () => '/verify',
    isPublic: true,
    prepare: (page) => check(page, archive('chain_bundle')),
  },
  {
    name: 'verify-refused',
    path: () => '/verify',
    isPublic: true,
    prepare: async (page) => {
      await page.getByLabel('Fingerprints').fill('no-fingerprint');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'trust', path: () => '/trust', isPublic: true },
  { name: 'form-public', path: hosted, isPublic: true, isPlain: true },
  { name: 'form-receipt', path: submission, isPublic: true },
  { name: 'no-such-page', path: () => '/no/such/page', isPublic: true, status: 404 },
  { name: 'confirm', path: () => '/login/confirm?next=/' },
  { name: 'account', path: () => '/account' },
  { name: 'overview', path: (world) => `/t/${world.govern.tenant}` },
  { name: 'overview-quarter', path: (world) => `/t/${world.govern.tenant}?range=90d` },
  { name: 'overview-none', path: (world) => `/t/${world.govern.tenant}?range=custom&from=2020-01-01&to=2020-01-02` },
  { name: 'policies', path: (world) => world.path('policies') },
  { name: 'policies-none', path: (world) => world.path('policies?q=nothing-is-called-so') },
  { name: 'policy', path: async (world) => (await procurement(world)) },
  { name: 'analytics', path: async (world) => `${await procurement(world)}/analytics?range=90d` },
  { name: 'analytics-none', path: async (world) => `${(await world.draft()).page}/analytics` },
  { name: 'version-active', path: async (world) => `${await procurement(world)}/versions/1` },
  { name: 'version-submitted', path: async (world) => `${await procurement(world)}/versions/2` },
  { name: 'version-draft', path: async (world) => (await world.draft()).version },
  { name: 'policy-new', path: (world) => world.path('policies/new') },
  { name: 'deactivate', path: async (world) => `${await procurement(world)}/deactivate` },
  { name: 'policy-details', path: async (world) => `${await procurement(world)}/details` },
  { name: 'edit', path: async (world) => `${(await world.draft()).version}/edit` },
  { name: 'edit-gate', path: async (world) => `${(await world.draft()).version}/edit?rule=EXP-RECEIPT` },
  { name: 'edit-new', path: async (world) => `${(await world.draft()).version}/edit?rule=-new` },
  { name: 'edit-json', path: async (world) => `${(await world.draft()).version}/edit?look=json` },
  { name: 'edit-closed', path: async (world) => `${(await world.submitted()).version}/edit` },
  { name: 'delete', path: async (world) => `${(await world.draft()).version}/delete` },
  { name: 'review', path: async (world) => `${(await world.sealed()).version}/review` },
  { name: 'review-codified', path: async (world) => `${(await world.codified()).version}/review` },
  { name: 'review-unsent', path: async (world) => `${(await world.draft()).version}/review` },
  { name: 'review-accept', path: async (world) => `${await judged(world)}/accept` },
  { name: 'review-return', path: async (world) => `${await judged(world)}/return` },
  { name: 'send', path: async (world) => `${(await world.draft()).version}/send` },
  { name: 'set-aside', path: async (world) => `${(await world.draft()).version}/set-aside` },
  { name: 'supersede', path: async (world) => `${(await world.draft()).version}/supersede` },
  { name: 'inbox', path: (world) => world.path('inbox') },
  { name: 'inbox-others', path: (world) => world.path('inbox?tab=others') },
  { name: 'inbox-done', path: (world) => world.path('inbox?tab=done') },
  { name: 'ratify', path: async (world) => `${await procurement(world)}/versions/2/ratify` },
  { name: 'reject', path: async (world) => `${await procurement(world)}/versions/2/reject` },
  { name: 'activate', path: async (world) => `${await procurement(world)}/versions/1/activate` },
  { name: 'decisions', path: (world) => world.path('decisions') },
  { name: 'decisions-none', path: (world) => world.path('decisions?rule=no-rule-is-called-so') },
  { name: 'decision-denied', path: (world) => decision(world, 'DENY') },
  { name: 'decision-allowed', path: (world) => decision(world, 'ALLOW') },
  { name: 'decision-chained', path: async (world) => world.path(`decisions/${(await chain(world))[1]}`) },
  { name: 'chain', path: async (world) => world.path(`chains/${(await chain(world))[0]}`) },
  { name: 'chain-sealed', path: sealed },
  { name: 'bundle', path: codified },
  {
    name: 'bundle-file',
    path: async (world) => `${await decision(world, 'ALLOW')}/bundle?file=receipt/receipt.dsse.json`,
  },
  { name: 'decision-raw', path: async (world) => `${await decision(world, 'DENY')}?look=raw` },
  { name: 'decisions-filtered', path: (world) => world.path('decisions?verdict=DENY&actor=uw-204') },
  { name: 'decision-replay', path: async (world) => `${await decision(world, 'DENY')}?replay=now` },
  { name: 'outcome', path: async (world) => `${await decision(world, 'ALLOW')}/outcome` },
  { name: 'alerts', path: (world) => world.path('alerts') },
  { name: 'alerts-acknowledged', path: (world) => world.path('alerts?status=acknowledged') },
  { name: 'alerts-none', path: (world) => world.path('alerts?type=webhook_dead') },
  { name: 'alert', path: alert },
  { name: 'acknowledge', path: acknowledge },
  { name: 'acknowledge-none', path: (world) => world.path('alerts/acknowledge') },
  { name: 'try', path: (world) => world.path('try') },
  { name: 'try-decision', path: tried },
  { name: 'keys', path: keys },
  { name: 'key-revoke', path: revoke },
  { name: 'grants', path: grants },
  { name: 'grant-carry', path: async (world) => `${await grant(world)}/carry` },
  { name: 'grant-revoke', path: async (world) => `${await grant(world)}/revoke` },
  { name: 'audit', path: (world) => world.path('audit') },
  { name: 'audit-none', path: (world) => world.path('audit?action=nothing.is_called_so') },
  { name: 'audit-verified', path: (world) => world.path('audit?check=1') },
  { name: 'groups', path: (world) => world.path('groups') },
  { name: 'group', path: (world) => group(world) },
  { name: 'group-empty', path: async (world) => world.path(`groups/${(await world.group()).id}`) },
  { name: 'forms', path: (world) => world.path('forms') },
  { name: 'form', path: demoForm },
  { name: 'form-json', path: async (world) => `${await demoForm(world)}?as=json` },
  { name: 'form-tokens', path: async (world) => `${await demoForm(world)}?tab=tokens` },
  { name: 'form-integrate', path: async (world) => `${await demoForm(world)}?tab=integrate` },
  { name: 'webhooks-empty', path: noWebhooks },
  { name: 'webhooks', path: async (world) => (await webhook(world), world.path('webhooks')) },
  { name: 'webhook-new', path: (world) => world.path('webhooks/new') },
  { name: 'webhook-replace', path: async (world) => world.path(`webhooks/new?from=${await webhook(world)}`) },
  { name: 'deliveries', path: async (world) => (await delivery(world), world.path('webhooks/deliveries')) },
  { name: 'deliveries-none', path: (world) => world.path(`webhooks/deliveries?webhook=${NOBODY}`) },
  { name: 'delivery', path: async (world) => world.path(`webhooks/deliveries/${await delivery(world)}`) },
  { name: 'members', path: (world) => world.path('members') },
  { name: 'member-role', path: (world) => ofMember(world, 'role') },
  { name: 'member-remove', path: (world) => ofMember(world, 'remove') },
  { name: 'settings', path: (world) => world.path('settings') },
  {
    name: 'settings-change',
    path: (world) => world.path('settings?change=maker_checker_enabled&to=false'),
  },
  { name: 'policy-missing', path: (world) => world.path(`policies/${NOBODY}`), status: 404 },
];

/** An id that nothing has. */
export const NOBODY = '00000000-0000-4000-8000-000000000000';

/** The demo's policy of which one version decides and the next waits for a ratifier. */
export async function procurement(world: World): Promise<string> {
  const { items } = await world.govern.api('GET', '/v1/policies?q=PUBLIC-PROCUREMENT');
  return world.path(`policies/${items[0].id}`);
}

/** A group with one policy. */
async function group(world: World): Promise<string> {
  const { id } = await world.group();
  const policy = await world.draft();
  await world.govern.api('PATCH', `/v1/policies/${policy.id}`, { policy_group_id: id });
  return world.path(`groups/${id}`);
}

async function ofMember(world: World, act: string): Promise<string> {
  const { items } = await world.govern.api('GET', '/v1/admin/members');
  return world.path(`members/${items[0].user_id}/${act}`);
}

async function decision(world: World, verdict: string): Promise<string> {
  const [found] = await world.decisions(`&decision=${verdict}`);
  return world.path(`decisions/${found.id}`);
}

/** One of the demo's alerts. */
async function alert(world: World): Promise<string> {
  const { items } = await world.govern.api('GET', '/v1/alerts?limit=1');
  return world.path(`alerts/${items[0].id}`);
}

/** Acknowledging all alerts, one at the least. */
async function acknowledge(world: World): Promise<string> {
  await world.record(`to be acknowledged ${randomUUID()}`);
  return world.path('alerts/acknowledge?all=1');
}

/** A chain of three steps and a gap, by its id and that of its second decision. */
async function chain(world: World): Promise<[string, string]> {
  const id = randomUUID();
  const steps = [];
  for (const chain_step of [1, 4, 5]) {
    steps.push(await world.record(`${id} ${chain_step}`, { chain_id: id, chain_step }));
  }
  return [id, steps[1].decision.id];
}

async function sealed(world: World): Promise<string> {
  const [id] = await chain(world);
  await world.govern.api('POST', `/v1/chains/${id}/seal`, {});
  return world.path(`chains/${id}`);
}

/** The bundle of a decision on rules that come from clauses. */
async function codified(world: World): Promise<string> {
  const [found] = await world.decisions('&decision=DENY&decision_type=ai_tool_call');
  return world.path(`decisions/${found.id}/bundle`);
}

async function tried(world: World): Promise<string> {
  const [found] = await world.decisions('&decision=DENY');
  return world.path(`try?from=${found.id}`);
}

/** Keys in each state, with the longest scopes that stand in their rows. */
async function keys(world: World): Promise<string> {
  const make = async (scopes: string[], expires_at?: string) => {
    const name = `Nightly import ${randomUUID().slice(0, 8)}`;
    return (await world.govern.api('POST', '/v1/api-keys', { name, scopes, expires_at })).key.id;
  };
  await make(['decisions:evaluate', 'policies:write'], '2031-12-31T23:59:59.000Z');
  await world.govern.api('DELETE', `/v1/api-keys/${await make(['decisions:evaluate'])}`);
  await world.grant(await world.draft(), 'drafting assistant');
  return world.path('keys');
}

async function revoke(world: World): Promise<string> {
  const { items } = await world.govern.api('GET', '/v1/api-keys');
  return world.path(`keys/${items[0].id}/revoke`);
}

/** The review of a version that somebody else has sent, by its page. */
async function judged(world: World): Promise<string> {
  const policy = await world.draft();
  for (const act of ['seal', 'submit']) {
    await world.govern.apiAs(world.ratifier, 'POST', `/v1/policies/${policy.id}/versions/1/${act}`, {});
  }
  return `${policy.version}/review`;
}

/** A grant that could be carried, by its page. */
async function grant(world: World): Promise<string> {
  const policy = await world.draft();
  const { capability } = await world.grant(policy, 'drafting assistant');
  await world.anew(policy);
  return world.path(`capabilities/${capability.id}`);
}

/** The list, with a grant that could be carried and one that could not. */
async function grants(world: World): Promise<string> {
  await grant(world);
  await world.grant(await world.draft(), 'translating assistant');
  return world.path('capabilities');
}

async function receipt(world: World): Promise<string> {
  const [found] = await world.decisions('&decision=DENY');
  return `/r/${found.id}`;
}

/** The demo's form, for the public. */
async function hosted(world: World): Promise<string> {
  const { items } = await world.govern.api('GET', '/v1/forms');
  return `/f/${items.at(-1).id}`;
}

/** The same in the console. */
async function demoForm(world: World): Promise<string> {
  const { items } = await world.govern.api('GET', '/v1/forms');
  return world.path(`forms/${items.at(-1).id}/edit`);
}

/** The list, with no webhook in it. */
async function noWebhooks(world: World): Promise<string> {
  const { items } = await world.govern.api('GET', '/v1/alerts/subscriptions');
  for (const { id } of items) await world.govern.api('DELETE', `/v1/alerts/subscriptions/${id}`);
  return world.path('webhooks');
}

/** A webhook that leads to nobody, by its id. */
async function webhook(world: World): Promise<string> {
  const { subscription } = await world.govern.api('POST', '/v1/alerts/subscriptions', {
    url: 'http://127.0.0.1:9/hooks/a-rather-long-address-that-must-break-somewhere-when-the-page-is-narrow',
    severity_min: 'high',
    decision_types: ['asked_of_nobody', 'asked_of_nobody_else'],
  });
  return subscription.id;
}

/** A test that was given up, by the id of its delivery. */
async function delivery(world: World): Promise<string> {
  const { id } = await world.govern.api('POST', `/v1/alerts/subscriptions/${await webhook(world)}/test`, {});
  await expect
    .poll(async () => (await world.govern.api('GET', `/v1/alerts/deliveries/${id}`)).status)
    .toBe('dead');
  return id;
}

/** The receipt of a submission. */
async function submission(world: World): Promise<string> {
  const policy_id = (await procurement(world)).split('/').at(-1);
  const fields = [{ name: 'supplier.name', label: 'Supplier', type: 'text' }];
  const draft = { policy_id, title: 'Short form', is_published: true, fields };
  const { id } = await world.govern.api('POST', '/v1/forms', draft);
  const values = { 'supplier.name': 'Harrow & Byrne Ltd' };
  const { decision_id } = await world.govern.api('POST', `/v1/forms/${id}/submit`, { values });
  return `/f/${id}/receipts/${decision_id}`;
}
