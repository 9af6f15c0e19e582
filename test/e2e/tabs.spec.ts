import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { startApp, type E2eApp } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [
      { claimant: 'Ana Lima', date: '2026-03-02', amount: 10, description: 'Taxi' },
      { claimant: 'Ana Lima', date: '2026-03-03', amount: 20, description: 'Lunch' },
    ],
  })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const row = (page: Page, text: string) => page.getByRole('grid', { name: 'Expenses' }).getByRole('row').filter({ hasText: text })

test('an approval in one tab shows in the list and the counts of another', async ({ page, context }) => {
  await page.goto(`${app.url}/review`)
  await expect(row(page, 'Taxi')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Review 2/ })).toBeVisible()
  const other = await context.newPage()
  await other.goto(`${app.url}/expenses/1`)
  await other.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(other.getByText('Approved', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: /^Review 1/ })).toBeVisible()
  await expect(page.getByRole('grid', { name: 'Expenses' })).toContainText('Approved')
})

test('signing out in one tab asks again in another, and hides what it showed until then', async ({ page, context }) => {
  await page.goto(`${app.url}/review`)
  await expect(row(page, 'Taxi')).toBeVisible()
  const other = await context.newPage()
  await other.goto(`${app.url}/review`)
  await expect(row(other, 'Taxi')).toBeVisible()
  await other.keyboard.press('Control+k')
  await other.keyboard.type('sign out')
  await other.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(other).toHaveURL(/sign-in$/)
  await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()
  await expect(page.locator('.mantine-Modal-overlay')).not.toHaveCSS('background-color', /rgba|\//)
  await page.getByRole('textbox', { name: 'API token' }).fill(app.token)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row(page, 'Taxi')).toBeVisible()
})

test('reasons for rejecting and for asking are apart, and one can be removed', async ({ page }) => {
  await page.goto(`${app.url}/review`)
  await expect(row(page, 'Taxi')).toBeVisible()
  await page.keyboard.press('r')
  await page.getByRole('textbox', { name: 'Reason' }).fill('No receipt')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('n')
  await expect(page.getByRole('textbox', { name: 'Question' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'No receipt', exact: true })).toBeHidden()
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await expect(page.getByRole('button', { name: 'No receipt', exact: true })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+Delete')
  await expect(page.getByRole('button', { name: 'No receipt', exact: true })).toBeHidden()
})
