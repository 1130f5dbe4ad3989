import { defineConfig, devices } from '@playwright/test';

// Pages that a person walks; they must work without scripts too.
const JOURNEYS =
  /(sign-in|author|review|policies|ratify|maker-checker|decisions|explain|try|receipt|overview|analytics|keys|grants|audit|settings|groups|members|account|forms|webhooks|alerts|chain|trust)\.spec\.ts/;

// Pictures for people to look at, taken when GOVERN_SCREENS names a folder for them.
const screens = process.env.GOVERN_SCREENS
  ? [{ name: 'screens', testMatch: /screens\.pictures\.ts/ }]
  : [];

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Every worker has a server and a database of its own.
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/London', // not UTC, so that a time in local zone would show
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    },
  },
  projects: [
    { name: 'scripts', testMatch: /\.spec\.ts/ },
    { name: 'no-scripts', testMatch: JOURNEYS, use: { javaScriptEnabled: false } },
    ...screens,
  ],
});
