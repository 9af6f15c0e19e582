import { type Browser, chromium, expect, type Page, type Route, test } from '@playwright/test'
import sharp from 'sharp'
import { chromiumArgs, findChromium, findHeadlessShell } from '../../../scripts/chromium.mjs'
import { pdf } from '#test/files/samples'
import { drawReceipt } from '#test/support/receipts/draw-receipt'
import { makeReceipt } from '#test/support/receipts/make-receipt'
import { type E2eApp, startApp } from '../support/app'
import { hand } from '../support/hand'

/** A name that is no loopback one, as a server in a home or an office network has: its pages are in no secure context. */
const host = 'outlay.example'

let app: E2eApp
let browser: Browser
test.beforeAll(async () => {
  app = await startApp({ env: { OUTLAY_READ_RECEIPTS: '1', OUTLAY_ALLOWED_HOSTS: host } })
  const args = [...chromiumArgs, `--host-resolver-rules=MAP ${host} 127.0.0.1`]
  browser = await chromium.launch({ executablePath: findHeadlessShell() ?? findChromium(), args })
})
test.afterAll(async () => {
  await browser.close()
  await app.remove()
})

/** Opens Capture by the name, and signs in. */
async function openCapture(page: Page): Promise<void> {
  await page.goto(`http://${host}:${new URL(app.url).port}/capture`)
  await page.getByRole('textbox', { name: 'API token' }).fill(app.token)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
}

test('over plain HTTP a photo of a telephone fills the form, and what needs HTTPS is absent without an error', async () => {
  const page = await browser.newPage({ locale: 'en-GB' })
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await openCapture(page)
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
  const receipt = makeReceipt('brazilian', 4)
  // The page takes the camera's data out of it: the server gets other bytes than were dropped.
  const bytes = await sharp(await drawReceipt(receipt, 'scan', 8))
    .withExif({ IFD0: { Model: 'Telephone' } })
    .jpeg()
    .toBuffer()
  await hand(page, 'drop', [{ name: 'a.jpg', type: 'image/jpeg', bytes }])
  await expect(page.locator('[data-read="amount"], [data-offer="amount"]').first()).toBeVisible({ timeout: 120_000 })
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue((receipt.truth.total / 100).toFixed(2))
  await page.goto(new URL('/quick-capture', page.url()).href)
  await expect(page.locator('[data-pick]')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Screen region' })).toHaveCount(0)
  expect(errors).toEqual([])
})

test('over plain HTTP two windows that upload the receipt of a draft attach it once', async () => {
  const context = await browser.newContext({ locale: 'en-GB' })
  let isAway = true
  // Both windows have begun when the first goes on.
  const late = async (route: Route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    return route.continue()
  }
  await context.route('**/uploads', (route) => (isAway ? route.abort() : late(route)))
  const attached = new Set<string>()
  await context.route('**/attachments', (route) => {
    const { 'idempotency-key': key } = route.request().headers()
    attached.add(`${key} ${route.request().postData()}`)
    return late(route)
  })
  const [first, second] = [await context.newPage(), await context.newPage()]
  await openCapture(first)
  await hand(first, 'drop', [{ name: 'b.pdf', type: 'application/pdf', bytes: pdf() }])
  await first.getByRole('textbox', { name: 'Amount' }).fill('7')
  await first.getByRole('textbox', { name: 'Date' }).fill('yesterday')
  await first.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await expect(first.getByText('Sending receipts')).toBeVisible()
  await second.goto(first.url())
  await expect(second.getByText('Sending receipts')).toBeVisible()
  isAway = false
  await Promise.all([first, second].map((page) => page.evaluate(() => dispatchEvent(new Event('online')))))
  for (const page of [first, second]) await expect(page.getByRole('region', { name: 'Drafts' })).toHaveCount(0)
  expect([...attached]).toHaveLength(1)
  await context.close()
})
