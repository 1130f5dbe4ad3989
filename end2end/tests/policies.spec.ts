import { procurementPath } from '../support/pages.js';
import { expect, test } from '../support/fixtures.js';

test.beforeEach(async ({ page, env }) => env.signIn(page, env.server.admin));

test('the list links to a policy, and the policy links to its active version', async ({ page, env }) => {
  await page.goto(env.path('policies'));
  await page.getByRole('link', { name: 'Public procurement: award and modification' }).click();
  await expect(page).toHaveURL(await procurementPath(env));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Public procurement/);
  await expect(page.getByText('PROC-PARTICULARS', { exact: true })).toBeVisible();

  await page.getByRole('heading', { name: /^Active version/ }).getByRole('link').click();
  await expect(page).toHaveURL(`${await procurementPath(env)}/versions/1`);
  await expect(page.getByText('Active version')).toBeVisible();
  await expect(page.getByText('PROC-PARTICULARS', { exact: true })).toBeVisible();
});

test('a row is a link over its whole width, and its other controls are above it', async ({ page, env }) => {
  // Returns the cells of the link's row in which the link does not cover the corner, which has no control.
  const uncovered = (link: Element) => {
    const boxes = [...link.closest('tr, .task')!.querySelectorAll('td, .task-end')].map((cell) => cell.getBoundingClientRect());
    const isCovered = ({ right, top }: DOMRect) => document.elementFromPoint(right - 2, top + 2) === link;
    return boxes.filter((box) => box.width > 0 && !isCovered(box));
  };
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const list of ['policies', 'decisions', 'alerts', 'forms', 'inbox']) {
      await page.goto(env.path(list));
      const link = page.locator('tbody tr:not(.group) > th > a, .task h2 > a').first();
      await link.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      expect(await link.evaluate(uncovered), `${list}, ${width}`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(env.path('policies'));
  const row = page.getByRole('row', { name: /^Public procurement/ });
  await row.scrollIntoViewIfNeeded(); // the list is long if other tests have created policies
  const mode = (await row.getByText('Enforcing').boundingBox())!;
  await page.mouse.click(mode.x + mode.width / 2, mode.y + mode.height / 2);
  await expect(page).toHaveURL(await procurementPath(env));
  await page.goto(env.path('policies'));
  await row.getByRole('link', { name: 'v2' }).click();
  await expect(page).toHaveURL(`${await procurementPath(env)}/versions/2`);
});

test('one click shows the exact bytes of a version', async ({ page, env }) => {
  await page.goto(`${await procurementPath(env)}/versions/1`);
  await page.getByText(/^Show the exact bytes/).click();
  await expect(page.getByText('"code":"PROC-PARTICULARS"')).toBeVisible();
});

test('a search narrows the list and survives a reload', async ({ page, env }) => {
  await page.goto(env.path('policies'));
  await page.getByLabel('Name or code').fill('CONSUMER');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/[?&]q=CONSUMER/);
  await expect(page.locator('tbody th[scope=row]')).toHaveCount(1);

  await page.reload();
  await expect(page.locator('tbody th[scope=row]')).toHaveCount(1);
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page.locator('tbody th[scope=row]').nth(1)).toBeVisible();
});

test('a search without a match shows an empty state', async ({ page, env }) => {
  await page.goto(env.path('policies?q=no-such-policy'));
  await expect(page.getByText('No results')).toBeVisible();
});

test('the page of a policy shows the phases of its open version', async ({ page, env }) => {
  const policy = await env.submittedPolicy();
  await page.goto(policy.path);
  const lifecycle = page.getByRole('region', { name: 'Version 1' });
  const phases = lifecycle.getByRole('listitem');
  await expect(phases.getByRole('heading')).toHaveText(['Drafted', 'Submitted', 'Review', 'Ratification', 'Activation']);
  await expect(lifecycle.locator('[aria-current=step]')).toContainText('Ratification');
  await lifecycle.getByRole('link', { name: 'Version 1' }).click();
  await expect(page).toHaveURL(policy.versionPath);
});

test('a row with the focus shows the exact time of its relative time', async ({ page, env }) => {
  await page.goto(env.path('policies'));
  const row = page.locator('tr:has(time[data-tip])').first();
  const time = row.locator('time[data-tip]');
  const tip = () => time.evaluate((element) => getComputedStyle(element, '::after').content);
  expect(await tip()).toBe('none');
  await row.getByRole('link').first().focus();
  expect(await tip()).toMatch(/\d{2}:\d{2}:\d{2}\.\d{3} UTC/);
});
