import type { Page } from '@playwright/test';
import { KID, TRUST, altered, archive, awake, check, give, json, native, read, report, trust, vector } from '../support/bundle.js';
import type { Json } from '../support/govern.js';
import { NOBODY } from '../support/pages.js';
import { expect, test } from '../support/world.js';

const DECISION = archive('decision_bundle');

/** Opens the page and waits until all of it is here, the verifier too. */
async function open(page: Page, query = ''): Promise<string[]> {
  await page.goto(`/verify${query}`);
  await awake(page);
  await page.waitForLoadState('networkidle');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  return requests;
}

test('a bundle is verified without a network, and its report is that of the command', async ({ page, context }, info) => {
  const requests = await open(page);
  await context.setOffline(true);
  await trust(page);
  for (const name of ['decision_bundle', 'chain_bundle'] as const) {
    const bundle = archive(name);
    for (const form of [bundle, json(read(bundle))]) {
      const result = await check(page, form, `${name}-${form.length}`);
      await expect(result).toHaveAttribute('data-overall', 'verified');
      await expect(result.getByRole('listitem').filter({ hasText: 'Could not check' })).toHaveCount(0);
      expect(await report(page)).toBe(native(info, form, TRUST));
    }
  }
  expect(requests).toEqual([]);
});

test('each known alteration gives its code, and the same report as the command', async ({ page }, info) => {
  const { cases } = vector('service_bundle_negatives.json');
  expect(cases).toHaveLength(37);
  const requests = await open(page);
  for (const pinned of ['default', 'none']) {
    if (pinned === 'default') await trust(page);
    else await page.getByRole('button', { name: 'Forget' }).click();
    const chosen = cases.filter(({ trust }: Json) => trust === pinned);
    for (const [at, { name, set, expect: known }] of chosen.entries()) {
      await test.step(name, async () => {
        const bundle = altered(set);
        const result = await check(page, bundle, `${pinned}-${at}.tar`);
        await expect(result).toHaveAttribute('data-overall', known.overall);
        const claim = result.locator(`[data-claim=${known.claim}]`);
        const words: Json = { verified: 'Verified', failed: 'Failed', indeterminate: 'Could not check' };
        await expect(claim).toContainText(words[known.status]);
        if (known.code) await expect(claim).toContainText(known.code);
        expect(await report(page)).toBe(native(info, bundle, pinned === 'default' ? TRUST : undefined));
      });
    }
  }
  expect(requests).toEqual([]);
});

test('the ten claims stand in the order of the report, and none is passed over', async ({ page }) => {
  await open(page);
  const result = await check(page, DECISION);
  const names = await result.locator('[data-claim]').evaluateAll((claims) =>
    claims.map((claim) => claim.getAttribute('data-claim')),
  );
  const known = JSON.parse(await report(page)).claims;
  expect(names).toEqual(known.map(({ name }: Json) => name));
  expect(names).toHaveLength(10);
});

test('without a key the result is incomplete, and says why', async ({ page }, info) => {
  await open(page);
  const result = await check(page, DECISION);
  await expect(result).toHaveAttribute('data-overall', 'incomplete');
  await expect(result.getByText(/^You pinned no key/)).toBeVisible();
  await expect(result.locator('[data-claim=receipt]')).toContainText('Could not check');
  expect(await report(page)).toBe(native(info, DECISION));
});

test('fingerprints count as they do for the command, and a wrong one is named', async ({ page }, info) => {
  await open(page);
  let result = await check(page, DECISION);
  const pins = page.getByLabel('Fingerprints');
  await pins.fill(`${KID}\n`);
  await expect(result.locator('[data-claim=manifest]')).toContainText('Verified');
  await expect(result).toHaveAttribute('data-overall', 'incomplete');
  await expect(result.getByText(/^You pinned no key/)).toHaveCount(0);
  await expect(pins).toBeFocused();
  expect(await report(page)).toBe(native(info, DECISION, undefined, '--pin', KID));
  await pins.fill('not-a-fingerprint');
  await expect(page.getByRole('alert')).toContainText('not-a-fingerprint is no fingerprint');
  await expect(result).toHaveCount(0);
  await pins.fill('');
  result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^You pinned no key/)).toBeVisible();
});

