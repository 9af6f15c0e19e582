import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { pdf, picture } from '#test/files/samples'
import { goodsInvoice } from '#test/support/invoices'
import { expectAccessible } from './support/axe'
import { Claim } from './support/claim'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let claim: Claim
test.beforeEach(async ({ page }) => {
  claim = await Claim.start()
  await claim.signIn(page, claim.admin)
})
test.afterEach(() => claim.served.remove())

async function attachThree(page: Page): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([{ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: await picture(900, 1200).jpeg().toBuffer() }])
  await expect(page.getByRole('button', { name: 'Show receipt.jpg' })).toBeVisible()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([{ name: 'hotel.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf({ pages: 2 })) }])
  await expect(page.getByRole('button', { name: 'Show hotel.pdf' })).toBeVisible()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([{ name: 'nfe.xml', mimeType: 'application/xml', buffer: Buffer.from(goodsInvoice()) }])
  await expect(page.getByRole('button', { name: 'Show nfe.xml' })).toBeVisible()
}

test('three receipts are attached and seen: a photo, a PDF and an invoice', { tag: '@journey' }, async ({ page }) => {
  const { id } = await claim.makeExpense()
  await claim.openExpense(page, id)
  await expect(page.getByText('No receipt yet')).toBeVisible()
  await attachThree(page)
  const viewer = page.getByRole('region', { name: 'Receipt', exact: true })
  await expect(viewer.getByText('1 of 3')).toBeVisible()
  await expect(viewer.getByRole('img', { name: /receipt\.jpg/ })).toBeVisible()
  await page.keyboard.press(']')
  await expect(viewer.locator('canvas[data-drawn]')).toBeVisible()
  await expect(viewer.getByText('Page 1 of 2')).toBeVisible()
  await viewer.getByRole('button', { name: 'Next page' }).click()
  await expect(viewer.getByText('Page 2 of 2')).toBeVisible()
  await page.keyboard.press(']')
  const summary = viewer.getByRole('group', { name: 'Invoice (NF-e)' })
  await expect(summary).toContainText('Cantina Boa Mesa Ltda')
  await expect(summary).toContainText('11.222.333/0001-81')
  await expect(summary).toContainText('BRL 210.00')
  await viewer.getByText('Show the XML').click()
  await expect(viewer.getByText('vNF 210.00')).toBeVisible()
  await expectAccessible(page)
})

test('a receipt fills the window, is zoomed and turned, and gives the focus back', { tag: '@journey' }, async ({ page }) => {
  const { id } = await claim.makeExpense()
  await claim.openExpense(page, id)
  await attachThree(page)
  const tab = page.getByRole('tab', { name: 'Details' })
  await tab.focus()
  await page.getByRole('button', { name: 'Full size' }).click()
  const full = page.getByRole('dialog', { name: 'Receipt' })
  const photo = full.getByRole('img', { name: /receipt\.jpg/ })
  await expect(photo).toBeVisible()
  const before = await photo.boundingBox()
  await page.keyboard.press('+')
  await expect.poll(async () => (await photo.boundingBox())?.width).toBeGreaterThan(before?.width ?? 0)
  await page.keyboard.press('Shift+R')
  await expect
    .poll(async () => {
      const box = await photo.boundingBox()
      return box && box.width > box.height
    })
    .toBe(true)
  await page.keyboard.press('Escape')
  await expect(full).toBeHidden()
  await expect(page.getByRole('button', { name: 'Full size' })).toBeFocused()
})

test('a file that cannot be shown says so and can be downloaded', async ({ page }) => {
  const { id } = await claim.makeExpense()
  await claim.openExpense(page, id)
  await attachThree(page)
  await page.route('**/files/**', (route) => route.abort())
  await claim.openExpense(page, id)
  await expect(page.getByRole('alert')).toContainText('Outlay cannot show receipt.jpg')
  await expect(page.getByRole('alert').getByRole('link', { name: 'Download' })).toHaveAttribute('download', 'receipt.jpg')
})

test('a deleted receipt comes back when asked for, and is gone when one leaves', async ({ page }) => {
  const { id } = await claim.makeExpense()
  await claim.openExpense(page, id)
  await attachThree(page)
  await page.getByRole('button', { name: 'Delete nfe.xml' }).click()
  await expect(page.getByRole('button', { name: 'Show nfe.xml' })).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('button', { name: 'Show nfe.xml' })).toBeVisible()
  expect((await claim.getExpense(id)).attachments).toHaveLength(3)
  await page.getByRole('button', { name: 'Delete hotel.pdf' }).click()
  await expect(page.getByRole('button', { name: 'Show hotel.pdf' })).toBeHidden()
  await page.goto('about:blank')
  await expect
    .poll(async () => (await claim.getExpense(id)).attachments.map(({ file_name }) => file_name))
    .toEqual(['receipt.jpg', 'nfe.xml'])
})

test('a receipt that the server never got, or whose answer was lost, is on its expense once after the page was closed', async ({
  page,
}) => {
  const { id } = await claim.makeExpense()
  await claim.openExpense(page, id)
  await page.route('**/uploads/new**', (route) => route.abort())
  const file = { name: 'hotel.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf({ pages: 1 })) }
  await page.locator('input[type=file]').first().setInputFiles([file])
  const kept = page.getByText('1 file is saved on this device. Outlay sends it when it reaches the server.')
  await expect(kept).toBeVisible()
  await page.reload()
  await expect(kept).toBeVisible()
  await page.route('**/attachments', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await page.unroute('**/uploads/new**')
  await expect.poll(async () => (await claim.getExpense(id)).attachments.length).toBe(1)
  await page.reload()
  await page.unroute('**/attachments')
  await expect(page.getByRole('button', { name: 'Show hotel.pdf' })).toBeVisible()
  await expect(kept).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Show hotel.pdf' })).toHaveCount(1)
  expect((await claim.getExpense(id)).attachments).toHaveLength(1)
})
