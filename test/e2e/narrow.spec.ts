import { expect, test, type Page } from '@playwright/test'
import { picture } from '#test/files/samples'
import { type E2eApp, startApp } from './support/app'
import { expectAccessible } from './support/axe'

const screens = [
  '/review',
  '/capture',
  '/quick-capture',
  '/my-expenses',
  '/reimbursements',
  '/advances',
  '/accountabilities',
  '/pre-expenses',
  '/cards',
  '/team',
  '/tags',
  '/webhooks',
  '/sync',
  '/settings',
  '/expenses/1',
  '/review/1',
]
const doors = ['/sign-in', '/join', '/welcome']

let app: E2eApp
test.beforeAll(async () => {
  app = await startApp({
    expenses: Array.from({ length: 30 }, (_, index) => ({
      claimant: index % 2 === 0 ? 'Ana Souza' : 'Bartolomeu Albuquerque de Vasconcelos',
      date: '2026-01-03',
      amount: 1234.5 + index,
      description: `Hotel Nacional de Brasília, quarto ${index}, com café da manhã`,
      tags: 'Travel',
    })),
  })
})
test.afterAll(() => app.remove())

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${app.url}${path}`)
  await expect(page.locator('main, form').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** By how much the page, or what is on it, reaches over its side; what scrolls by itself may. */
function overflowOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const wide = [...document.body.querySelectorAll('*')].filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect()
      if (own === 0 || (right <= width + 1 && left >= -1)) return false
      const style = getComputedStyle(element)
      if (style.visibility === 'hidden' || element.closest('.visually-hidden')) return false
      for (let outer: Element | null = element.parentElement; outer; outer = outer.parentElement) {
        const { overflowX } = getComputedStyle(outer)
        if (overflowX === 'auto' || overflowX === 'scroll' || overflowX === 'hidden' || overflowX === 'clip')
          return outer.scrollWidth > outer.clientWidth + 1 && outer.matches('main, #root, body')
      }
      return true
    })
    const scrolled = document.documentElement.scrollWidth > width ? ['the page'] : []
    return [...scrolled, ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 140))]
  })
}

/** What is smaller than 44 by 44 pixels. Links within a sentence and what a larger label switches may be. */
function smallTargetsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, select, summary, nav a, [role=tab], [role=row] [data-check], input:not([type=file])',
      ),
    ]
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect()
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest('.visually-hidden'))
          return false
        if (width <= 1 || element.closest('[role=row]')?.getAttribute('aria-rowindex') === '1') return false
        const target =
          element instanceof HTMLInputElement
            ? (element.closest(
                '.mantine-Checkbox-body, .mantine-Radio-body, .mantine-Switch-body, .mantine-Input-wrapper, .mantine-SegmentedControl-root',
              ) ?? element)
            : element
        const size = target.getBoundingClientRect()
        return Math.max(width, size.width) < 43.5 || Math.max(height, size.height) < 43.5
      })
      .map(
        (element) =>
          `${element.getBoundingClientRect().width}x${element.getBoundingClientRect().height} ${element.outerHTML.slice(0, 160)}`,
      ),
  )
}

for (const { name, viewport } of [
  { name: 'a small telephone, and a page at 400 %', viewport: { width: 320, height: 568 } },
  { name: 'a telephone', viewport: { width: 390, height: 844 } },
]) {
  test.describe(name, () => {
    test.use({ viewport, hasTouch: true, isMobile: true, locale: 'en-GB' })
    for (const path of screens)
      test(`${path} fits, has targets to touch, and is accessible`, async ({ page }) => {
        await app.signIn(page)
        await open(page, path)
        expect(await overflowOf(page)).toEqual([])
        expect(await smallTargetsOf(page)).toEqual([])
        await expect(page.locator('kbd:visible')).toHaveCount(0)
        await expectAccessible(page)
      })
    for (const path of doors)
      test(`${path} fits and has targets to touch`, async ({ page }) => {
        await open(page, path)
        expect(await overflowOf(page)).toEqual([])
        expect(await smallTargetsOf(page)).toEqual([])
      })
  })
}

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'en-GB' })

  test('one expense is opened over the list, left by going back, and approved', async ({ page }) => {
    await app.signIn(page)
    await open(page, '/review')
    const card = page.getByRole('grid').getByRole('row').filter({ hasText: 'quarto' }).first()
    await card.tap()
    await expect(page.getByRole('tab', { name: 'Details' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('tab', { name: 'Details' })).toHaveCount(0)
    await card.tap()
    await page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .tap()
    await expect(async () => {
      const { groups } = await app.api.get('/expenses/summary?group_by=status')
      expect(groups).toContainEqual(expect.objectContaining({ key: 'approved', count: 1 }))
    }).toPass()
  })

  test('a receipt with its amount is saved', async ({ page }) => {
    await app.signIn(page)
    await open(page, '/capture')
    const buffer = await picture(300, 400).jpeg().toBuffer()
    await page.locator('input[type=file]').setInputFiles({ name: 'taxi.jpg', mimeType: 'image/jpeg', buffer })
    await page.getByRole('textbox', { name: 'Amount' }).fill('62,50')
    await page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
    await page.getByRole('button', { name: 'Save and start the next' }).tap()
    await expect(page.getByText(/^Recorded:/).first()).toBeVisible()
  })

  test('the menu opens, leads to another screen and closes', async ({ page }) => {
    await app.signIn(page)
    await open(page, '/review')
    await page.getByRole('button', { name: 'Menu', exact: true }).tap()
    await page.getByRole('link', { name: /My expenses/ }).tap()
    await expect(page).toHaveURL(/my-expenses/)
    await expect(page.getByRole('link', { name: /My expenses/ })).toHaveCount(0)
  })
})
