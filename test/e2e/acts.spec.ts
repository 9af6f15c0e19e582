import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { startApp, type E2eApp, type Json, type SampleExpense } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

const expenses: SampleExpense[] = Array.from({ length: 40 }, (_, index) => ({
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

async function countsByStatus(): Promise<Record<string, number>> {
  const { groups }: Json = await app.api.get('/expenses/summary?group_by=status')
  return Object.fromEntries(groups.map((group: Json) => [group.key, group.count]))
}

/** The statuses that an expense has had, as its trail has them. */
async function movesOf(description: string): Promise<string[]> {
  const list: Json = await app.api.get('/expenses?sort=amount&per_page=100')
  const { id } = list.expenses.find((expense: Json) => expense.description === description)
  const { activities }: Json = await app.api.get(`/expenses/${String(id)}/activities?per_page=100`)
  return activities
    .flatMap(({ details }: Json) => details ?? [])
    .filter(({ attribute }: Json) => attribute === 'status')
    .map(({ to }: Json) => to)
    .toReversed()
}

test('acts and undos on one expense follow one another as fast as they are typed', async ({ page }) => {
  for (const key of 'tkakuu') await page.keyboard.press(key)
  await expect(status(page)).toContainText('Undone: Review of 1 started.')
  await expect(grid(page).getByRole('row').nth(1)).toContainText('Taxi 0')
  await expect(page.getByText('Changed since you looked')).toHaveCount(0)
  expect(await movesOf('Taxi 0')).toEqual(['analyzing', 'approved', 'analyzing', 'awaiting_analysis'])
})

test('undo pressed 27 times, faster than the server responds, undoes 27 acts', async ({ page }) => {
  await page.route('**/api/v1/expenses/*/status', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 120))
    await route.continue()
  })
  for (let turn = 0; turn < 27; turn += 1) await page.keyboard.press('a')
  for (let turn = 0; turn < 27; turn += 1) await page.keyboard.press('u')
  await expect.poll(countsByStatus).toEqual({ awaiting_analysis: 40 })
  await expect(page.getByText('Changed since you looked')).toHaveCount(0)
  expect(await movesOf('Taxi 26')).toContain('approved')
})

test('a double click on Approve approves once, and no one else is said to have changed it', async ({ page }) => {
  await page.keyboard.press('Enter')
  await page.getByRole('group', { name: 'Decide' }).getByRole('button', { name: 'Approve', exact: true }).dblclick()
  await expect(status(page)).toContainText('Approved')
  await expect(page.getByText('changed this in the meantime')).toHaveCount(0)
  await expect.poll(() => movesOf('Taxi 0')).toEqual(['approved'])
  await page.keyboard.press('u')
  await expect(status(page)).toContainText('Undone')
  expect((await movesOf('Taxi 0')).at(-1)).toBe('awaiting_analysis')
})

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
