import { expect, test } from '../support/fixtures.js';

test('a bundle shows its files, and its provenance runs across a wide screen and down a narrow one and paper', async ({
  page,
  env,
}) => {
  await env.useSharedAdminSession(page);
  const [denied] = await env.listDecisions('&decision=DENY&decision_type=ai_tool_call');
  await page.goto(env.path(`decisions/${denied.id}`));
  await page.locator('summary.button', { hasText: 'More' }).click();
  await page.getByRole('link', { name: 'Bundle', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bundle ai_tool_call');

  await page.getByRole('link', { name: 'receipt/statement.json' }).click();
  await expect(page.getByRole('region', { name: 'Contents' })).toContainText(denied.id);
  await page.getByRole('link', { name: 'Close the file' }).click();
  await expect(page.getByRole('region', { name: 'Contents' })).toHaveCount(0);

  const provenance = page.getByRole('figure');
  const position = async (heading: string) => {
    const box = await provenance.getByRole('heading', { name: heading }).first().boundingBox();
    return { x: box?.x ?? 0, y: box?.y ?? 0 };
  };
  const stages = ['Ratified by', 'Decision', 'Outcome'];
  await page.setViewportSize({ width: 1440, height: 900 });
  const across = (await Promise.all(stages.map(position))).map(({ x }) => x);
  expect(across).toEqual([...across].sort((a, b) => a - b));
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media });
    await page.setViewportSize({ width: 640, height: 900 });
    const down = (await Promise.all(stages.map(position))).map(({ y }) => y);
    expect(down).toEqual([...down].sort((a, b) => a - b));
  }
  await expect(page.getByRole('link', { name: 'Download the bundle' })).toBeHidden();
  await expect(provenance.getByText('AI-', { exact: false }).first()).toBeVisible();
});
