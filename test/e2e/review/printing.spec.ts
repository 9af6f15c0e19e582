import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

const most = 260
const printed = (page: Page) => page.locator('[data-printed]')

let app: E2eApp
test.beforeEach(async ({ page }) => {
  const expenses = Array.from({ length: most }, (_, index) => ({
    ...{ claimant: 'Bruno Reis', date: '2026-03-02', amount: index + 1, description: `Taxi ${index + 1}` },
  }))
  app = await startApp({ expenses })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

test('printing a list prints all of its rows and nothing of the screen around it', async ({ page }, info) => {
  await page.goto(`${app.url}/review`)
  await expect(page.getByRole('grid').getByRole('row').nth(3)).toBeVisible()
  // The browser's own print, of which the page hears no sooner: what was read, and how to get the rest.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(printed(page).locator('p')).toContainText(/^\d+ of 260 rows · .* Press Ctrl\+P/)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(printed(page)).toHaveCount(0)

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-asked', String(document.querySelectorAll('[data-printed] tbody tr').length))
  })
  await page.keyboard.press('Control+p')
  await expect(page.locator('body')).toHaveAttribute('data-asked', String(most))
  await expect(printed(page).locator('p')).toHaveText(/^260 rows · /)
  await expect(printed(page)).toBeHidden()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(printed(page).getByText('Taxi 137', { exact: true })).toBeVisible()
  await expect(printed(page).locator('tbody tr')).toHaveCount(most)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  expect(await printed(page).evaluate((element) => getComputedStyle(element).color)).toBe('rgb(27, 26, 24)')
  await page.screenshot({ path: info.outputPath('printed.png') })
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(printed(page)).toHaveCount(0)

  await page.goto(`${app.url}/team`)
  await expect(page.getByRole('grid')).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(printed(page).locator('p')).toHaveText(/^2 rows · /)
  await expect(printed(page).locator('tbody')).toContainText('Bruno Reis')
})
