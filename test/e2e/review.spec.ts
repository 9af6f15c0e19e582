import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { startApp, type E2eApp, type Json, type SampleExpense } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

const claimants = ['Ana Lima', 'Bruno Reis', 'Carla Dias']
/** 150 expenses, 50 of each claimant, 10.00 to 159.00; every tenth in dollars. */
const expenses: SampleExpense[] = Array.from({ length: 150 }, (_, index) => ({
  claimant: claimants[index % 3] ?? '',
  date: `2026-03-${String((index % 28) + 1).padStart(2, '0')}`,
  amount: 10 + index,
  currency: index % 10 === 9 ? 'USD' : 'BRL',
  description: `Taxi ${index}`,
  tags: index % 2 === 0 ? 'Travel' : 'Meals',
}))

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({ expenses })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })
const row = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text })
const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name })

async function open(page: Page, address = '/review'): Promise<void> {
  await page.goto(`${app.url}${address}`)
  await expect(grid(page).getByRole('row').nth(1)).not.toHaveAttribute('aria-busy', 'true')
  await expect(grid(page)).toBeFocused()
}

/** What the API says of the expenses of a claimant, by status. */
async function countsOf(claimant: string): Promise<Record<string, number>> {
  const people: Json = await app.api.get('/expenses/summary?group_by=receiver')
  const id: unknown = people.groups.find((group: Json) => group.label === claimant)?.key
  const summary: Json = await app.api.get(`/expenses/summary?group_by=status&q[receiver_id_eq]=${String(id)}`)
  return Object.fromEntries(summary.groups.map((group: Json) => [group.key, group.count]))
}

async function choose(page: Page, menuItem: string, typed: string): Promise<void> {
  await page.keyboard.press('f')
  await expect(page.getByRole('menuitem', { name: menuItem, exact: true })).toBeVisible()
  // The menu takes the focus a moment after it is drawn, wherever the focus was by then.
  await expect(page.locator('[role=menu]:focus-within')).toBeVisible()
  const item = page.getByRole('menuitem', { name: menuItem, exact: true })
  for (let step = 0; step < 30; step += 1) {
    if (await item.evaluate((one) => one === document.activeElement)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: menuItem }).or(page.getByRole('textbox', { name: menuItem }))).toBeFocused()
  await page.keyboard.type(typed)
  await page.keyboard.press('Enter')
  await expect(grid(page)).toBeFocused()
}

test('a reviewer works through one claimant by keyboard alone, and everything can be taken back', { tag: '@journey' }, async ({ page }) => {
  await open(page)
  await choose(page, 'Claimant', 'Bruno')
  await expect(page.getByRole('group', { name: 'Claimant: Bruno Reis' })).toBeVisible()
  await expect(tab(page, 'To review')).toContainText('50')
  // The rows arrive after the count.
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '51')

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: 'Expense' })
  await expect(detail).toBeVisible()
  const openedId = Number(new URL(page.url()).pathname.split('/').at(-1))
  const opened: Json = await app.api.get(`/expenses/${openedId}`)
  await page.keyboard.press('p')
  const part = page.getByRole('dialog', { name: 'Approve in part' })
  await expect(part.getByRole('textbox', { name: /Approved amount/ })).toBeFocused()
  await page.keyboard.type('7,50')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Only the fare is covered')
  await page.keyboard.press('Enter')
  await expect(part).toBeHidden()
  await expect(row(page, opened.description)).toContainText('Approved')
  await expect.poll(async () => (await app.api.get(`/expenses/${openedId}`)).status).toBe('approved')
  const approved: Json = await app.api.get(`/expenses/${openedId}`)
  expect([approved.approved_amount, approved.approved_amount_currency]).toEqual([7.5, opened.currency])
  // The comment is written after the approval that it explains.
  await expect(async () => {
    const { comments } = await app.api.get(`/expenses/${openedId}/comments`)
    expect(comments[0]?.content).toBe('Only the fare is covered')
  }).toPass()

  await expect.poll(() => new URL(page.url()).pathname).not.toContain(String(openedId))
  const rejectedId = Number(new URL(page.url()).pathname.split('/').at(-1))
  await page.keyboard.press('r')
  await page.keyboard.type('Not a business trip')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await app.api.get(`/expenses/${rejectedId}`)).status).toBe('rejected')
  await page.keyboard.press('Escape')
  await expect(detail).toBeHidden()

  await page.keyboard.press('Control+Shift+A')
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: '48 will be approved' })).toBeVisible()
  await expect(page.getByRole('dialog')).not.toContainText('skipped')
  await page.keyboard.press('Enter')
  await expect(page.getByText('48 approved.').first()).toBeVisible()
  expect(await countsOf('Bruno Reis')).toEqual({ approved: 49, rejected: 1 })
  expect(await countsOf('Ana Lima')).toEqual({ awaiting_analysis: 50 })

  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone: 48 approved.').first()).toBeVisible()
  expect(await countsOf('Bruno Reis')).toEqual({ approved: 1, rejected: 1, awaiting_analysis: 48 })
  await page.keyboard.press('Control+Shift+Z')
  await expect(page.getByText('Redone: 48 approved.').first()).toBeVisible()
  expect(await countsOf('Bruno Reis')).toEqual({ approved: 49, rejected: 1 })

  const trail: Json = await app.api.get(`/expenses/${openedId}/activities`)
  expect(
    trail.activities.some(({ details }: Json) => details?.some(({ attribute, to }: Json) => attribute === 'approved_amount' && to === 7.5)),
  ).toBe(true)
})

