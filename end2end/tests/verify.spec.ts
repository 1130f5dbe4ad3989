import type { Page } from '@playwright/test';
import {
  RECEIPT_KID,
  TRUST_DOCUMENT,
  alteredBundle,
  chooseBundle,
  chooseTrustDocument,
  commandReport,
  downloadReport,
  exampleBundle,
  readVector,
  retiredAndFrozenExamples,
  toJsonBundle,
  unpack,
  verifyBundle,
  waitForVerifier,
} from '../support/bundle.js';
import { expect, test } from '../support/fixtures.js';
import type { Json } from '../support/govern.js';
import { UNKNOWN_ID } from '../support/pages.js';

const DECISION = exampleBundle('decision_bundle');

/** Opens the page, waits until it and the verifier are loaded, and returns a list of its later requests. */
async function openVerify(page: Page, query = ''): Promise<string[]> {
  await page.goto(`/verify${query}`);
  await waitForVerifier(page);
  await page.waitForLoadState('networkidle');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  return requests;
}

test('a bundle is verified offline with the same report as the command', async ({ page, context }, info) => {
  const requests = await openVerify(page);
  await context.setOffline(true);
  await chooseTrustDocument(page);
  for (const name of ['decision_bundle', 'chain_bundle'] as const) {
    const bundle = exampleBundle(name);
    for (const form of [bundle, toJsonBundle(unpack(bundle))]) {
      const result = await verifyBundle(page, form, `${name}-${form.length}`);
      await expect(result).toHaveAttribute('data-overall', 'verified');
      await expect(result.getByRole('listitem').filter({ hasText: 'Could not check' })).toHaveCount(0);
      expect(await downloadReport(page)).toBe(commandReport(info, form, TRUST_DOCUMENT));
    }
  }
  expect(requests).toEqual([]);
});

test('each known alteration has its expected result and the same report as the command', async ({ page }, info) => {
  const { cases } = readVector('service_bundle_negatives.json');
  expect(cases).toHaveLength(37);
  const requests = await openVerify(page);
  for (const pinned of ['default', 'none']) {
    if (pinned === 'default') await chooseTrustDocument(page);
    else await page.getByRole('button', { name: 'Remove' }).click();
    const selected = cases.filter(({ trust }: Json) => trust === pinned);
    for (const [index, { name, set, expect: expected }] of selected.entries()) {
      await test.step(name, async () => {
        const bundle = alteredBundle(set);
        const result = await verifyBundle(page, bundle, `${pinned}-${index}.tar`);
        await expect(result).toHaveAttribute('data-overall', expected.overall);
        const claim = result.locator(`[data-claim=${expected.claim}]`);
        const labels: Json = { verified: 'Verified', failed: 'Failed', indeterminate: 'Could not check' };
        await expect(claim).toContainText(labels[expected.status]);
        if (expected.code) await expect(claim).toContainText(expected.code);
        const trust = pinned === 'default' ? TRUST_DOCUMENT : undefined;
        expect(await downloadReport(page)).toBe(commandReport(info, bundle, trust));
      });
    }
  }
  expect(requests).toEqual([]);
});

test('retired keys and frozen logs have the same report as in the command', async ({ page }, info) => {
  await openVerify(page);
  for (const { name, bundle, trust_document, exit_code } of retiredAndFrozenExamples()) {
    const [bytes, document] = [Buffer.from(bundle), Buffer.from(trust_document)];
    await chooseTrustDocument(page, document);
    const result = await verifyBundle(page, bytes, `${name}.json`);
    await expect(result).toHaveAttribute('data-overall', exit_code === 1 ? 'failed' : 'incomplete');
    expect(await downloadReport(page)).toBe(commandReport(info, bytes, document));
  }
});

