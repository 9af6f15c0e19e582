import { expect, test, type Page } from '@playwright/test'
import { startApp, type E2eApp, type Json, type SampleExpense } from '../support/app'
import { expectAccessible } from '../support/axe'
import { withoutFeed } from '../support/without-feed'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

/** Taxi 1 to Taxi 5 of 10 to 50 reais, in this order in the list. */
const expenses: SampleExpense[] = Array.from({ length: 5 }, (_, index) => ({
  claimant: 'Bruno Reis',
  date: '2026-03-04',
  amount: 10 * (index + 1),
  description: `Taxi ${index + 1}`,
}))

let app: E2eApp
let ids: number[]
test.beforeEach(async ({ page }) => {
  app = await startApp({ expenses })
  await app.signIn(page)
  const listed: Json = await app.api.get('/expenses?sort=amount')
  ids = listed.expenses.map(({ id }: Json) => id)
  await page.goto(`${app.url}/review?queue=awaiting_analysis&sort=amount`)
  await expect(grid(page)).toBeFocused()
  await expect(tab(page, 'To review')).toContainText('5')
})
test.afterEach(() => app.remove())

const expenseAt = (index: number): Promise<Json> => app.api.get(`/expenses/${ids[index] ?? 0}`)
const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })
const rowOf = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text })
const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name })
const unsent = (page: Page) => page.getByRole('group', { name: 'Decisions that were not saved' })

test(
  'decisions made without a network are shown as not saved, and are sent again at one press',
  { tag: '@journey' },
  async ({ page, context }) => {
    await context.setOffline(true)
    await page.keyboard.press('a')
    await expect(rowOf(page, 'Taxi 1')).toContainText('You are offline. Try again when you are back online.')
    await expect(rowOf(page, 'Taxi 1')).not.toContainText('Approved')
    await page.keyboard.press('r')
    await page.keyboard.type('Private')
    await page.keyboard.press('Enter')
    await expect(unsent(page)).toContainText('2 decisions were not saved')
    await expect(rowOf(page, 'Taxi 2')).not.toContainText('Rejected')
    await expectAccessible(page)
    await unsent(page).getByRole('button', { name: 'Try again' }).click()
    await expect(unsent(page)).toContainText('2 decisions were not saved')
    expect([(await expenseAt(0)).status, (await expenseAt(1)).status]).toEqual(['awaiting_analysis', 'awaiting_analysis'])

    // Someone else changes what one of the decisions was about: that one is not carried out.
    await app.api.send('PATCH', `/expenses/${ids[1] ?? 0}`, { amount: 21 })
    await context.setOffline(false)
    await expect(rowOf(page, 'Taxi 2')).toContainText('BRL 21.00')
    await expect(unsent(page)).toContainText('2 decisions were not saved')
    await unsent(page).getByRole('button', { name: 'Try again' }).click()
    await expect(rowOf(page, 'Taxi 1')).toContainText('Approved')
    await expect(rowOf(page, 'Taxi 2')).toContainText('Changed since you looked: amount')
    await expect(unsent(page)).toHaveCount(0)
    expect(await expenseAt(0)).toMatchObject({ status: 'approved', approved_amount: 10 })
    expect(await expenseAt(1)).toMatchObject({ status: 'awaiting_analysis', amount: 21 })
    await grid(page).focus()
    // The first is about the rejection, which did not come about.
    await page.keyboard.press('u')
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('Nothing to undo.')
    expect((await expenseAt(0)).status).toBe('approved')
    await page.keyboard.press('u')
    await expect.poll(async () => (await expenseAt(0)).status).toBe('awaiting_analysis')
  },
)

test('decisions without a response survive a reload, and only a press sends them', async ({ page, context }) => {
  await context.setOffline(true)
  await page.keyboard.press('a')
  await expect(unsent(page)).toContainText('1 decision was not saved')
  await context.setOffline(false)
  await page.reload()
  await expect(unsent(page)).toContainText('Taxi 1, BRL 10.00: Approved')
  await expect(rowOf(page, 'Taxi 1')).toContainText('No response. Try again')
  expect((await expenseAt(0)).version).toBe(1)
  await expectAccessible(page)
  await unsent(page).getByRole('button', { name: 'Discard' }).click()
  await expect(unsent(page)).toHaveCount(0)
  await page.reload()
  await expect(grid(page)).toBeFocused()
  await expect(unsent(page)).toHaveCount(0)
  expect((await expenseAt(0)).version).toBe(1)
})

test('sums are not asked for without a network, and are read again when it is back', async ({ page, context }) => {
  // The counts of the frame are read some time after the list.
  await withoutFeed(page)
  // From here on, no response is one that the page before asked for.
  await page.reload({ waitUntil: 'commit' })
  const counted = ['/pre_expenses', 'receiver_id_eq', 'group_by=receiver'].map((path) =>
    page.waitForResponse((response) => response.url().includes(path)),
  )
  await expect(grid(page)).toBeFocused()
  await Promise.all(counted)
  await expect(tab(page, 'To review')).toContainText('5')
  await expect(page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Review' })).toContainText('5')
  await context.setOffline(true)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET') asked.push(new URL(request.url()).pathname)
  })
  await app.api.send('PUT', `/expenses/${ids[4] ?? 0}/status`, { status: 'approved', approved_amount: 50, approved_amount_currency: 'BRL' })
  await page.keyboard.press('a')
  await expect(rowOf(page, 'Taxi 1')).toContainText('You are offline.')
  await page.keyboard.press('a')
  await expect(rowOf(page, 'Taxi 2')).toContainText('You are offline.')
  expect(asked.filter((path) => !path.endsWith('/events'))).toEqual([])
  await context.setOffline(false)
  await expect(tab(page, 'To review')).toContainText('4')
  await expect(tab(page, 'Decided')).toContainText('1')
})

test('all of the reason for which an expense was left is readable, in the list and in its details', async ({ page, context }) => {
  await context.setOffline(true)
  await page.keyboard.press('a')
  await expect(rowOf(page, 'Taxi 1')).toContainText('You are offline.')
  await page.keyboard.press('k')
  const note = page.getByRole('note')
  const all = 'You are offline. Try again when you are back online.'
  await expect(note).toContainText(all)
  expect(
    await note.getByText(all).evaluate((node) => node.scrollWidth <= node.clientWidth || getComputedStyle(node).display === 'inline'),
  ).toBe(true)
  await context.setOffline(false)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Expense' }).getByRole('note')).toContainText(all)
  await page.keyboard.press('l')
  await expect(note).toHaveCount(0)
  await expect(unsent(page)).toHaveCount(0)
})
