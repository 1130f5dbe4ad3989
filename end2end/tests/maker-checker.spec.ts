import { expect, test } from '../support/fixtures.js';

test('the author of a version sees why they cannot ratify it', async ({ page, env }) => {
  const policy = await env.submittedPolicy(); // the API key acts for the admin
  await env.signIn(page, env.server.admin);

  await page.goto(policy.versionPath);
  const reason = 'You helped create this version. Another person must ratify it.';
  const ratify = page.getByRole('button', { name: 'Ratify v1' });
  await expect(ratify).toHaveAttribute('aria-disabled', 'true');
  await expect(ratify).toHaveAccessibleDescription(reason);
  await expect(page.getByRole('link', { name: 'Ratify v1' })).toHaveCount(0);

  await page.goto(`${policy.versionPath}/ratify`);
  await expect(page.getByText(reason)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign and ratify v1' })).toHaveCount(0);
});

test('the API rejects ratification by the author of a version', async ({ page, env }) => {
  const policy = await env.submittedPolicy();
  await env.signIn(page, env.server.admin);
  const response = await page.request.post(`/v1/policies/${policy.id}/versions/1/ratify`, {
    headers: { 'x-service-tenant-id': env.server.tenantId },
    data: { expected_revision: 1 },
  });
  expect(response.status()).toBe(403);
  expect((await response.json()).error.code).toBe('MAKER_CHECKER_VIOLATION');
});

test('an API key cannot ratify', async ({ env }) => {
  const policy = await env.submittedPolicy();
  const ratify = env.server.api('POST', `/v1/policies/${policy.id}/versions/1/ratify`, {
    expected_revision: 1,
  });
  await expect(ratify).rejects.toThrow(/403 .*HUMAN_REQUIRED/);
});
