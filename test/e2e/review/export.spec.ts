import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: Array.from({ length: 12 }, (_, index) => ({
      claimant: 'Bruno Reis',
      date: '2026-03-02',
      amount: 10 + index,
      description: `Ride ${index}`,
    })),
  })
  const { expenses } = await app.api.get('/expenses?sort=amount')
  for (const { id, amount } of expenses.slice(2))
    await app.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: amount })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'Export' })

/** Downloads what the sheet offers. */
async function download(page: Page): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    sheetOf(page)
      .getByRole('link', { name: /^Download expenses-/ })
      .click(),
  ])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('the selected expenses, or all of the list, are exported by keyboard and downloaded', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${app.url}/review?queue=all&sort=amount`)
  const grid = page.getByRole('grid', { name: 'Expenses' })
  await expect(grid.getByRole('row').filter({ hasText: 'Ride 11' })).toBeVisible()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+X')
  const sheet = sheetOf(page)
  await expect(sheet.getByRole('radio', { name: 'The selected expense' })).toBeChecked()
  await expectAccessible(page)
  await page.screenshot({ path: test.info().outputPath('sheet.png') })
  await sheet.getByRole('button', { name: 'Export', exact: true }).press('Enter')
  await expect(sheet).toContainText('The file is ready. It has 1 expense.')
  const one = await download(page)
  expect(one.name).toMatch(/^expenses-\d{4}-\d\d-\d\d\.csv$/)
  expect(one.text.trim().split('\r\n')).toHaveLength(2)
  await sheet.getByRole('button', { name: 'Export again' }).click()
  await sheet.getByRole('radio', { name: 'All 12 expenses of this list' }).check()
  await sheet.getByRole('combobox', { name: 'Format' }).click()
  await page.getByRole('option', { name: 'hledger journal' }).click()
  await expect(sheet).toContainText('10 expenses will be booked; 2 left out: to review.')
  await page.screenshot({ path: test.info().outputPath('left-out.png') })
  await sheet.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(sheet).toContainText('The file is ready. It has 10 expenses. 2 left out: to review.')
  expect((await download(page)).text.match(/^ {4}liabilities:claimants:Bruno Reis/gm)).toHaveLength(10)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
})

test('what cannot be written is left out or said in words of what to do', async ({ page }) => {
  for (const occurred_at of ['2025-03-04', '2026-03-04']) {
    const paid = { amount: 5, currency: 'EUR', occurred_at, payer: { id: 1, type: 'Organization' } }
    const { id } = await app.api.send('POST', '/expenses', paid)
    await app.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 5, approved_amount_currency: 'EUR' })
  }
  await page.goto(`${app.url}/review?queue=all`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const sheet = sheetOf(page)
  await sheet.getByRole('combobox', { name: 'Format' }).click()
  await page.getByRole('option', { name: /^DATEV/ }).click()
  await expect(sheet).toContainText('2 expenses will be booked; 12 left out: to review (2), not in euros (10).')
  await sheet.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(sheet.getByRole('alert')).toContainText('Choose the expenses of one fiscal year')
  await sheet.getByRole('button', { name: 'Try again' }).click()
  await expect(sheet.getByRole('combobox', { name: 'Format' })).toBeVisible()
})

test('on a phone the sheet is within the screen, and My expenses are exported as a PDF', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${app.url}/my-expenses`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const sheet = sheetOf(page)
  await sheet.getByRole('combobox', { name: 'Format' }).click()
  await page.getByRole('option', { name: 'PDF with receipts' }).click()
  await page.screenshot({ path: test.info().outputPath('phone.png') })
  const box = await sheet.boundingBox()
  expect(box !== null && box.x >= 0 && box.x + box.width <= 390).toBe(true)
  await sheet.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(sheet.getByRole('link', { name: /\.pdf$/ })).toBeVisible()
})
