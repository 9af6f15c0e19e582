import { defineConfig } from '@playwright/test'
import { chromiumArgs, findChromium, findHeadlessShell } from './scripts/chromium.mjs'

// Two workers on two cores: threads that compile and collect beside a page only take turns with it.
const args = [...chromiumArgs, '--use-fake-device-for-media-stream', '--js-flags=--single-threaded']
const launchWith = (executablePath: string | undefined) => ({ launchOptions: { executablePath, args } })

export default defineConfig({
  globalSetup: './scripts/ensure-test-page.mjs',
  testMatch: '*.spec.ts',
  projects: [
    { name: 'browser', testDir: 'test/e2e', grepInvert: /@camera/, use: launchWith(findHeadlessShell() ?? findChromium()) },
    // Cameras and screens are there only in a whole browser.
    { name: 'camera', testDir: 'test/e2e', grep: /@camera/, use: launchWith(findChromium()) },
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
    // Tracing slows every step: where no test is tried again, `--trace on` makes one.
    trace: 'on-first-retry',
  },
})
