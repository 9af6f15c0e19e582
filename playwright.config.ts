import { defineConfig } from '@playwright/test'
import { chromiumArgs, findChromium } from './scripts/chromium.mjs'

export default defineConfig({
  testMatch: '*.spec.ts',
  projects: [
    { name: 'browser', testDir: 'test/e2e' },
    // Its pages are of a browser that the program itself starts and ends: there is nothing to trace from here.
    { name: 'desktop', testDir: 'test/desktop', use: { trace: 'off' } },
  ],
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // On a busy machine a browser may die or stall; what fails twice is a fault, and what failed once is listed as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  // Room for a machine that is busy: what never comes still fails.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    // A page's requests are then a test's to answer; the specs of the service worker allow it.
    serviceWorkers: 'block',
    actionTimeout: 60_000,
    // Its snapshots show every step; pictures of every frame would take longer than the tests.
    trace: process.env.CI ? 'on-first-retry' : { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      executablePath: findChromium(),
      args: [...chromiumArgs, '--use-fake-device-for-media-stream'],
    },
  },
})
