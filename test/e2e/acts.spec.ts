import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { startApp, type E2eApp, type SampleExpense } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

const expenses: SampleExpense[] = Array.from({ length: 8 }, (_, index) => ({
  claimant: 'Ana Lima',
  date: '2026-03-01',
  amount: 10 + index,
  description: `Taxi ${index}`,
}))

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({ expenses })
  await app.signIn(page)
  await page.goto(`${app.url}/review?queue=awaiting_analysis&sort=amount`)
  await expect(grid(page)).toBeFocused()
  await expect(grid(page).getByRole('row').nth(1)).toContainText('Taxi 0')
})
test.afterEach(() => app.remove())

const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })
const status = (page: Page) => page.getByRole('region', { name: 'Status', exact: true })

test('one line says what came of key, mouse and batch, with Undo, and covers nothing', async ({ page }) => {
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await grid(page).focus()
    await page.keyboard.press('a')
    // For screen readers: whose it was, and how much.
    await expect(status(page)).toContainText(/1 approved\. \p{Lu}.+, BRL\s\d/u)
    const line = await status(page).boundingBox()
    const main = await page.locator('main').boundingBox()
    expect(main && line && main.y + main.height <= line.y).toBe(true)
    await status(page).getByRole('button', { name: /^Undo/ }).click()
    await expect(status(page)).toContainText('Undone: 1 approved.')
    await expect(status(page).getByRole('button', { name: /^Undo/ })).toHaveCount(0)
  }
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.route('**/api/v1/expenses/*/status', (route) => route.abort())
  await grid(page).focus()
  await page.keyboard.press('a')
  await expect(status(page)).toContainText('The server does not respond')
  await page.unroute('**/api/v1/expenses/*/status')
  await page.keyboard.press('a')
  await expect(status(page)).toContainText('1 approved.')
  await expect(status(page)).toContainText('The server does not respond')
  await status(page).getByRole('button', { name: 'Dismiss this error' }).click()
  await expect(status(page)).not.toContainText('The server does not respond')
  await expect(page.locator('[aria-live]')).toHaveCount(1)
})
