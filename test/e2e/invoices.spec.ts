import { PDFDocument } from '@cantoo/pdf-lib'
import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { goodsInvoice, municipalService } from '#test/support/invoices'
import { ciiInvoice } from '#test/support/receipts/european-invoices'
import { expectAccessible } from './support/axe'
import { Claim } from './support/claim'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let claim: Claim
test.beforeAll(async () => {
  claim = await Claim.start()
})
test.beforeEach(({ page }) => claim.signIn(page, claim.claimant))
test.afterAll(() => claim.served.remove())

const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const supplierField = (page: Page) => page.getByRole('combobox', { name: 'Supplier', exact: true })

async function capture(page: Page): Promise<void> {
  await page.goto(`${claim.served.url}/capture`)
  await expect(field(page, 'Amount')).toBeFocused()
}

async function addInvoice(page: Page, xml: string, name = 'nfe.xml'): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'application/xml', buffer: Buffer.from(xml) })
}

test('an invoice fills the empty fields, which can be undone without losing later typing', { tag: '@journey' }, async ({ page }) => {
  await capture(page)
  await field(page, 'Description').fill('Dinner with the team')
  await addInvoice(page, goodsInvoice())
  await expect(
    page.getByText('Filled in from nfe.xml: Amount, Date, Place, Supplier, Supplier’s tax number. Check that it is right.'),
  ).toBeVisible()
  await expect(field(page, 'Amount')).toHaveValue('210.00')
  await expect(field(page, 'Date')).toHaveValue('2026-01-04')
  await expect(field(page, 'Description')).toHaveValue('Dinner with the team')
  await expect(supplierField(page)).toHaveValue('Cantina Boa Mesa Ltda')
  const card = page.getByRole('group', { name: 'Invoice (NF-e)' })
  await expect(card).toContainText('Cantina Boa Mesa Ltda')
  await expect(card).toContainText('The access key is valid and matches the file.')
  await expect(card).toContainText('The file has no digital signature.')
  await expectAccessible(page)
  await field(page, 'Date').fill('2026-01-05')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(field(page, 'Amount')).toHaveValue('')
  await expect(field(page, 'Date')).toHaveValue('2026-01-05')
  await expect(field(page, 'Description')).toHaveValue('Dinner with the team')
  await expect(page.getByText('Filled in from')).toBeHidden()
})

test('of two invoices the first fills the form, which says so; split, each expense says what its own invoice does', async ({ page }) => {
  await capture(page)
  const files = [
    { name: 'dinner.xml', mimeType: 'application/xml', buffer: Buffer.from(goodsInvoice()) },
    { name: 'hotel.xml', mimeType: 'application/xml', buffer: Buffer.from(municipalService()) },
  ]
  await page.locator('input[type=file]').first().setInputFiles(files)
  await expect(field(page, 'Amount')).toHaveValue('210.00')
  await expect(page.getByRole('note').filter({ hasText: 'The receipts contain 2 invoices' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create one expense each' }).click()
  await expect(page.getByText('The receipts contain 2 invoices')).toBeHidden()
  await expect(page.getByText('Filled in from dinner.xml')).toBeVisible()
  await expect(field(page, 'Amount')).toHaveValue('210.00')
  await page
    .getByRole('region', { name: 'Drafts' })
    .getByRole('button', { name: /^Oficina Dois Irmãos/ })
    .click()
  await expect(page.getByText('Filled in from hotel.xml')).toBeVisible()
  await expect(field(page, 'Amount')).toHaveValue('150.00')
})

test('a supplier of earlier expenses is offered as one types, and brings its tax number', async ({ page }) => {
  const paid = { supplier_name: 'Cantina Boa Mesa Ltda', supplier_tax_id: '11.222.333/0001-81' }
  await claim.makeExpense({ description: 'Dinner', ...paid })
  await capture(page)
  const supplier = supplierField(page)
  await supplier.fill('boa')
  await page.getByRole('option', { name: 'Cantina Boa Mesa Ltda' }).click()
  await expect(supplier).toHaveValue('Cantina Boa Mesa Ltda')
  await expect(page.getByText('11.222.333/0001-81')).toBeVisible()
  await page.getByRole('button', { name: 'Place, tax number and more' }).click()
  await supplier.fill('boa mesa de outra')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(field(page, 'Supplier’s tax number')).toHaveValue('11.222.333/0001-81')
})

test('a European invoice within a PDF fills the form in its currency', async ({ page }) => {
  const document = await PDFDocument.create()
  document.addPage([300, 400])
  await document.attach(Buffer.from(ciiInvoice()), 'factur-x.xml', { mimeType: 'text/xml' })
  await capture(page)
  const buffer = Buffer.from(await document.save())
  await page.locator('input[type=file]').first().setInputFiles({ name: 'hotel.pdf', mimeType: 'application/pdf', buffer })
  await expect(field(page, 'Amount')).toHaveValue('119.00')
  await expect(field(page, 'Date')).toHaveValue('2026-01-04')
})
