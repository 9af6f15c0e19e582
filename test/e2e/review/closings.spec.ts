import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, type Json, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
let token: string
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [
      { claimant: 'Bruno Reis', date: '2026-03-02', amount: 10, description: 'Taxi' },
      { claimant: 'Bruno Reis', date: '2026-03-31', amount: 212, currency: 'EUR', description: 'Dinner' },
      { claimant: 'Bruno Reis', date: '2026-04-01', amount: 50, description: 'Hotel' },
    ],
  })
  token = await app.addUser({ name: 'Marta Dias', email: 'marta@example.org', role: 'manager' })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const row = (page: Page, text: string) => page.getByRole('grid').getByRole('row').filter({ hasText: text })

test('an admin looks at what is open in a month, closes it, and reopens it with a reason', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${app.url}/closings`)
  await expect(row(page, 'March 2026')).toContainText(/Open.*2.*2.*BRL.10.00 · EUR.212.00/)
  await row(page, 'March 2026').dblclick()
  await page.getByRole('link', { name: 'Show them' }).click()
  await expect(row(page, 'Taxi')).toBeVisible()
  await expect(row(page, 'Dinner')).toBeVisible()
  await expect(row(page, 'Hotel')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByText('2 expenses are neither settled nor rejected.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('c')
  const sheet = page.getByRole('dialog', { name: 'Close March 2026 with 2 unsettled expenses?' })
  await expect(sheet).toContainText('EUR\u00a0212.00')
  await page.keyboard.press('Enter')
  await expect(row(page, 'March 2026')).toContainText('Closed')
  await expect(page.getByText(/Closed by Ana Souza/)).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Reopen March 2026' }).click()
  await expect(page.getByText('Enter a reason')).toBeVisible()
  await page.getByRole('textbox', { name: 'Why are you reopening it?' }).fill('A receipt was missing')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Close March 2026' })).toBeVisible()
  await expect(page.getByText('A receipt was missing')).toBeVisible()
  await expect(row(page, 'March 2026')).not.toContainText('Closed')
})

test('a page that is open when a month is closed hears it: its keys decide nothing there', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })
  const other = await context.newPage()
  await app.signIn(other, token)
  await other.goto(`${app.url}/review`)
  await expect(row(other, 'Taxi')).toBeVisible()
  await app.api.send('POST', '/organizations/1/closings', { name: '2026-03' })
  await expect(row(other, 'Taxi').getByTitle('Closed month')).toBeVisible()
  await expect(row(other, 'Hotel').getByTitle('Closed month')).toHaveCount(0)
  await row(other, 'Taxi').click()
  await other.keyboard.press('a')
  await expect(other.getByText(/March 2026 is closed, so nothing in it can change/).first()).toBeVisible()
  await other.keyboard.press('Enter')
  await expect(other.getByText(/March 2026 is closed: Ana Souza closed it on/)).toBeVisible()
  await expectAccessible(other)
  await other.keyboard.press('Escape')
  const sheet = other.getByRole('dialog')
  await other.keyboard.press('Control+Shift+a')
  await other.keyboard.press('r')
  await expect(sheet).toContainText('2 are skipped:2 in March 2026, which is closed')
  await expect(sheet.getByRole('heading')).toHaveText('Reject this expense')
  await expectAccessible(other)
  await other.setViewportSize({ width: 390, height: 900 })
  await other.screenshot({ path: test.info().outputPath('sheet-390.png') })
  await context.close()
})

test('an edit says what policies find, and that no expense can move into a closed month', async ({ page }) => {
  await app.api.send('POST', '/organizations/1/closings', { name: '2026-03' })
  await app.api.send('POST', '/organizations/1/policies', {
    ...{ name: 'Meals', weight: 'note', condition: 'amount_over', amount: 80, currency: 'BRL' },
  })
  await page.goto(`${app.url}/review`)
  await row(page, 'Hotel').dblclick()
  await page.keyboard.press('e')
  const edited = page.getByRole('form').getByRole('textbox', { name: 'Date', exact: true })
  await edited.fill('9/3/2026')
  await expect(page.getByText('March 2026 is closed. Choose a date in an open month.')).toBeVisible()
  await edited.fill('3/4/2026')
  await expect(page.getByText('March 2026 is closed.')).toHaveCount(0)
  await page.getByRole('form').getByRole('textbox', { name: 'Amount' }).fill('100')
  await expect(page.getByRole('list', { name: 'Policies will find:' })).toContainText('Meals: BRL 100.00, limit BRL 80.00')
})

test('a report says before its approval what a closed month leaves out; what is confirmed before that asks again', async ({ page }) => {
  const { expenses } = await app.api.get('/expenses')
  const { id } = await app.api.send('POST', '/accountabilities', {
    ...{ title: 'March and April', payer_id: 1, receiver_id: expenses[0].receiver.id },
    expense_ids: expenses.map((expense: Json) => expense.id),
  })
  await app.api.send('POST', '/organizations/1/closings', { name: '2026-03' })
  const answers: Array<() => void> = []
  await page.route('**/batch/dry_run', async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve))
    await route.continue()
  })
  await page.goto(`${app.url}/accountabilities/${String(id)}`)
  await expect(page.getByRole('button', { name: /^Approve 3 with no issues/ })).toBeVisible()
  await page.keyboard.press('Shift+A')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('heading')).toHaveText('Checking what can be done…')
  await page.keyboard.press('Enter')
  await expect(sheet.getByRole('status')).toHaveText('It goes ahead as soon as the count is here, if nothing is left out.')
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.()
  await expect(sheet.getByRole('heading')).toHaveText('1 expense will be approved in full')
  await expect(sheet.getByRole('status')).toHaveText('Some of it is left out: confirm again.')
  await expect(sheet).toContainText('2 are skipped:2 in March 2026, which is closed')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(row(page, 'Hotel')).toContainText('Approved')
  await expect(sheet).toHaveCount(0)
  await expect(row(page, 'Taxi')).toContainText('To review')
})

test('an admin says how long originals are kept', async ({ page }) => {
  await page.goto(`${app.url}/settings/organization`)
  const years = page.getByRole('textbox', { name: 'Years that originals are kept' })
  await expect(years).toHaveValue('10')
  await years.fill('0')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter whole years, from 1 to 100')).toBeVisible()
  await years.fill('5')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await app.api.get('/organizations/1')).retention_years).toBe(5)
})
