import { expect, test, type Page } from '@playwright/test'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [
      { claimant: 'Bruno Reis', date: '2026-03-02', amount: 10, description: 'Taxi' },
      { claimant: 'Bruno Reis', date: '2026-03-03', amount: 212, description: 'Dinner' },
    ],
  })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const row = (page: Page, text: string) => page.getByRole('grid', { name: 'Expenses' }).getByRole('row').filter({ hasText: text })

test('a policy is written, finds what is there, blocks its approval, and lets it pass once the breach is accepted', async ({
  page,
}) => {
  await page.goto(`${app.url}/policies`)
  await expect(page.getByText('No policies yet.')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.getByRole('button', { name: 'Create policy' }).click()
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await expect(page.getByText('Fill this in.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Meals up to BRL 80')
  await page.getByRole('textbox', { name: 'Limit' }).fill('80')
  await page.getByText('Block approval', { exact: true }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create policy' }).click()
  await expect(page).toHaveURL(/\/policies\/\d+$/)
  await expect(page.getByRole('row', { name: /Meals up to BRL 80/ })).toContainText('over BRL 80.00')

  await page.goto(`${app.url}/review`)
  const found = 'Meals up to BRL 80: BRL 212.00, limit BRL 80.00'
  await expect(row(page, 'Dinner').getByTitle(found.replaceAll(/BRL (?=\d+\.)/g, 'BRL\u00a0'))).toBeVisible()
  await row(page, 'Dinner').click()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Policies' })).toContainText('limit BRL 80.00')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await expect(page.getByText(/A policy blocks this/).first()).toBeVisible()
  await expect(row(page, 'Dinner')).toBeVisible()
  expect((await app.api.get('/expenses?q[description_eq]=Dinner')).expenses[0].status).toBe('awaiting_analysis')
})

test('the list is narrowed to what policies object to, and to what they do not', async ({ page }) => {
  await app.api.send('POST', '/organizations/1/policies', {
    ...{ name: 'Meals', weight: 'note', condition: 'amount_over', amount: 80, currency: 'BRL' },
  })
  await page.goto(`${app.url}/review?queue=all&f=flag_level.from.1`)
  await expect(row(page, 'Dinner')).toBeVisible()
  await expect(row(page, 'Taxi')).toHaveCount(0)
  await page.getByRole('button', { name: 'Policies: Something found', exact: true }).click()
  await page.getByRole('option', { name: 'Nothing found' }).click()
  await expect(row(page, 'Taxi')).toBeVisible()
  await expect(row(page, 'Dinner')).toHaveCount(0)
})

test('a form says what policies will find while one types', async ({ page }) => {
  await app.api.send('POST', '/organizations/1/policies', {
    ...{ name: 'Meals', weight: 'note', condition: 'amount_over', amount: 80, currency: 'BRL' },
  })
  await page.goto(`${app.url}/capture`)
  const verdict = page.getByRole('list', { name: 'Policies will find:' })
  await page.getByRole('textbox', { name: 'Amount' }).fill('80')
  await expect(page.getByRole('button', { name: /^Save/ })).toBeVisible()
  await expect(verdict).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Amount' }).fill('80.01')
  await expect(verdict).toContainText('limit BRL 80.00')
  await expectAccessible(page)

  await page.goto(`${app.url}/expenses/1`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Amount' }).fill('100')
  await expect(verdict).toContainText('Meals: BRL 100.00, limit BRL 80.00')
})

test('a deleted policy no longer objects to anything', async ({ page }) => {
  await app.api.send('POST', '/organizations/1/policies', {
    ...{ name: 'Meals', weight: 'note', condition: 'amount_over', amount: 80, currency: 'BRL' },
  })
  await page.goto(`${app.url}/policies/1`)
  await page.getByRole('button', { name: /^Delete policy/ }).click()
  await page.getByRole('dialog', { name: 'Delete Meals?' }).getByRole('button', { name: 'Delete policy' }).click()
  await expect(page.getByText('No policies yet.')).toBeVisible()
  await page.goto(`${app.url}/review?queue=all&f=flag_level.is.`)
  await expect(row(page, 'Dinner')).toBeVisible()
})
