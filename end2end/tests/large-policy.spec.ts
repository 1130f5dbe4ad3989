// Pages of a version with 1,000 rules stay small.

import type { Json } from '../support/govern.js';
import { expect, test } from '../support/fixtures.js';

const HTML_BYTES_MAX = 60_000; // compressed

const RULES: Json[] = Array.from({ length: 1_000 }, (_, n) => ({
  code: `LIMIT-${n}`,
  name: `Amount ${n} has a limit`,
  rule_type: 'threshold',
  condition: { field: `amount_${n}`, max: 500 + n },
  severity: 'high',
}));

test('pages of a version with 1,000 rules meet the size limit', async ({ page, env }) => {
  await env.signIn(page, env.server.admin);
  const policy = await env.draftPolicy();
  const version = `/v1/policies/${policy.id}/versions/1`;
  const path = policy.versionPath;
  await env.server.api('PATCH', version, { expected_revision: 1, rules: RULES });
  const htmlBytes = async (address: string) => {
    const response = await page.goto(address);
    expect(response?.status()).toBe(200);
    return (await response?.request().sizes())?.responseBodySize;
  };
  expect.soft(await htmlBytes(`${path}/edit`), 'editor').toBeLessThanOrEqual(HTML_BYTES_MAX);
  expect.soft(await htmlBytes(path), 'version').toBeLessThanOrEqual(HTML_BYTES_MAX);
  await env.server.api('POST', `${version}/seal`, {});
  expect.soft(await htmlBytes(`${path}/review`), 'review').toBeLessThanOrEqual(HTML_BYTES_MAX);
});
