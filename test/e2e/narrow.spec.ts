import type { Page } from '@playwright/test'
import { type Language, languages, pageLanguageOf } from '#shared/domain/locales'
import { picture } from '#test/files/samples'
import { inForm } from '#test/support/form'
import { type E2eApp, moveTo, startApp } from './support/app'
import { expect, test } from './support/kept/kept-page'
import { openForm, shown, startWithForms, visits } from './support/form-visits'
import { doors, overReview } from './support/states'

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
  '/policies',
  '/import',
  '/webhooks',
  '/sync',
  '/audit',
  '/settings',
  '/settings/notifications',
  '/settings/sign-in',
  '/settings/organization',
  '/settings/remote',
  '/expenses/1',
  '/review/1',
]
let app: E2eApp
let forms: E2eApp
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
  forms = await startWithForms()
})
test.afterAll(() => Promise.all([app.remove(), forms.remove()]))

async function settled(page: Page): Promise<void> {
  await expect(page.locator('main, form').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${app.url}${path}`)
  await settled(page)
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

/** What is smaller than 44 by 44 pixels. Links within a sentence, the ends of chosen values and what a larger label switches may be. */
function smallTargetsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, select, summary, nav a, [role=tab], [role=row] [data-check], input:not([type=file])',
      ),
    ]
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect()
        if (
          !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
          element.closest('.visually-hidden, .mantine-Pill-remove')
        )
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

/** Labels of buttons, tabs and badges that are cut. What people wrote, such as a name, may be; it says so with a title. */
function cutLabelsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCut = (element: Element) => {
      const { overflowX, display } = getComputedStyle(element)
      if (overflowX === 'visible' || display === 'inline' || element.clientWidth <= 1) return false
      return element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 2
    }
    return [...document.querySelectorAll<HTMLElement>('button, a[role=button], [role=tab], .mantine-Badge-root')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) =>
        [control, ...control.querySelectorAll('*')].some((part) => !part.closest('.visually-hidden, svg, [title]') && isCut(part)),
      )
      .map((control) => `${control.textContent ?? ''} | ${control.outerHTML.slice(0, 160)}`)
  })
}

/** Every language is tried where there is least room for its words; the short form has the one with the longest. */
const sizes: ReadonlyArray<{ name: string; viewport: { width: number; height: number }; spoken: readonly Language[] }> = [
  { name: 'a small telephone, and a page at 400 %', viewport: { width: 320, height: 568 }, spoken: inForm(['pt'], languages) },
  { name: 'a telephone', viewport: { width: 390, height: 844 }, spoken: inForm([], ['pt']) },
]
for (const { name, viewport, spoken } of sizes)
  for (const language of spoken)
    test.describe(`${name}, in ${language}`, () => {
      test.use({
        ...{ viewport, hasTouch: true, isMobile: true, locale: pageLanguageOf(language) },
        // What is still growing into its place is smaller than it will be.
        contextOptions: { reducedMotion: 'reduce' },
      })

      test('every screen fits, cuts no label, has targets to touch', async ({ page }) => {
        await app.signIn(page)
        await open(page, '/review')
        for (const path of screens)
          await test.step(path, async () => {
            await moveTo(page, path)
            await settled(page)
            await expectUsable(page)
          })
      })

      test('every form fits, cuts no label, has targets to touch, and its buttons can be reached', async ({ page }) => {
        await forms.signIn(page)
        await page.goto(`${forms.url}/review`)
        for (const [form, visit] of Object.entries(visits))
          await test.step(form, async () => {
            await moveTo(page, visit.at)
            await openForm(page, form, visit)
            await expectUsable(page)
            expect.soft(await unreachableOf(page, form)).toEqual([])
            await moveTo(page, '/my-expenses')
            await expect(shown(page, form)).toHaveCount(0)
          })
      })

      test('what opens over a screen fits, cuts no label and has targets to touch', async ({ page }) => {
        await app.signIn(page)
        await open(page, '/my-expenses')
        const opened = page.locator('[role=dialog], [role=menu]')
        for (const [dialog, { at, open: openDialog }] of Object.entries(overReview))
          await test.step(dialog, async () => {
            await moveTo(page, at)
            await settled(page)
            await openDialog?.(page)
            await expect(opened.first()).toBeVisible()
            await expectUsable(page)
            await page.keyboard.press('Escape')
            await expect(opened).toHaveCount(0)
            await moveTo(page, '/my-expenses')
          })
      })

      test('a person who is not signed in gets the fitting screen', async ({ page }) => {
        await open(page, '/sign-in')
        for (const path of doors)
          await test.step(path, async () => {
            await moveTo(page, path)
            await settled(page)
            await expectUsable(page)
          })
      })
    })

/** Buttons of a form that stay outside the window, or under something else, when one scrolls to them. */
function unreachableOf(page: Page, form: string): Promise<string[]> {
  return page.evaluate((name) => {
    const buttons = [...document.querySelectorAll<HTMLElement>(`form[data-form=${name}] button, [role=dialog] button`)]
    return buttons
      .filter((button) => button.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((button) => {
        button.scrollIntoView({ block: 'nearest', behavior: 'instant' })
        const { left, top, width, height } = button.getBoundingClientRect()
        const found = document.elementFromPoint(left + width / 2, top + height / 2)
        return found === null || !(button.contains(found) || found.contains(button))
      })
      .map((button) => button.outerHTML.slice(0, 160))
  }, form)
}

async function expectUsable(page: Page): Promise<void> {
  expect
    .soft({ overflow: await overflowOf(page), small: await smallTargetsOf(page), cut: await cutLabelsOf(page) })
    .toEqual({ overflow: [], small: [], cut: [] })
  await expect.soft(page.locator('kbd:visible')).toHaveCount(0)
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

test('the tab of the queue that is shown is in sight, also once the counts are there', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await app.signIn(page)
  await page.goto(`${app.url}/review?queue=all`)
  const tab = page.getByRole('navigation', { name: /Queues|Filas/ }).getByRole('link', { name: /^(All|Todas) \d+$/ })
  await expect(tab).toBeInViewport({ ratio: 1 })
})

test('on a telephone a count of a group says what it counts', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await app.signIn(page)
  await page.goto(`${app.url}/review?queue=all&group=receiver`)
  // Other tests of this file add expenses and claimants.
  await expect(page.getByRole('gridcell', { name: /^\d+ (expenses?|despesas?|gastos?)$/ }).first()).toBeVisible()
  await expect(page.getByRole('gridcell', { name: /^\d+$/ })).toHaveCount(0)
})