test('the result states the verdict, the policy and the time of the decision', { tag: '@firefox' }, async ({ page, env }) => {
  const [denied] = await env.listDecisions('&decision=DENY');
  await page.goto(`/verify?id=${denied.id}`);
  const stated = page.getByRole('region', { name: 'Result' }).locator('[data-stated]');
  await expect(stated).toContainText('DENY');
  await expect(stated).toContainText(/ v\d+/);
  await expect(stated.locator('time')).toBeVisible();
  await expect(stated).toContainText('Stated in the bundle, not verified');
  await page.getByRole('button', { name: "Use this service's keys" }).click();
  await expect(stated).not.toContainText('not verified');
});

test('the page shows all ten claims in the order of the report', async ({ page }) => {
  await openVerify(page);
  const result = await verifyBundle(page, DECISION);
  const names = await result.locator('[data-claim]').evaluateAll((claims) =>
    claims.map((claim) => claim.getAttribute('data-claim')),
  );
  const claims = JSON.parse(await downloadReport(page)).claims;
  expect(names).toEqual(claims.map(({ name }: Json) => name));
  expect(names).toHaveLength(10);
});

test('a failed bundle names the failed claims, and its file can be replaced', async ({ page }) => {
  await openVerify(page);
  await chooseTrustDocument(page);
  const result = await verifyBundle(page, DECISION.subarray(0, 3 * 512), 'truncated.tar');
  await expect(page.getByRole('heading', { name: 'Result: Failed' })).toBeVisible();
  await result.getByRole('link', { name: 'Manifest' }).click();
  await expect(page).toHaveURL(/#claim-manifest$/);
  await expect(result.locator('#claim-manifest')).toContainText('Failed');
  await expect(page.getByRole('region', { name: 'Bundle' })).toContainText('truncated.tar, 1,536 bytes');
  await verifyBundle(page, DECISION, 'whole.tar');
  await expect(page.getByRole('heading', { name: 'Result: Verified' })).toBeVisible();
});

test('without a pinned key the result is incomplete and shows the reason', async ({ page }, info) => {
  await openVerify(page);
  const result = await verifyBundle(page, DECISION);
  await expect(result).toHaveAttribute('data-overall', 'incomplete');
  await expect(result.getByText(/^No key is pinned, so/)).toBeVisible();
  await expect(result.locator('[data-claim=receipt]')).toContainText('Could not check');
  expect(await downloadReport(page)).toBe(commandReport(info, DECISION));
});

test('fingerprints have the same effect as in the command, and an invalid one is named', async ({ page }, info) => {
  await openVerify(page);
  let result = await verifyBundle(page, DECISION);
  const pins = page.getByLabel('Fingerprints');
  await pins.fill(`${RECEIPT_KID}\n`);
  await expect(result.locator('[data-claim=manifest]')).toContainText('Verified');
  await expect(result).toHaveAttribute('data-overall', 'incomplete');
  await expect(result.getByText(/^No key is pinned, so/)).toHaveCount(0);
  await expect(pins).toBeFocused();
  expect(await downloadReport(page)).toBe(commandReport(info, DECISION, undefined, '--pin', RECEIPT_KID));
  await pins.fill('not-a-fingerprint');
  await expect(page.getByRole('alert')).toContainText('not-a-fingerprint is not a fingerprint');
  await expect(result).toHaveCount(0);
  await pins.fill('');
  result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^No key is pinned, so/)).toBeVisible();
});

test('an unusable trust document shows an error and no result', async ({ page }) => {
  await openVerify(page);
  const { trust_registry } = readVector('service_profile_oracle.json');
  const registry = Buffer.from(JSON.stringify(trust_registry.v2.envelope));
  await verifyBundle(page, DECISION);
  for (const [document, error] of [
    [Buffer.from('{}'), 'neither a trust document nor a trust registry'],
    [registry, 'A registry is trusted only with the fingerprint of a root'],
  ] as const) {
    await chooseTrustDocument(page, document);
    await expect(page.getByRole('alert')).toContainText(error);
    await expect(page.locator('[data-overall]')).toHaveCount(0);
  }
  const roots = readVector('service_profile_oracle.json').test_keys;
  const lines = [roots.root_a, roots.root_b].map(({ jwk }: Json) => `registry_root=${jwk.kid}`);
  await page.getByLabel('Fingerprints').fill(lines.join('\n'));
  await expect(page.locator('[data-overall]')).toHaveAttribute('data-overall', 'verified');
});

