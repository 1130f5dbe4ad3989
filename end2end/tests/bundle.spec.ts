import { expect, test } from '../support/world.js';

test('a bundle is looked into, and its line to the outcome runs across, down and onto paper', async ({
  page,
  world,
}) => {
  await world.seat(page);
  const [denied] = await world.decisions('&decision=DENY&decision_type=ai_tool_call');
  await page.goto(world.path(`decisions/${denied.id}`));
  await page.getByRole('link', { name: 'Bundle', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bundle ai_tool_call');

  await page.getByRole('link', { name: 'receipt/statement.json' }).click();
  await expect(page.getByRole('region', { name: 'Contents' })).toContainText(denied.id);
  await page.getByRole('link', { name: 'Close the file' }).click();
  await expect(page.getByRole('region', { name: 'Contents' })).toHaveCount(0);

  const picture = page.getByRole('figure');
  const place = async (heading: string) => {
    const box = await picture.getByRole('heading', { name: heading }).first().boundingBox();
    return { x: box?.x ?? 0, y: box?.y ?? 0 };
  };
  const line = ['Ratified by', 'Decision', 'Outcome'];
  await page.setViewportSize({ width: 1440, height: 900 });
  const across = (await Promise.all(line.map(place))).map(({ x }) => x);
  expect(across).toEqual([...across].sort((a, b) => a - b));
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media });
    await page.setViewportSize({ width: 640, height: 900 });
    const down = (await Promise.all(line.map(place))).map(({ y }) => y);
    expect(down).toEqual([...down].sort((a, b) => a - b));
  }
  await expect(page.getByRole('link', { name: 'Download the bundle' })).toBeHidden();
  await expect(picture.getByText('AI-', { exact: false }).first()).toBeVisible();
});
