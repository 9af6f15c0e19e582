import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { expectAccessible } from './support/axe'
import { startApp, type E2eApp } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [
      { claimant: 'Ana Lima', date: '2026-03-02', amount: 1000, description: 'Hotel Nacional' },
      { claimant: 'Bruno Reis', date: '2026-03-03', amount: 20, description: 'Lunch' },
    ],
  })
  await app.signIn(page)
  await page.goto(`${app.url}/my-expenses`)
})
test.afterEach(() => app.remove())

async function type(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('button', { name: /Ana Souza/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search or command' }).fill(text)
}
const option = (page: Page, text: string | RegExp) => page.getByRole('dialog').getByRole('button', { name: text, exact: true })

/** Goes down the list to an entry and takes it. */
async function take(page: Page, text: string | RegExp): Promise<void> {
  await expect(option(page, text)).toBeVisible()
  for (let step = 0; step < 20; step += 1) {
    if (await option(page, text).and(page.locator('[data-selected]')).count()) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

test('Ctrl+K finds an expense by description, number and amount, by keyboard alone', { tag: '@journey' }, async ({ page }) => {
  const { expenses } = await app.api.get('/expenses?q[amount_eq]=1000')
  const [{ id }] = expenses
  for (const text of ['nacional', `#${id}`, '1.000']) {
    await page.goto(`${app.url}/my-expenses`)
    await type(page, text)
    await take(page, /Hotel Nacional/)
    await expect(page).toHaveURL(`${app.url}/expenses/${id}`)
    await expect(page).toHaveTitle(/Hotel Nacional.* · Outlay/)
  }
})

test('Ctrl+K finds people, and says when there is nothing and when the search fails', async ({ page }) => {
  await type(page, 'bruno')
  await expectAccessible(page)
  await take(page, 'Bruno Reis')
  await expect(page.getByRole('grid', { name: 'Expenses' }).getByRole('row')).toHaveCount(2)
  await type(page, 'zzz')
  await expect(page.getByText('No people or expenses found')).toBeVisible()
  await page.route('**/api/v1/expenses?*', (route) => route.abort())
  await page.getByRole('textbox', { name: 'Search or command' }).fill('lunch')
  await expect(page.getByText(/Could not search expenses/)).toBeVisible()
})

test('an outdated search is cancelled', async ({ page }) => {
  let release = () => undefined as void
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/search%5D=lun(&|$)|search\]=lun(&|$)/, async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  const cancelled = page.waitForEvent('requestfailed', (request) => /lun(&|$)/.test(request.url()))
  const asked = page.waitForRequest((request) => /lun(&|$)/.test(request.url()))
  await type(page, 'lun')
  await asked
  await page.getByRole('textbox', { name: 'Search or command' }).fill('hotel')
  await cancelled
  release()
  await expect(option(page, /Hotel Nacional/)).toBeVisible()
})

test('what was found stays, and is taken, while it is read again', async ({ page }) => {
  await type(page, 'nacional')
  await expect(option(page, /Hotel Nacional/)).toBeVisible()
  const isSearch = /search(?:%5D|\])=nacional/
  const again = page.waitForRequest(isSearch)
  // No response comes: what another person changed is still on its way.
  await page.route(isSearch, () => undefined)
  await app.api.send('PUT', '/expenses/2/status', { status: 'approved', approved_amount: 20 })
  await again
  await take(page, /Hotel Nacional/)
  await expect(page).toHaveTitle(/Hotel Nacional.* · Outlay/)
})

test('Ctrl+K changes language and appearance, and signs out', { tag: '@journey' }, async ({ page }) => {
  await type(page, 'dark')
  await take(page, 'Appearance: Dark')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await type(page, 'portug')
  await take(page, 'Language: Português')
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt-BR')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('sair')
  await take(page, 'Sair')
  await expect(page).toHaveURL(/sign-in$/)
})