test('what is trusted is refused in words, and nothing is judged with it', async ({ page }) => {
  await open(page);
  const { trust_registry } = vector('service_profile_oracle.json');
  const registry = Buffer.from(JSON.stringify(trust_registry.v2.envelope));
  await check(page, DECISION);
  for (const [document, why] of [
    [Buffer.from('{}'), 'neither a trust document nor a trust registry'],
    [registry, 'A registry counts only with the fingerprint of a root'],
  ] as const) {
    await trust(page, document);
    await expect(page.getByRole('alert')).toContainText(why);
    await expect(page.locator('[data-overall]')).toHaveCount(0);
  }
  const roots = vector('service_profile_oracle.json').test_keys;
  const lines = [roots.root_a, roots.root_b].map(({ jwk }: Json) => `registry_root=${jwk.kid}`);
  await page.getByLabel('Fingerprints').fill(lines.join('\n'));
  await expect(page.locator('[data-overall]')).toHaveAttribute('data-overall', 'verified');
});

test('what is no bundle is said to be none, and not judged', async ({ page }) => {
  await open(page);
  await trust(page);
  const files = { empty: '', text: 'nothing of the kind', zip: 'PK\x03\x04', zeros: '\0'.repeat(512) };
  for (const [name, text] of Object.entries(files)) {
    await give(page, Buffer.from(text, 'latin1'), name);
    await expect(page.getByRole('alert')).toContainText(`${name} is no bundle`);
    await expect(page.locator('[data-overall]')).toHaveCount(0);
  }
});

test('what only begins as a bundle fails as one', async ({ page }, info) => {
  await open(page);
  await trust(page);
  const files = {
    brace: Buffer.from('{'),
    cut: DECISION.subarray(0, 3 * 512),
    longer: Buffer.concat([DECISION, Buffer.alloc(512)]),
    above: altered({ '../receipt/receipt.json': '{}' }),
    script: altered({ 'receipt/<img src=x onerror=alert(1)>.json': '{}' }),
  };
  for (const [name, bundle] of Object.entries(files)) {
    const result = await check(page, bundle, name);
    await expect(result).toHaveAttribute('data-overall', 'failed');
    await expect(result.locator('[data-claim=manifest]')).toContainText('Failed');
    expect(await report(page)).toBe(native(info, bundle, TRUST));
  }
});

test('a file over 20 MiB is not read', async ({ page }) => {
  await open(page);
  await give(page, Buffer.alloc(21 << 20, '{'), 'long.tar');
  await expect(page.getByRole('alert')).toContainText('long.tar is over 20 MiB');
  await expect(page.locator('[data-overall]')).toHaveCount(0);
});

test('a check that takes too long is stopped, and the page goes on', async ({ page }) => {
  const stuck = "postMessage({ said: 'ready' }); onmessage = () => postMessage({ said: 'begun' });";
  const script = '**/pkg/verifier_worker.js';
  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: stuck }));
  await page.clock.install();
  await open(page);
  // The page hears that the check has begun, and begins to count.
  const begun = page.evaluate(
    () =>
      new Promise<void>((done) => {
        const wait = window.setTimeout.bind(window);
        window.setTimeout = ((act: () => void, ms?: number) => {
          if (ms === 10_000) done();
          return wait(act, ms);
        }) as typeof window.setTimeout;
      }),
  );
  await give(page, DECISION, 'decision.tar');
  await expect(page.getByRole('status').filter({ hasText: 'Checking.' })).toBeVisible();
  await begun;
  await page.unroute(script);
  await page.clock.runFor(10_000);
  await expect(page.getByRole('alert')).toContainText('took more than 10 seconds');
  await expect(page.locator('[data-verifier=ready]')).toBeVisible();
  await expect(await check(page, DECISION, 'again.tar')).toHaveAttribute('data-overall', 'incomplete');
});

