import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { picture } from '#test/files/samples'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1280, height: 800 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: Array.from({ length: 30 }, (_, index) => ({
      claimant: index % 2 === 0 ? 'Maria Aparecida Gomes' : 'Bruno Reis',
      date: `2026-03-${String(index + 1).padStart(2, '0')}`,
      amount: 1000 + index,
      description: `Dinner with suppliers ${index}`,
      tags: 'Meals',
    })),
  })
  await app.api.send('POST', '/organizations/1/policies', {
    ...{ name: 'Meals', weight: 'note', condition: 'amount_over', amount: 80, currency: 'BRL' },
  })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })

/** How many pixels of the texts of a column are cut. */
function cutPx(page: Page, column: string): Promise<number> {
  return grid(page)
    .locator(`[role=gridcell][data-column=${column}]`)
    .evaluateAll((cells) =>
      Math.max(
        0,
        ...cells.flatMap((cell) =>
          [cell, ...cell.querySelectorAll('*')].map(({ scrollWidth, clientWidth }) => (clientWidth > 1 ? scrollWidth - clientWidth : 0)),
        ),
      ),
    )
}

for (const queue of ['awaiting_analysis', 'flagged'])
  test(`in ${queue}, next to the open detail, description, claimant and amount are whole at 1280 px`, async ({ page }) => {
    await page.goto(`${app.url}/review?queue=${queue}`)
    await expect(grid(page).getByRole('row').nth(5)).toBeVisible()
    await page.keyboard.press('Enter')
    const detail = page.getByRole('region', { name: 'Expense' })
    await expect(detail.getByRole('heading').first()).toBeVisible()
    await page.screenshot({ path: test.info().outputPath(`${queue}.png`) })
    for (const column of ['description', 'receiver', 'amount']) await expect.poll(() => cutPx(page, column), { message: column }).toBe(0)
    const room = await grid(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    // The handle of the last column reaches over the edge by half of its width.
    expect(room).toBeLessThanOrEqual(4)
  })

test('where all rows have one status it is a dot, with its name on the row that has the focus', async ({ page }) => {
  await page.goto(`${app.url}/review?queue=awaiting_analysis`)
  const rows = grid(page).getByRole('row')
  await expect(rows.nth(1)).toHaveAttribute('data-focused')
  await expect(rows.nth(1).getByText('To review')).toBeVisible()
  await expect(rows.nth(2).getByText('To review')).toBeHidden()
  await page.keyboard.press('j')
  await expect(rows.nth(2).getByText('To review')).toBeVisible()
  await expect(rows.nth(1).getByText('To review')).toBeHidden()
  await expectAccessible(page)
})

test('the receipt has at least half of the height of the detail, with fields and findings next to it', async ({ page }) => {
  const { expenses } = await app.api.get('/expenses?sort=-occurred_at')
  await page.goto(`${app.url}/review/${expenses[0].id}?queue=awaiting_analysis`)
  const buffer = await picture(1240, 1754).jpeg().toBuffer()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([{ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer }])
  await expect(page.getByRole('button', { name: 'Show receipt.jpg' })).toBeVisible()
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${app.url}/review/${expenses[0].id}?queue=awaiting_analysis`)
    const detail = page.getByRole('region', { name: 'Expense' })
    const picture = detail.getByRole('img').first()
    await expect(picture).toBeVisible()
    const [outer, inner, facts] = [
      await detail.boundingBox(),
      await picture.boundingBox(),
      await detail.getByRole('list', { name: 'Policies' }).boundingBox(),
    ]
    if (!outer || !inner || !facts) throw new Error('Nothing is drawn.')
    expect(inner.height).toBeGreaterThanOrEqual(outer.height / 2)
    expect(inner.width).toBeGreaterThanOrEqual(280)
    expect(facts.x).toBeGreaterThanOrEqual(inner.x + inner.width)
    await page.screenshot({ path: test.info().outputPath(`receipt-${width}.png`) })
  }
  await expectAccessible(page)
})
