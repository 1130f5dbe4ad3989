import { defineConfig, devices } from '@playwright/test';

// Tests of pages that must also work without scripts.
const NO_SCRIPTS_SPECS =
  /\/(sign-in|cli-login|author|review|policies|ratify|maker-checker|decisions|explain|try|receipt|overview|analytics|keys|grants|audit|settings|groups|members|account|forms|webhooks|alerts|chain|trust|docs|second-factor)\.spec\.ts/;

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
  // One failure on a loaded machine does not end a run of an hour. The summary prints it, so that its cause is found.
  retries: 1,
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
    { name: 'scripts', testMatch: /\.spec\.ts/ },
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
    ...screenshots,
    ...docsPictures,
  ],
});
