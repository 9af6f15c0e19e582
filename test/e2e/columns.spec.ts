import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { inForm } from '#test/support/form'
import { startApp, type E2eApp, type Json, type SampleExpense } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1280, height: 800 } })

const description = 'Three nights in a hotel beside the fair, with breakfast and the city tax, as agreed with the whole team in May'
const expenses: SampleExpense[] = Array.from({ length: 60 }, (_, index) => ({
  claimant: index % 3 === 0 ? 'Maria Aparecida Gonçalves' : 'Bruno Reis',
  date: `2022-0${(index % 9) + 1}-${String((index % 28) + 1).padStart(2, '0')}`,
  amount: index === 59 ? 1_234_567.89 : 50_000 + index,
  description: `${String(index)} ${description}`,
  tags: index % 2 === 0 ? 'Travel' : 'Meals',
}))

let app: E2eApp
test.beforeAll(async () => {
  app = await startApp({ expenses })
  const listed: Json = await app.api.get('/expenses?per_page=100&sort=amount')
  for (const [index, { id, amount }] of listed.expenses.entries()) {
    const approved_amount = index % 4 === 0 ? amount / 2 : amount
    if (index % 2 === 0) await app.api.send('PUT', `/expenses/${String(id)}/status`, { status: 'approved', approved_amount })
  }
})
test.beforeEach(({ page }) => app.signIn(page))
test.afterAll(() => app.remove())

const header = (page: Page, name: string) => page.getByRole('columnheader', { name })

async function open(page: Page, address: string): Promise<void> {
  await page.goto(`${app.url}${address}`)
  await expect(page.getByRole('gridcell').getByRole('time').first()).toBeVisible()
}

/** The amounts and dates on the screen of which something is cut. */
function cutCells(page: Page): Promise<Array<string | null>> {
  return page.getByRole('gridcell').evaluateAll((cells) => {
    const isCut = (cell: Element) => {
      const room = cell.getBoundingClientRect()
      const grid = cell.closest('[role=grid]')?.getBoundingClientRect()
      return [...cell.querySelectorAll('time, time *, [data-whole] *:not(.visually-hidden)')].some((content) => {
        const { left, right } = content.getBoundingClientRect()
        const isShort = content.scrollWidth > content.clientWidth && content.clientWidth > 0
        return isShort || left < room.left || right > room.right || (grid !== undefined && right > grid.right)
      })
    }
    return cells.filter((cell) => cell.querySelector('time, [data-whole]') !== null && isCut(cell)).map((cell) => cell.textContent)
  })
}

for (const width of inForm([1280], [1440, 1360, 1280]))
  test(`at ${String(width)} px next to the open detail no amount and no date is cut, and description and claimant can be read`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    for (const queue of ['awaiting_analysis', 'approved', 'all']) {
      await open(page, `/review?queue=${queue}&sort=-amount`)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('region', { name: 'Expense' })).toBeVisible()
      expect(await cutCells(page)).toEqual([])
      const widthOf = async (name: string) => (await header(page, name).boundingBox())?.width ?? 0
      await expect(header(page, 'Status')).toHaveCount(queue === 'all' ? 1 : 0)
      if (queue === 'all') continue
      expect(await widthOf('Description')).toBeGreaterThanOrEqual(140)
      // Initials, with the name on hover.
      expect(await widthOf('Claimant')).toBeGreaterThanOrEqual(36)
      await expect(
        page
          .getByRole('gridcell')
          .getByTitle(/^(Maria Aparecida Gonçalves|Bruno Reis)$/)
          .first(),
      ).toBeInViewport({ ratio: 1 })
    }
  })

test('a description is read in full, and can be marked and copied, at the top of the details', async ({ page }) => {
  await open(page, '/review?queue=awaiting_analysis&sort=-amount')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('region', { name: 'Expense' }).getByRole('definition').first()
  await expect(shown).toHaveText(new RegExp(description))
  await shown.click({ clickCount: 3 })
  expect(await page.evaluate(() => window.getSelection()?.toString())).toContain(description)
  const isCut = await shown.evaluate((element) => element.scrollHeight > element.clientHeight)
  expect(isCut).toBe(false)
})

test('what is paid shows what was claimed and approved whole, at every width', async ({ page }) => {
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${app.url}/reimbursements`)
    await page.getByRole('gridcell', { name: 'Maria' }).click()
    await expect(page.getByRole('gridcell').getByRole('time').first()).toBeVisible()
    expect(await cutCells(page)).toEqual([])
  }
})
