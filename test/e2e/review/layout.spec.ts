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
      supplier: 'Cantina Boa',
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

/** The texts that are cut among those which the selector finds in the list. */
function cutTexts(page: Page, selector: string): Promise<string[]> {
  return grid(page)
    .locator(`[role=gridcell]${selector}`)
    .evaluateAll((cells) =>
      cells.flatMap((cell) =>
        [cell, ...cell.querySelectorAll('*')]
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      ),
    )
}

for (const queue of ['awaiting_analysis', 'flagged'])
  test(`in ${queue}, next to the open detail, date, supplier and amount are whole at 1280 px, and the claimant has a name`, async ({
    page,
  }) => {
    await page.goto(`${app.url}/review?queue=${queue}`)
    await expect(grid(page).getByRole('row').nth(5)).toBeVisible()
    await page.keyboard.press('Enter')
    const detail = page.getByRole('region', { name: 'Expense' })
    await expect(detail.getByRole('heading').first()).toBeVisible()
    await page.screenshot({ path: test.info().outputPath(`${queue}.png`) })
    const whole = ['[data-column=occurred_at]', '[data-column=amount]', '[data-column=description] [title] > :first-child']
    for (const selector of whole) await expect.poll(() => cutTexts(page, selector), { message: selector }).toEqual([])
    const first = grid(page).getByRole('row').nth(1)
    await expect(first.getByRole('time')).toBeInViewport({ ratio: 1 })
    await expect(first).toContainText('Dinner with suppliers')
    await expect(first.getByTitle('Bruno Reis')).toBeInViewport({ ratio: 1 })
    await expect(first.getByText('Meals', { exact: true })).toBeInViewport({ ratio: 1 })
    const room = await grid(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    // The handle of the last column reaches over the edge by half of its width.
    expect(room).toBeLessThanOrEqual(4)
  })

test('a row that leaves its queue says where to, and neither that nor the focus moves what it is called', async ({ page }) => {
  await page.goto(`${app.url}/review?queue=awaiting_analysis`)
  const rows = grid(page).getByRole('row')
  await expect(rows.nth(1)).toHaveAttribute('data-focused')
  const places = () =>
    grid(page)
      .getByText('Cantina Boa', { exact: true })
      .evaluateAll((names) => names.slice(0, 6).map((name) => name.getBoundingClientRect().x))
  const before = await places()
  await expect(rows.getByText(/To review|Approved/)).toHaveCount(0)
  await page.keyboard.press('j')
  await expect(rows.nth(2)).toHaveAttribute('data-focused')
  expect(await places()).toEqual(before)
  await page.keyboard.press('a')
  await expect(rows.nth(2).getByText('Approved')).toBeInViewport({ ratio: 1 })
  expect(await places()).toEqual(before)
  await expectAccessible(page)
  await page.keyboard.press('p')
  const sheet = page.getByRole('dialog', { name: 'Approve in part' })
  await expect(sheet).toContainText('Cantina Boa · Bruno Reis · claimed BRL 1,027.00')
  await expectAccessible(page)
})

test('the next expense is shown at once from its row, and no act moves', async ({ page }) => {
  await page.goto(`${app.url}/review?queue=awaiting_analysis`)
  await expect(grid(page).getByRole('row').nth(5)).toBeVisible()
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: 'Expense' })
  const acts = detail.getByRole('group', { name: 'Decide' }).getByRole('button')
  const edit = detail.getByRole('button', { name: 'Edit', exact: true })
  await expect(detail.getByText('Dinner with suppliers 29').first()).toBeVisible()
  await expect(acts.first()).toHaveText(/^Approve/)
  const places = async () => [...(await acts.all()), edit].map((button) => button.boundingBox())
  const before = await Promise.all(await places())
  await edit.evaluate((button) => button.setAttribute('data-kept', ''))
  // What the server says later changes nothing that is seen.
  await page.route(/\/api\/v1\/expenses\/\d+/, () => undefined)
  await page.keyboard.press('j')
  await expect(detail.getByText('Dinner with suppliers 28').first()).toBeVisible()
  await expect(detail.getByRole('heading', { name: 'Cantina Boa' })).toBeVisible()
  await expect(edit).toHaveAttribute('data-kept')
  expect(await Promise.all(await places())).toEqual(before)
  for (const button of await acts.all()) await expect(button).toBeInViewport({ ratio: 1 })
})

test('the receipt has at least half of the height of the detail and can be read, with fields and findings next to it', async ({ page }) => {
  const { expenses } = await app.api.get('/expenses?sort=-occurred_at')
  await page.goto(`${app.url}/review/${expenses[0].id}?queue=awaiting_analysis`)
  const buffer = await picture(1240, 1754).jpeg().toBuffer()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([{ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer }])
  await expect(page.getByRole('button', { name: 'Show receipt.jpg' })).toBeVisible()
  for (const [width, leastPx] of [
    [1440, 380],
    [1280, 280],
  ] as const) {
    await page.setViewportSize({ width, height: width === 1440 ? 900 : 800 })
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
    expect(inner.width).toBeGreaterThanOrEqual(leastPx)
    expect(facts.x).toBeGreaterThanOrEqual(inner.x + inner.width)
    await page.screenshot({ path: test.info().outputPath(`receipt-${width}.png`) })
  }
  await expectAccessible(page)
})
