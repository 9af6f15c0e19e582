import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { goodsInvoice, makeKey, municipalService } from '#test/support/invoices'
import { expectAccessible } from './support/axe'
import { Claim } from './support/claim'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let claim: Claim
test.beforeEach(async ({ page }) => {
  claim = await Claim.start()
  await claim.signIn(page, claim.claimant)
})
test.afterEach(() => claim.served.remove())

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

/** Records what the form holds, and waits until the server has it with its receipt. */
async function save(page: Page, count: number): Promise<void> {
  await expect(field(page, 'Amount')).not.toHaveValue('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => JSON.stringify(await claim.served.get('/expenses', claim.admin)).match(/"attachments_count":1/g)?.length)
    .toBe(count)
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

test('the same invoice again is reported before it is saved, and afterwards on both expenses', async ({ page }) => {
  await capture(page)
  await addInvoice(page, goodsInvoice())
  await expect(field(page, 'Amount')).toHaveValue('210.00')
  await save(page, 1)
  await capture(page)
  await addInvoice(page, goodsInvoice({ name: 'Cantina' }), 'copy.xml')
  const told = page.getByRole('note').filter({ hasText: 'This may already be on an expense' })
  await expect(told.getByRole('link', { name: '#1' })).toBeVisible()
  await expect(told).toContainText('Cantina Boa Mesa Ltda')
  await save(page, 2)
  await claim.signIn(page, claim.admin)
  await claim.openExpense(page, 1)
  await expect(page.getByText('1 later expense may repeat this one')).toBeVisible()
  await claim.openExpense(page, 2)
  await page.getByRole('button', { name: 'Compare side by side' }).click()
  const dialog = page.getByRole('dialog', { name: 'Possible repeat' })
  await expect(dialog.getByRole('list', { name: 'What they have in common' })).toContainText('Same invoice')
  await expectAccessible(page)
})

test('a colleague who has the same invoice learns that there is another expense, and nothing of it', async ({ page }) => {
  await claim.signIn(page, claim.admin)
  await capture(page)
  await addInvoice(page, goodsInvoice())
  await save(page, 1)
  await claim.signIn(page, claim.claimant)
  await capture(page)
  await addInvoice(page, goodsInvoice())
  await expect(page.getByText('Filled in from nfe.xml')).toBeVisible()
  const told = page.getByRole('note').filter({ hasText: 'This may already be on an expense' })
  await expect(told).toContainText('1 more expense looks like this one.')
  await expect(told.getByRole('link')).toHaveCount(0)
})

test('a file that contradicts its key is kept, and shown as one that is not the original', async ({ page }) => {
  await capture(page)
  await addInvoice(page, goodsInvoice({ key: makeKey({ number: '4513' }) }), 'changed.xml')
  await expect(page.getByText('changed.xml does not look like the original file.')).toBeVisible()
  const card = page.getByRole('group', { name: 'Invoice (NF-e)' })
  await expect(card).toContainText('the access key names another number')
  await save(page, 1)
})

test('an invoice without an access key, and other XML', async ({ page }) => {
  await capture(page)
  await addInvoice(page, municipalService({}, 'ns2:'), 'service.xml')
  await expect(field(page, 'Description')).toHaveValue('Oficina Dois Irmãos Ltda')
  await expect(page.getByRole('group', { name: 'Service invoice (NFS-e)' })).toContainText('no access key to check')
  await save(page, 1)
  await capture(page)
  await addInvoice(page, '<catalog><item>1</item></catalog>', 'catalog.xml')
  await expect(page.getByRole('button', { name: 'Show catalog.xml' })).toBeVisible()
  await expect(field(page, 'Amount')).toHaveValue('')
})

test('a supplier of earlier expenses is offered as one types, and brings its tax number', async ({ page }) => {
  const paid = { supplier_name: 'Cantina Boa Mesa Ltda', supplier_tax_id: '11.222.333/0001-81' }
  await claim.makeExpense({ description: 'Dinner', ...paid })
  await capture(page)
  const supplier = supplierField(page)
  await supplier.fill('boa')
  await page.getByRole('option', { name: 'Cantina Boa Mesa Ltda' }).click()
  await expect(supplier).toHaveValue('Cantina Boa Mesa Ltda')
  await expect(field(page, 'Supplier’s tax number')).toHaveValue('11.222.333/0001-81')
  await supplier.fill('boa mesa de outra')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(field(page, 'Supplier’s tax number')).toHaveValue('11.222.333/0001-81')
})
