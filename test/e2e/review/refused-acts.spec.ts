import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { startApp, type E2eApp, type Json, type SampleExpense } from '../support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

const expenses: SampleExpense[] = Array.from({ length: 4 }, (_, index) => ({
  claimant: index < 2 ? 'Ana Lima' : 'Bruno Reis',
  date: '2026-03-01',
  amount: 10 + index,
  description: `Taxi ${index}`,
}))

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({ expenses })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const status = (page: Page) => page.getByRole('region', { name: 'Status', exact: true })

async function findTaxi(index: number): Promise<Json> {
  const { expenses: list }: Json = await app.api.get('/expenses?sort=amount&per_page=100')
  return list.find(({ description }: Json) => description === `Taxi ${index}`)
}

test('u after a refused payment says that there was none, and leaves the payment before', async ({ page }) => {
  for (const index of [0, 3]) {
    const { id, amount, currency } = await findTaxi(index)
    const approval = { status: 'approved', approved_amount: amount, approved_amount_currency: currency }
    await app.api.send('PUT', `/expenses/${String(id)}/status`, approval)
  }
  const countPaid = async (): Promise<number> => (await app.api.get('/reimbursements')).reimbursements.length
  const pay = async (name: string) => {
    await page.getByRole('grid').getByRole('row', { name }).click()
    await page.keyboard.press('p')
    await page.getByRole('dialog').getByRole('button', { name: 'Record the payment' }).click()
  }
  await page.goto(`${app.url}/reimbursements`)
  await pay('Ana Lima')
  // The page closes the panel when it hears so.
  await expect(status(page)).toContainText('Paid BRL 10.00 to Ana Lima')
  expect(await countPaid()).toBe(1)
  await page.route('**/api/v1/reimbursements', (route) => route.fulfill({ status: 403, json: { message: 'forbidden' } }))
  await pay('Bruno Reis')
  await expect(page.getByRole('alert')).toBeVisible()
  await page.unroute('**/api/v1/reimbursements')
  await page.locator('h2').first().click()
  await page.keyboard.press('u')
  await expect(status(page)).toContainText('Nothing to undo. This was not done: ')
  expect(await countPaid()).toBe(1)
  await page.keyboard.press('u')
  await expect.poll(countPaid).toBe(0)
})
