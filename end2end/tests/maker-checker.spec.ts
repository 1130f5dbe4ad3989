import { expect, test } from '../support/world.js';

test('whoever made a version is told why they cannot ratify it', async ({ page, world }) => {
  const policy = await world.submitted(); // by the key, which acts for the admin
  await world.signIn(page, world.govern.admin);

  await page.goto(policy.version);
  const reason = 'You had a part in making this version. Someone else must ratify it.';
  const ratify = page.getByRole('button', { name: 'Ratify v1' });
  await expect(ratify).toHaveAttribute('aria-disabled', 'true');
  await expect(ratify).toHaveAccessibleDescription(reason);
  await expect(page.getByRole('link', { name: 'Ratify v1' })).toHaveCount(0);

  await page.goto(`${policy.version}/ratify`);
  await expect(page.getByText(reason)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign and ratify v1' })).toHaveCount(0);
});

test('the service refuses the maker however the act arrives', async ({ page, world }) => {
  const policy = await world.submitted();
  await world.signIn(page, world.govern.admin);
  const answer = await page.request.post(`/v1/policies/${policy.id}/versions/1/ratify`, {
    headers: { 'x-service-tenant-id': world.govern.tenant },
    data: { expected_revision: 1 },
  });
  expect(answer.status()).toBe(403);
  expect((await answer.json()).error.code).toBe('MAKER_CHECKER_VIOLATION');
});

test('a key cannot ratify', async ({ world }) => {
  const policy = await world.submitted();
  const ratify = world.govern.api('POST', `/v1/policies/${policy.id}/versions/1/ratify`, {
    expected_revision: 1,
  });
  await expect(ratify).rejects.toThrow(/403 .*HUMAN_REQUIRED/);
});
