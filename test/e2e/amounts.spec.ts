import { expect, test } from './support/kept/kept-page'
import { startApp, type E2eApp } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [
      { claimant: 'Ana Lima', date: '2026-03-02', amount: 1000, description: 'Hotel' },
      { claimant: 'Ana Lima', date: '2026-03-03', amount: 20, description: 'Lunch' },
    ],
  })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

test('1.000 is a thousand in a filter, a search, an edit and a capture, and each shows so', async ({ page }) => {
  const rows = page.getByRole('grid', { name: 'Expenses' }).getByRole('row')
  await page.goto(`${app.url}/review?queue=all`)
  await expect(rows).toHaveCount(3)
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: 'Amount', exact: true }).click()
  const filter = page.getByRole('dialog', { name: 'Amount' })
  await filter.getByRole('combobox').selectOption('from')
  await filter.getByRole('textbox').fill('1.000')
  await expect(filter.getByText('= 1,000.00')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/f=amount\.from\.1000$/)
  await expect(rows).toHaveCount(2)

  await page.goto(`${app.url}/review?queue=all`)
  await expect(rows).toHaveCount(3)
  await page.keyboard.press('/')
  await page.keyboard.type('1.000')
  await expect(page.getByText('= 1,000.00')).toBeVisible()
  await expect(rows).toHaveCount(2)

  await page.getByRole('gridcell', { name: 'Hotel' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('1.500')
  await expect(page.getByText('= BRL 1,500.00')).toBeVisible()

  await page.goto(`${app.url}/capture`)
  await page.getByRole('textbox', { name: 'Amount' }).fill('1.000')
  await expect(page.getByText('= BRL 1,000.00')).toBeVisible()

  await page.goto(`${app.url}/reimbursements/paid`)
  await expect(page.getByRole('button', { name: 'Filter' })).toBeVisible()
  await page.keyboard.press('f')
  const paid = page.getByRole('dialog', { name: 'Filters' })
  await paid.getByRole('textbox', { name: 'Amount from' }).fill('1.000')
  await expect(paid.getByText('= 1,000.00')).toBeVisible()
  await paid.getByRole('textbox', { name: 'Amount to' }).fill('2,5.1')
  await paid.getByRole('button', { name: 'Apply' }).click()
  await expect(paid.getByRole('textbox', { name: 'Amount to' })).toHaveAttribute('aria-invalid', 'true')
  await paid.getByRole('textbox', { name: 'Amount to' }).fill('')
  await paid.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/least=1000$/)
})
