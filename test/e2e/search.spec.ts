import { expect, test } from './support/kept/kept-page'
import { startApp, type E2eApp } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeAll(async () => {
  app = await startApp({
    expenses: Array.from({ length: 40 }, (_, index) => ({
      claimant: index % 2 === 0 ? 'Ana Lima' : 'Bruno Reis',
      date: `2022-01-${String((index % 28) + 1).padStart(2, '0')}`,
      amount: index === 7 ? 3652.24 : 10 + index,
      description: index === 7 ? 'Conference' : `Taxi ${String(index)}`,
    })),
  })
})
test.beforeEach(({ page }) => app.signIn(page))
test.afterAll(() => app.remove())

test('search shows results while typing, keeps the focus, and Enter goes to the list', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${app.url}/review`)
  const rows = page.getByRole('grid', { name: 'Expenses' }).getByRole('row')
  await expect(rows.nth(1)).toBeVisible()
  await page.keyboard.press('/')
  const box = page.getByRole('searchbox', { name: 'Search expenses' })
  await expect(box).toBeFocused()
  for (const text of ['conf', '3,652.24', '3.652,24']) {
    await box.fill('')
    await page.keyboard.type(text)
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(1)).toContainText('Conference')
    await expect(box).toBeFocused()
    await expect(box).toHaveValue(text)
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('grid', { name: 'Expenses' })).toBeFocused()
  await expect(page).toHaveURL(/search=3.652%2C24/)
})

test('J and K move between groups, Enter opens one and Escape goes back', async ({ page }) => {
  await page.goto(`${app.url}/review?group=receiver`)
  const groups = page.getByRole('grid', { name: 'Claimant' })
  await expect(groups).toBeFocused()
  const current = () => groups.evaluate((grid) => document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent)
  const first = await current()
  await page.keyboard.press('j')
  await expect.poll(current).not.toBe(first)
  await page.keyboard.press('k')
  await expect.poll(current).toBe(first)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('grid', { name: 'Expenses' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(groups).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('grid', { name: 'Expenses' })).toBeVisible()
})

test('forced colours show the current row, queue and screen', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`${app.url}/review`)
  const grid = page.getByRole('grid', { name: 'Expenses' })
  await expect(grid).toBeFocused()
  const outlineOf = (index: number) =>
    grid
      .getByRole('row')
      .nth(index)
      .evaluate((row) => getComputedStyle(row).outlineStyle)
  expect([await outlineOf(1), await outlineOf(2)]).toEqual(['solid', 'none'])
  const entry = (name: string) =>
    page
      .getByRole('link', { name })
      .first()
      .evaluate((link) => {
        const { outlineStyle, borderBottomColor } = getComputedStyle(link)
        return `${outlineStyle} ${borderBottomColor}`
      })
  expect(await entry('Review')).not.toBe(await entry('Capture'))
  expect(await entry('To review')).not.toBe(await entry('All'))
})