test('a file that is not a bundle shows an error and no result', async ({ page }) => {
  await openVerify(page);
  await chooseTrustDocument(page);
  const files = { empty: '', text: 'nothing of the kind', zip: 'PK\x03\x04', zeros: '\0'.repeat(512) };
  for (const [name, text] of Object.entries(files)) {
    await chooseBundle(page, Buffer.from(text, 'latin1'), name);
    await expect(page.getByRole('alert')).toContainText(`${name} is not a bundle`);
    await expect(page.locator('[data-overall]')).toHaveCount(0);
  }
});

test('a malformed bundle fails with the same report as the command', async ({ page }, info) => {
  await openVerify(page);
  await chooseTrustDocument(page);
  const files = {
    brace: Buffer.from('{'),
    truncated: DECISION.subarray(0, 3 * 512),
    longer: Buffer.concat([DECISION, Buffer.alloc(512)]),
    traversal: alteredBundle({ '../receipt/receipt.json': '{}' }),
    script: alteredBundle({ 'receipt/<img src=x onerror=alert(1)>.json': '{}' }),
  };
  for (const [name, bundle] of Object.entries(files)) {
    const result = await verifyBundle(page, bundle, name);
    await expect(result).toHaveAttribute('data-overall', 'failed');
    await expect(result.locator('[data-claim=manifest]')).toContainText('Failed');
    expect(await downloadReport(page)).toBe(commandReport(info, bundle, TRUST_DOCUMENT));
  }
});

test('a file over 20 MiB shows an error and no result', async ({ page }) => {
  await openVerify(page);
  await chooseBundle(page, Buffer.alloc(21 << 20, '{'), 'long.tar');
  await expect(page.getByRole('alert')).toContainText('long.tar is over 20 MiB');
  await expect(page.locator('[data-overall]')).toHaveCount(0);
});

test('a verification over 10 seconds is stopped, and the next bundle is verified', async ({ page }) => {
  const hangingWorker = "postMessage({ status: 'ready' }); onmessage = () => postMessage({ status: 'started' });";
  const script = '**/pkg/verifier_worker.js';
  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: hangingWorker }));
  await page.clock.install();
  await openVerify(page);
  // Resolves when the page starts its timeout of 10 seconds.
  const timeoutStarted = page.evaluate(
    () =>
      new Promise<void>((done) => {
        const setTimeout = window.setTimeout.bind(window);
        window.setTimeout = ((act: () => void, ms?: number) => {
          if (ms === 10_000) done();
          return setTimeout(act, ms);
        }) as typeof window.setTimeout;
      }),
  );
  await chooseBundle(page, DECISION, 'decision.tar');
  await expect(page.getByRole('status').filter({ hasText: 'Checking.' })).toBeVisible();
  await timeoutStarted;
  await page.unroute(script);
  await page.clock.runFor(10_000);
  await expect(page.getByRole('alert')).toContainText('took more than 10 seconds');
  await expect(page.locator('[data-verifier=ready]')).toBeVisible();
  await expect(await verifyBundle(page, DECISION, 'next.tar')).toHaveAttribute('data-overall', 'incomplete');
});

test('a verifier that cannot be fetched shows an error', async ({ page }) => {
  await page.route('**/pkg/verifier_bg.wasm', (route) => route.abort());
  await page.goto('/verify');
  await chooseBundle(page, DECISION, 'decision.tar');
  await expect(page.getByRole('alert')).toContainText('The verifier could not be loaded.');
});

