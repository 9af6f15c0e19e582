import { expect, test } from '../support/kept/kept-page'
import { z } from 'zod'
import { drawReceipt } from '#test/support/receipts/draw-receipt'
import { makeReceipt } from '#test/support/receipts/make-receipt'
import type { Receipt } from '#test/support/receipts/receipt'
import { hand } from '../support/hand'
import { type Hosted, serveSignedIn } from '../support/served'

test.use({ locale: 'en-GB' })

const suppliersSchema = z.object({ suppliers: z.array(z.object({ name: z.string(), tax_number: z.string() })) })

let served: Hosted
let token: string
test.beforeEach(async ({ page }) => {
  ;({ served, token } = await serveSignedIn(page, '/capture', { OUTLAY_READ_RECEIPTS: '1' }))
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
})
test.afterEach(() => served.remove())

/** A recent receipt whose supplier has a tax number. */
function receiptOfCompany(): Receipt {
  for (let seed = 2; ; seed += 2) {
    const receipt = makeReceipt('brazilian', seed)
    const days = (Date.now() - Date.parse(receipt.truth.date)) / 86_400_000
    if (days > 2 && days < 300 && receipt.truth.supplier_tax_id !== null) return receipt
  }
}

test('the register names the supplier of a receipt, and what is saved corrects the register', { tag: '@journey' }, async ({ page }) => {
  test.setTimeout(120_000)
  const receipt = receiptOfCompany()
  await page.goto(new URL('/suppliers', page.url()).href)
  await expect(page.getByText('No suppliers yet.')).toBeVisible()
  await page.keyboard.press('n')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await expect(name).toBeFocused()
  await name.fill('Padaria da Esquina')
  await page.getByRole('textbox', { name: 'Tax number', exact: true }).fill(receipt.truth.supplier_tax_id ?? '')
  await page.getByRole('button', { name: 'Create supplier' }).click()
  await expect(page.getByRole('row', { name: 'Padaria da Esquina' })).toBeVisible()
  await page.goto(new URL('/capture', page.url()).href)
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await hand(page, 'drop', [{ name: 'a.jpg', type: 'image/jpeg', bytes: await drawReceipt(receipt, 'scan', 8) }])
  await expect(page.locator('[data-read="supplier_tax_id"]')).toBeVisible({ timeout: 60_000 })
  const supplier = page.locator('[data-field=supplier_name]')
  await expect(supplier).toHaveValue('Padaria da Esquina')
  await supplier.fill('Padaria Boa')
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await expect
    .poll(async () => suppliersSchema.parse(await served.get('/organizations/1/suppliers', token)).suppliers.map((one) => one.name), {
      timeout: 30_000,
    })
    .toEqual(['Padaria Boa'])
  await page.goto(new URL('/suppliers', page.url()).href)
  await page.keyboard.press('/')
  await page.keyboard.type('boa')
  await page.getByRole('row', { name: 'Padaria Boa' }).click()
  await page.getByRole('button', { name: 'Delete supplier' }).click()
  await page.getByRole('dialog', { name: 'Delete Padaria Boa?' }).getByRole('button', { name: 'Delete supplier' }).click()
  await expect(page.getByText('No suppliers yet.')).toBeVisible()
})