test('a page without its verifier says so', async ({ page }) => {
  await page.route('**/pkg/verifier_bg.wasm', (route) => route.abort());
  await page.goto('/verify');
  await give(page, DECISION, 'decision.tar');
  await expect(page.getByRole('alert')).toContainText('The verifier could not be fetched.');
});

test('a bundle is chosen by keyboard, and its result takes the focus', async ({ page }) => {
  await open(page);
  const input = page.getByLabel('Choose a bundle');
  const names: (string | null)[] = [];
  for (let step = 0; step < 6 && !names.includes('bundle'); step += 1) {
    await page.keyboard.press('Tab');
    names.push(await page.evaluate(() => document.activeElement?.id ?? null));
  }
  await expect(input).toBeFocused();
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'decision.tar', mimeType: '', buffer: DECISION });
  await expect(page.getByRole('heading', { name: 'Result' })).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: /^Incomplete\. \d of 10 verified/ })).toHaveCount(1);
});

test('a bundle is dropped anywhere on the page', async ({ page }) => {
  await open(page);
  const dropped = await page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.tar'));
    return transfer;
  }, [...DECISION]);
  const heading = page.getByRole('heading', { level: 1 });
  await heading.dispatchEvent('dragover', { dataTransfer: dropped });
  await heading.dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('dropped.tar');
});

test('a bundle is fetched only when asked for, and a missing one is said kindly', async ({ page }, info) => {
  const requests = await open(page, `?id=${NOBODY}`);
  expect(requests).toEqual([]);
  await expect(page.getByLabel('Or a decision id')).toHaveValue(NOBODY);
  await page.getByRole('button', { name: 'Fetch its bundle' }).click();
  await expect(page.getByRole('alert')).toContainText(`There is no bundle of ${NOBODY} here.`);
  expect(requests.map((url) => new URL(url).pathname)).toEqual([`/v1/receipts/${NOBODY}/bundle`]);

  await page.getByLabel('Or a decision id').fill('no-id');
  await page.getByRole('button', { name: 'Fetch its bundle' }).click();
  await expect(page.getByRole('alert')).toContainText('no-id is no decision id.');
  expect(requests).toHaveLength(1);

  const id = 'd1000000-0000-4000-8000-000000000003';
  await page.route(`**/v1/receipts/${id}/bundle`, (route) =>
    route.fulfill({ contentType: 'application/x-tar', body: DECISION }),
  );
  await page.getByLabel('Or a decision id').fill(id);
  await page.getByRole('button', { name: 'Fetch its bundle' }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(`${id}.tar`);
  expect(await report(page)).toBe(native(info, DECISION));

  await page.context().setOffline(true);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Fetch its bundle' }).click();
  await expect(page.getByRole('alert')).toContainText('The service cannot be reached.');
});

test('the keys of the service show that it agrees with itself, and no more', async ({ page, world }, info) => {
  const [decision] = await world.decisions();
  await open(page, `?id=${decision.id}`);
  await page.getByRole('button', { name: 'Fetch its bundle' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^You pinned no key/)).toBeVisible();
  await page.getByRole('button', { name: 'Use the keys that this service publishes' }).click();
  await expect(result.getByText('Keys not checked independently.')).toBeVisible();
  await expect(result.locator('[data-claim=receipt]')).toContainText('Verified');

  const fetched = async (path: string) => (await page.request.get(path)).body();
  const registry = await fetched('/v1/.well-known/trust-registry');
  const payload = JSON.parse(Buffer.from(JSON.parse(registry.toString()).payload, 'base64').toString());
  const roots = payload.root.keys.flatMap((kid: string) => ['--root-key', kid]);
  const bundle = await fetched(`/v1/receipts/${decision.id}/bundle`);
  expect(await report(page)).toBe(native(info, bundle, registry, ...roots));

  await page.getByRole('button', { name: 'Forget' }).click();
  await expect(result.getByText('Keys not checked independently.')).toHaveCount(0);
});

test('fingerprints are kept on the device only when asked', async ({ page }) => {
  const pins = page.getByLabel('Fingerprints');
  const keep = page.getByLabel('Keep them on this device');
  await open(page);
  await pins.fill(KID);
  await open(page);
  await expect(pins).toHaveValue('');
  await keep.check();
  await pins.fill(KID);
  await open(page);
  await expect(pins).toHaveValue(KID);
  await expect((await check(page, DECISION)).locator('[data-claim=manifest]')).toContainText('Verified');
  await keep.uncheck();
  await open(page);
  await expect(pins).toHaveValue('');
});

test('the thread has a policy of its own', async ({ page }) => {
  const script = await page.request.get('/pkg/verifier_worker.js');
  expect(script.headers()['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
  );
});

test('the report is copied whole', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await check(page, DECISION);
  await page.getByRole('button', { name: 'Copy report' }).click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await report(page));
});