test('a bundle is chosen with the keyboard, and its result receives the focus', async ({ page }) => {
  // Playwright subscribes to the event in the background, which must be complete before the key is pressed.
  const chooser = page.waitForEvent('filechooser');
  await openVerify(page);
  const input = page.getByLabel('Choose a bundle');
  const names: (string | null)[] = [];
  for (let step = 0; step < 6 && !names.includes('bundle'); step += 1) {
    await page.keyboard.press('Tab');
    names.push(await page.evaluate(() => document.activeElement?.id ?? null));
  }
  await expect(input).toBeFocused();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'decision.tar', mimeType: '', buffer: DECISION });
  await expect(page.getByRole('heading', { name: 'Result' })).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: /^Incomplete\. \d of 10 verified/ })).toHaveCount(1);
});

test('a bundle is dropped anywhere on the page', async ({ page }) => {
  await openVerify(page);
  const dataTransfer = await page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.tar'));
    return transfer;
  }, [...DECISION]);
  const heading = page.getByRole('heading', { level: 1 });
  await heading.dispatchEvent('dragover', { dataTransfer });
  await heading.dispatchEvent('drop', { dataTransfer });
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('dropped.tar');
});

test('the bundle of a link is fetched, and a missing one shows an error', async ({ page }, info) => {
  // The network is never idle, because the page does not read the body of the missing bundle.
  await page.goto(`/verify?id=${UNKNOWN_ID}`);
  await waitForVerifier(page);
  await expect(page.getByLabel('Or a decision ID')).toHaveValue(UNKNOWN_ID);
  await expect(page.getByRole('alert')).toContainText(`No bundle of ${UNKNOWN_ID} was found.`);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));

  await page.getByLabel('Or a decision ID').fill('no-id');
  await page.getByRole('button', { name: 'Fetch bundle' }).click();
  await expect(page.getByRole('alert')).toContainText('no-id is not a valid decision ID.');
  expect(requests).toEqual([]);

  const id = 'd1000000-0000-4000-8000-000000000003';
  await page.route(`**/v1/receipts/${id}/bundle`, (route) =>
    route.fulfill({ contentType: 'application/x-tar', body: DECISION }),
  );
  await page.getByLabel('Or a decision ID').fill(id);
  await page.getByRole('button', { name: 'Fetch bundle' }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(`${id}.tar`);
  expect(await downloadReport(page)).toBe(commandReport(info, DECISION));

  await page.context().setOffline(true);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Fetch by ID' }).click();
  await page.getByRole('button', { name: 'Fetch bundle' }).click();
  await expect(page.getByRole('alert')).toContainText('The service cannot be reached.');
});

test('keys published by the service are marked as not checked independently', async ({ page, env }, info) => {
  const [decision] = await env.listDecisions();
  await openVerify(page, `?id=${decision.id}`);
  await page.getByRole('button', { name: 'Fetch by ID' }).click();
  await page.getByRole('button', { name: 'Fetch bundle' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^No key is pinned, so/)).toBeVisible();
  await page.getByRole('button', { name: "Use this service's keys" }).click();
  await expect(result.getByText('Keys not checked independently.')).toBeVisible();
  await expect(result.locator('[data-claim=receipt]')).toContainText('Verified');

  const fetchBytes = async (path: string) => (await page.request.get(path)).body();
  const registry = await fetchBytes('/v1/.well-known/trust-registry');
  const payload = JSON.parse(Buffer.from(JSON.parse(registry.toString()).payload, 'base64').toString());
  const roots = payload.root.keys.flatMap((kid: string) => ['--root-key', kid]);
  const bundle = await fetchBytes(`/v1/receipts/${decision.id}/bundle`);
  expect(await downloadReport(page)).toBe(commandReport(info, bundle, registry, ...roots));

  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(result.getByText('Keys not checked independently.')).toHaveCount(0);
});

