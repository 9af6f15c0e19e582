import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { startApp, type E2eApp } from '../support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: Array.from({ length: 4 }, (_, index) => ({
      claimant: 'Ana Lima',
      date: `2026-03-0${index + 1}`,
      amount: 10 + index,
      description: `Taxi ${index}`,
    })),
  })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })
const status = (page: Page) => page.getByRole('region', { name: 'Status', exact: true })
const countOf = async (filter: string): Promise<number> => (await app.api.get(`/expenses?q[${filter}`)).count

/** A key as another layout, or an input method, sends it. */
const press = (page: Page, init: Pick<KeyboardEventInit, 'key' | 'code' | 'isComposing' | 'keyCode'>) =>
  page.evaluate(
    (sent) => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...sent })),
    init,
  )

test('keys work by their place on a Cyrillic layout, and what an input method reads sends nothing', async ({ page }) => {
  await page.goto(`${app.url}/review`)
  await expect(grid(page)).toBeFocused()
  await press(page, { key: 'ф', code: 'KeyA' })
  await expect(page.getByTitle('1 approved.')).toBeVisible()
  await press(page, { key: 'к', code: 'KeyR' })
  const sheet = page.getByRole('dialog', { name: 'Reject this expense' })
  await page.keyboard.type('領収書がない')
  await press(page, { key: 'Enter', code: 'Enter', keyCode: 229 })
  await press(page, { key: 'Escape', code: 'Escape', isComposing: true })
  await expect(sheet.getByRole('textbox')).toHaveValue('領収書がない')
  expect(await countOf('status_eq]=rejected')).toBe(0)
  await page.keyboard.press('Enter')
  await expect.poll(() => countOf('status_eq]=rejected')).toBe(1)
})

test('the focus is where the keys are: after a tab, a box, a sheet and a field', async ({ page }) => {
  await page.goto(`${app.url}/review`)
  await expect(grid(page)).toBeFocused()
  for (const [key, dialog] of [
    ['Control+k', page.getByRole('dialog', { name: 'Search or command' })],
    ['?', page.getByRole('dialog', { name: 'Keyboard shortcuts' })],
  ] as const) {
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press(key)
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(grid(page)).toBeFocused()
  }
  await page.keyboard.press('x')
  await page.keyboard.press('e')
  await expect(page.getByRole('dialog', { name: /^Edit 1 expense/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('Escape')

  await page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name: 'All' }).click()
  await expect(page).toHaveURL(/queue=all/)
  await page.keyboard.press('j')
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/review\/\d+\?queue=all/)

  await page.goto(`${app.url}/capture`)
  const description = page.getByRole('textbox', { name: 'Description' })
  await page.getByRole('textbox', { name: 'Amount' }).first().fill('7')
  await page.getByRole('textbox', { name: 'Date', exact: true }).fill('3/3/2026')
  await description.fill('Bus')
  await page.keyboard.press('Enter')
  await expect.poll(() => countOf('description_eq]=Bus')).toBe(1)
})

test('an address that asks for something unknown says so', async ({ page }) => {
  await page.goto(`${app.url}/review?queue=all&f=colour.is.red`)
  await expect(status(page)).toContainText('The address asks for something unknown: colour.is.red.')
  await page.goto(`${app.url}/nowhere`)
  await expect(status(page)).toContainText('No screen has the address /nowhere.')
  await expect(page).toHaveURL(/\/review/)
})
