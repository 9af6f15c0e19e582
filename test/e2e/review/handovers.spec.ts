import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: ['Ride 0', 'Ride 1', 'Ride 2', 'Waiting'].map((description, index) => ({
      ...{ claimant: 'Bruno Reis', date: '2026-03-02', amount: 10 + index, description },
    })),
  })
  const { expenses } = await app.api.get('/expenses')
  for (const { id, amount, description } of expenses)
    if (description !== 'Waiting') await app.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: amount })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** The rows of the file that a dialog offers, without the header. */
async function rowsOf(page: Page, name: string): Promise<string[]> {
  const link = dialog(page, name).getByRole('link', { name: /^Download expenses-/ })
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  return (await readFile(await file.path(), 'utf8')).trim().split('\r\n').slice(1)
}

test(
  'expenses are handed over once; what changes afterwards is shown and handed over as a correction',
  { tag: '@journey' },
  async ({ page }) => {
    await page.goto(`${app.url}/review?queue=all`)
    const grid = page.getByRole('grid', { name: 'Expenses' })
    await expect(grid.getByRole('row').filter({ hasText: 'Ride 2' })).toBeVisible()
    await page.keyboard.press('Shift+X')
    const sheet = dialog(page, 'Export')
    await sheet.getByRole('checkbox', { name: 'Hand over to accounting' }).check()
    await expect(sheet).toContainText('3 expenses will be booked; 1 left out: to review.')
    await page.screenshot({ path: test.info().outputPath('sheet.png') })
    await expectAccessible(page)
    await sheet.getByRole('button', { name: 'Hand over' }).click()
    await expect(sheet).toContainText('Handed over. The file has 3 expenses. 1 left out: to review.')
    expect(await rowsOf(page, 'Export')).toHaveLength(3)
    await sheet.getByRole('button', { name: 'Export again' }).click()
    await sheet.getByRole('checkbox', { name: 'Hand over to accounting' }).check()
    await sheet.getByRole('button', { name: 'Hand over' }).click()
    await expect(sheet.getByRole('alert')).toContainText('Nothing to hand over')
    await page.keyboard.press('Escape')
    const { expenses } = await app.api.get('/expenses?q[description_eq]=Ride 1')
    const id: number = expenses[0].id
    await app.api.send('PUT', `/expenses/${id}/status`, { status: 'rejected' })
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await expect(page.getByRole('heading', { name: 'Handed over', level: 1 })).toBeVisible()
    await page.getByRole('grid', { name: 'Handed over' }).press('Enter')
    await expect(page.getByText('1 expense has changed since')).toBeVisible()
    await expect(page.getByText(/^Booked: .*11[.]00; now: nothing[.]$/)).toBeVisible()
    await page.screenshot({ path: test.info().outputPath('handover.png') })
    await expectAccessible(page)
    await page.getByRole('link', { name: `Expense ${id} was changed` }).click()
    await expect(page.getByText('Changed since.')).toBeVisible()
    await page.screenshot({ path: test.info().outputPath('expense.png') })
    await page.goBack()
    await page.getByRole('button', { name: 'Hand over the correction' }).click()
    const correction = dialog(page, 'Hand over the correction')
    await correction.getByRole('button', { name: 'Hand over' }).click()
    await expect(correction).toContainText('Handed over. The file has 1 expense.')
    expect((await rowsOf(page, 'Hand over the correction')).join()).toContain(',0,BRL,Ride 1,')
    await correction.getByRole('button', { name: 'Show the handover' }).click()
    await expect(page.getByText('Nothing has changed since.')).toBeVisible()
    await page.getByRole('link', { name: 'the earlier handover' }).click()
    await expect(page.getByText('Nothing has changed since.')).toBeVisible()
    await expect(page.getByRole('grid', { name: 'Handed over' }).getByRole('row')).toHaveCount(3)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.screenshot({ path: test.info().outputPath('phone.png') })
  },
)