test('no key acts on the rows of the list before while the one asked for is read', async ({ page }) => {
  await open(page)
  let release = () => undefined as void
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/api\/v1\/expenses\?.*receiver/, async (route) => {
    await released
    await route.continue()
  })
  const written: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') written.push(request.url())
  })
  await choose(page, 'Claimant', 'Bruno')
  await expect(page.getByRole('group', { name: 'Claimant: Bruno Reis' })).toBeVisible()
  for (const key of ['a', 'j', 'a', 'Enter', 'r']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Expense' })).toHaveCount(0)
  release()
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '51')
  expect(written).toEqual([])
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Expense' })).toContainText('Bruno Reis')
})

test('a name that is entered before the names have come is chosen when they are there', async ({ page }) => {
  const names = Promise.withResolvers<void>()
  await page.route(/summary\?.*group_by=receiver/, async (route) => {
    await names.promise
    await route.continue()
  })
  await open(page)
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: 'Claimant', exact: true }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Claimant' })).toBeFocused()
  await page.keyboard.type('Bruno')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Loading', { exact: true })).toBeVisible()
  names.resolve()
  await expect(page.getByRole('group', { name: 'Claimant: Bruno Reis' })).toBeVisible()
  await expect(grid(page)).toBeFocused()
})

test('while a menu is open no key decides about the list beneath', async ({ page }) => {
  await open(page)
  const views = page.getByRole('button', { name: 'Saved views' })
  await views.click()
  const save = page.getByRole('menuitem', { name: 'Save this view' })
  await expect(save).toBeVisible()
  // As on a slow machine, where the menu is drawn before it has the focus.
  await views.focus()
  await page.keyboard.press('a')
  await save.click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Small first')
  await page.keyboard.press('Enter')
  await views.click()
  await expect(page.getByRole('menuitem', { name: 'Small first', exact: true })).toBeVisible()
  await expect(tab(page, 'To review')).toContainText('150')
})

test('one key approves, the row stays in its place, and one key takes it back', async ({ page }) => {
  await open(page)
  const first = grid(page).getByRole('row').nth(1)
  const text = await first.locator('[data-column=description]').getByTitle(/./).last().innerText()
  await page.keyboard.press('a')
  await expect(row(page, text).first()).toContainText('Approved')
  await expect(tab(page, 'Decided')).toContainText('1')
  await expect(first).toContainText(text)
  await expect(tab(page, 'To review')).toContainText('149')
  await page.keyboard.press('u')
  await expect(tab(page, 'To review')).toContainText('150')
  await expect(first).toContainText(text)
})

test('the address says what is shown, and the way back leads through it', async ({ page }) => {
  await open(page)
  await choose(page, 'Amount', '100')
  await expect(page).toHaveURL(/f=amount\.above\.100/)
  await page.goto(`${app.url}/review?queue=all&group=receiver`)
  const groups = page.getByRole('grid', { name: 'Claimant' })
  await expect(groups.getByRole('row').filter({ hasText: 'Carla Dias' })).toContainText('50')
  await groups.press('Enter')
  await expect(grid(page)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name: 'All' })).toContainText('50')
  await page.keyboard.press('Backspace')
  await expect(groups).toBeVisible()
  await page.goBack()
  await expect(grid(page)).toBeVisible()
})