test('the result prints black on white, without what was asked', async ({ page }) => {
  await open(page);
  await trust(page);
  const result = await check(page, DECISION);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(result.getByText('9 of 10 verified').or(result.getByText('10 of 10 verified')).first()).toBeVisible();
  await expect(page.getByLabel('Choose a bundle')).toBeHidden();
  await expect(page.getByLabel('Fingerprints')).toBeHidden();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  const inks = await result.evaluate((result) =>
    [result, ...result.querySelectorAll('.badge, dd, li, h2')].map((part) => getComputedStyle(part).color),
  );
  expect(new Set(inks)).toEqual(new Set(['rgb(0, 0, 0)']));
});

test('a receipt and a decision lead to their own check', async ({ page, world }) => {
  const [decision] = await world.decisions();
  await world.seat(page);
  for (const path of [`/r/${decision.id}`, `/t/${world.govern.tenant}/decisions/${decision.id}`]) {
    await page.goto(path);
    await page.getByRole('link', { name: 'Check it yourself' }).click();
    await expect(page).toHaveURL(`/verify?id=${decision.id}`);
    await expect(page.getByLabel('Or a decision id')).toHaveValue(decision.id);
  }
  await page.goto('/help');
  await page.getByRole('link', { name: 'Verify a decision' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify a decision');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the page says what it would do, and how else to do it', async ({ page }) => {
    const answer = await page.goto(`/verify?id=${NOBODY}`);
    expect(answer?.status()).toBe(200);
    await expect(page.getByText('Your file is not sent anywhere')).toBeVisible();
    await expect(page.getByText('govern-verify --trust trust.json decision.tar')).toBeVisible();
    await expect(page.getByText('Transparency proof')).toBeVisible();
    await expect(page.getByLabel('Choose a bundle')).toBeHidden();
    const link = page.getByRole('link', { name: 'Download the bundle of this decision' });
    await expect(link).toHaveAttribute('href', `/v1/receipts/${NOBODY}/bundle`);
    await expect(page.getByText('This service gives no bundle for this id.')).toBeVisible();
  });

  test('the service tells what it finds itself, and that it is no more than its word', async ({ page, world }) => {
    const [decision] = await world.decisions('');
    await page.request.get(`/v1/receipts/${decision.id}?wait_for=anchor`);
    await page.goto(`/verify?id=${decision.id}`);
    const own = page.getByRole('region', { name: 'Checked by this service, not by you' });
    await expect(own).toHaveAttribute('data-overall', 'verified');
    await expect(own.getByRole('listitem').filter({ hasText: 'Policy snapshot' })).toContainText('Verified');
    await expect(page.getByText('govern-verify --trust trust.json decision.tar')).toBeVisible();
    await page.goto('/verify?id=no-id');
    await expect(own).toBeHidden();
    await expect(page.getByText('This service gives no bundle')).toBeHidden();
  });
});
