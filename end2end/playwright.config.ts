import { defineConfig, devices } from '@playwright/test';

// The way of a policy from a draft to a public receipt must also work in a browser without scripts. The `console_*` tests
// of the server post the plain forms of all other pages.
const NO_SCRIPTS_SPECS = /\/(sign-in|author|review|ratify|decisions|receipt|forms)\.spec\.ts/;

// Screenshots for manual review. GOVERN_SCREENS names the directory that receives them and enables the project.
const screenshots = process.env.GOVERN_SCREENS
  ? [{ name: 'screens', testMatch: /screens\.pictures\.ts/ }]
  : [];

// The screenshots of the guides in docs/guide. GOVERN_DOCS_SCREENS=1 enables the project, which overwrites them.
const docsPictures = process.env.GOVERN_DOCS_SCREENS
  ? [{ name: 'docs-screens', testMatch: /docs\.pictures\.ts/ }]
  : [];

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0, // a test that sometimes fails hides a fault of the product or of the test
  // Each worker starts its own server and database. Tests also wait, so that three workers are faster than two on two
  // processors.
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['./support/failure-summary.ts']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/London', // not UTC, so that a time in the local zone fails a test
    // A trace of each test takes a third of the time; `--trace on` records it.
    screenshot: 'only-on-failure',
    launchOptions: {
      // Chromium without windows. The tests take two thirds of the time of a headless `chromium`.
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    },
  },
  projects: [
    { name: 'scripts', testMatch: /\.spec\.ts/, testIgnore: /lighthouse/ },
    { name: 'no-scripts', testMatch: NO_SCRIPTS_SPECS, use: { javaScriptEnabled: false } },
    {
      name: 'firefox',
      grep: /@firefox/, // one test of each journey
      use: {
        ...devices['Desktop Firefox'],
        viewport: { width: 1280, height: 900 },
        // Playwright drives the Firefox of the system through WebDriver BiDi.
        channel: 'moz-firefox',
        launchOptions: { executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr', args: [] },
      },
    },
    { name: 'lighthouse', testMatch: /lighthouse\.spec\.ts/ }, // scores of the release
    ...screenshots,
    ...docsPictures,
  ],
});