test('fingerprints are stored on the device only on request', async ({ page }) => {
  const pins = page.getByLabel('Fingerprints');
  const remember = page.getByLabel('Remember on this device');
  await openVerify(page);
  await pins.fill(RECEIPT_KID);
  await openVerify(page);
  await expect(pins).toHaveValue('');
  await remember.check();
  await pins.fill(RECEIPT_KID);
  await openVerify(page);
  await expect(pins).toHaveValue(RECEIPT_KID);
  await expect((await verifyBundle(page, DECISION)).locator('[data-claim=manifest]')).toContainText('Verified');
  await remember.uncheck();
  await openVerify(page);
  await expect(pins).toHaveValue('');
});

test('the verifier worker has its own content security policy', async ({ page }) => {
  const script = await page.request.get('/pkg/verifier_worker.js');
  expect(script.headers()['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
  );
});

test('the complete report is copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openVerify(page);
  await verifyBundle(page, DECISION);
  await page.getByRole('button', { name: 'Copy report' }).click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await downloadReport(page));
});

test('the result prints black on white, without inputs and buttons', async ({ page }) => {
  await openVerify(page);
  await chooseTrustDocument(page);
  const result = await verifyBundle(page, DECISION);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(result.getByText('9 of 10 verified').or(result.getByText('10 of 10 verified')).first()).toBeVisible();
  await expect(page.getByLabel('Choose another')).toBeHidden();
  await expect(page.getByLabel('Fingerprints')).toBeHidden();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  const textColors = await result.evaluate((result) =>
    [result, ...result.querySelectorAll('.status, .verdict, .severity, dd, li, h2')].map((element) => getComputedStyle(element).color),
  );
  expect(new Set(textColors)).toEqual(new Set(['rgb(0, 0, 0)']));
});

test('a receipt, a decision and the help page link to the verification page', async ({ page, env }) => {
  const [decision] = await env.listDecisions();
  await env.useSharedAdminSession(page);
  for (const path of [`/r/${decision.id}`, `/t/${env.server.tenantId}/decisions/${decision.id}`]) {
    await page.goto(path);
    await page.getByRole('link', { name: 'Verify it yourself' }).click();
    await expect(page).toHaveURL(`/verify?id=${decision.id}`);
    await expect(page.getByLabel('Or a decision ID')).toHaveValue(decision.id);
  }
  await page.goto('/help');
  await page.getByRole('link', { name: 'Verify a decision' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify a decision');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the page explains the verification and shows the command', async ({ page }) => {
    const response = await page.goto(`/verify?id=${UNKNOWN_ID}`);
    expect(response?.status()).toBe(200);
    await expect(page.getByText('Your file is not sent anywhere')).toBeVisible();
    await expect(page.getByText('govern-verify --trust trust.json decision.tar')).toBeVisible();
    await expect(page.getByText('Transparency proof')).toBeVisible();
    await expect(page.getByLabel('Choose a bundle')).toBeHidden();
    const link = page.getByRole('link', { name: 'Download the bundle of this decision' });
    await expect(link).toHaveAttribute('href', `/v1/receipts/${UNKNOWN_ID}/bundle`);
    await expect(page.getByText('This service has no bundle for this ID.')).toBeVisible();
  });

  test('the page shows the result of the service, marked as not checked by the user', async ({ page, env }) => {
    const [decision] = await env.listDecisions('');
    await page.request.get(`/v1/receipts/${decision.id}?wait_for=anchor`);
    await page.goto(`/verify?id=${decision.id}`);
    const serviceResult = page.getByRole('region', { name: 'Checked by this service, not by you' });
    await expect(serviceResult).toHaveAttribute('data-overall', 'verified');
    await expect(serviceResult.getByRole('listitem').filter({ hasText: 'Policy snapshot' })).toContainText('Verified');
    await expect(page.getByText('govern-verify --trust trust.json decision.tar')).toBeVisible();
    await page.goto('/verify?id=no-id');
    await expect(serviceResult).toBeHidden();
    await expect(page.getByText('This service has no bundle')).toBeHidden();
  });
});
