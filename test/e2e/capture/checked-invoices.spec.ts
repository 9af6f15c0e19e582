import { PDFDocument } from '@cantoo/pdf-lib'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { ciiInvoice } from '#test/support/receipts/european-invoices'
import { certificateFolder, signedInvoice } from '#test/support/receipts/signed-invoices'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  const env = {
    OUTLAY_INVOICE_ROOTS: certificateFolder,
    OUTLAY_IMAP_URL: 'imap://a:b@127.0.0.1:9/',
    OUTLAY_IMAP_ADDRESS: 'receipts@example.org',
  }
  app = await startApp({ env })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const field = (page: Page, name: string) => page.getByRole('textbox', { name })

async function add(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.goto(`${app.url}/capture`)
  const mimeType = name.endsWith('.pdf') ? 'application/pdf' : 'application/xml'
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType, buffer })
}

test('an invoice that was altered after it was signed is named and fills nothing in', async ({ page }) => {
  await add(page, 'forged.xml', Buffer.from(signedInvoice().replace('<vNF>210.00', '<vNF>910.00')))
  await expect(page.getByText('forged.xml does not look like the original file.')).toBeVisible()
  await expect(page.getByText('its digital signature does not match what it says')).toBeVisible()
  await expect(field(page, 'Amount')).toHaveValue('')
  await expectAccessible(page)
})

test('an invoice with a valid signature says who signed it', async ({ page }) => {
  await add(page, 'whole.xml', Buffer.from(signedInvoice()))
  await expect(page.getByText(/The digital signature is valid. Signed by CANTINA BOA MESA LTDA/)).toBeVisible()
  await expect(field(page, 'Amount')).toHaveValue('210.00')
})

test('a European invoice within a PDF fills the form in its currency', async ({ page }) => {
  const document = await PDFDocument.create()
  document.addPage([300, 400])
  await document.attach(Buffer.from(ciiInvoice()), 'factur-x.xml', { mimeType: 'text/xml' })
  await add(page, 'hotel.pdf', Buffer.from(await document.save()))
  await expect(field(page, 'Amount')).toHaveValue('119.00')
  await expect(field(page, 'Date')).toHaveValue('2026-01-04')
})

test("settings show one's own address for receipts", async ({ page }) => {
  await page.goto(`${app.url}/settings/notifications`)
  await expect(page.getByText(/^receipts\+\d+-[a-z2-7]{16}@example\.org$/)).toBeVisible()
  await page.getByRole('button', { name: 'Copy address' }).focus()
  await expectAccessible(page)
})
