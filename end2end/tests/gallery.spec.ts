// The gallery shows every shared component in both themes.

import { accessibilityViolations, findOverflow, loadAxe } from '../support/accessibility.js';
import { expect, test } from '../support/fixtures.js';

const COMPONENTS = [
  'Page header',
  'Buttons',
  'Badges',
  'Filter bar',
  'Table',
  'Detail with rail',
  'Difference',
  'Chart',
  'Dialog',
  'Notes and toasts',
  'Empty states',
  'Fields with errors',
];

test.beforeEach(async ({ page }) => {
  const response = await page.goto('/dev/gallery');
  expect(response?.status()).toBe(200);
});

for (const theme of ['Light theme', 'Dark theme']) {
  test(`each component is shown in the ${theme.toLowerCase()}, and its controls have names`, async ({ page }) => {
    const samples = page.getByRole('region', { name: theme, exact: true });
    for (const name of COMPONENTS) await expect(samples.getByRole('region', { name, exact: true })).toBeVisible();
    for (const role of ['button', 'link', 'textbox', 'combobox'] as const) {
      const controls = samples.getByRole(role);
      expect(await controls.count(), role).toBeGreaterThan(0);
      for (const control of await controls.all()) await expect(control).toHaveAccessibleName(/\S/);
    }
    await expect(samples.getByRole('button', { name: 'Ratify v18' })).toHaveAccessibleDescription(
      'You helped create this version.',
    );
    const limit = samples.getByLabel('Limit');
    await expect(limit).toHaveAttribute('aria-invalid', 'true');
    await expect(limit).toHaveAccessibleDescription(/Enter a number, for example 2500\./);
    await expect(samples.getByRole('dialog')).toHaveAccessibleName('Delete the draft of Vendor payments');
    await expect(samples.getByRole('table', { name: 'Policies' }).getByRole('columnheader')).toHaveCount(4);
  });
}

test('the two samples have different colors in both themes of the page', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const [light, dark] = await page
      .locator('.gallery')
      .evaluateAll((samples) => samples.map((sample) => getComputedStyle(sample).backgroundColor));
    expect(light).toBe('rgb(255, 255, 255)');
    expect(dark).toBe('rgb(16, 17, 22)');
  }
});

test('the gallery is accessible in both themes and fits narrow screens', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await loadAxe(page);
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect.soft(await accessibilityViolations(page), `${colorScheme}, ${width} px`).toEqual([]);
    }
    expect.soft(await findOverflow(page), `${width} px`).toEqual([]);
  }
});
