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
