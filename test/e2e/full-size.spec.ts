import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { jpgFile, type SampleFile, xmlFile } from '#test/support/sample-files'
import { elementOf, fieldsFor, toForm } from '#test/support/upload'
import { startApp, type E2eApp, type Json, type SampleExpense } from './support/app'
import { expectAccessible } from './support/axe'

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
  await attach(0, await jpgFile({ name: 'ride.jpg', width: 1200, height: 800 }))
  await attach(0, xmlFile())
  await attach(1, await jpgFile({ name: 'toll.jpg', width: 800, height: 1200 }))
})
test.afterEach(() => app.remove())

const expenseAt = (index: number): Promise<Json> => app.api.get(`/expenses/${ids[index] ?? 0}`)
const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })
const full = (page: Page) => page.getByRole('dialog', { name: 'Receipt' })
const heading = (page: Page) => full(page).getByRole('heading')
const status = (page: Page) => page.getByRole('region', { name: 'Status' })

/** Attaches a file to an expense of the list. */
async function attach(index: number, file: SampleFile): Promise<void> {
  const credentials = await app.api.get('/uploads/new')
  const response = await fetch(credentials.host, { method: 'POST', body: toForm(fieldsFor(credentials, file), file) })
  await app.api.send('POST', `/expenses/${ids[index] ?? 0}/attachments`, { file: elementOf(await response.text(), 'Location') })
}

/** Opens the list at its first expense, in full size. */
async function openFull(page: Page): Promise<void> {
  await page.goto(`${app.url}/review?queue=awaiting_analysis&sort=amount`)
  await expect(grid(page).getByRole('row').nth(1)).toContainText('Taxi 1')
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(heading(page)).toHaveText('Taxi 1')
}

test('a reviewer works through the receipts in full size, and acts as in the list', { tag: '@journey' }, async ({ page }) => {
  test.slow()
  await openFull(page)
  await expect(full(page)).toContainText('BRL 10.00')
  await expect(full(page)).toContainText('Bruno Reis')
  await expect(full(page).getByRole('img', { name: 'Receipt 1 of 2: ride.jpg' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ArrowRight')
  await expect(full(page).getByRole('document', { name: 'Receipt 2 of 2: nfe.xml' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(full(page).getByText('1 of 2')).toBeVisible()

  await page.keyboard.press('j')
  await expect(heading(page)).toHaveText('Taxi 2')
  await expect(full(page).getByRole('img', { name: 'Receipt 1 of 1: toll.jpg' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(heading(page)).toHaveText('Taxi 3')
  await expect(full(page).getByText('No receipts.')).toBeVisible()
  await page.keyboard.press('k')
  await expect(heading(page)).toHaveText('Taxi 2')

  await page.keyboard.press('a')
  await expect(status(page)).toContainText('1 approved')
  await expect(heading(page)).toHaveText('Taxi 3')
  expect(await expenseAt(1)).toMatchObject({ status: 'approved', approved_amount: 20 })
  await page.keyboard.press('u')
  await expect(status(page)).toContainText('Undone: 1 approved')
  await expect(heading(page)).toHaveText('Taxi 2')
  expect(await expenseAt(1)).toMatchObject({ status: 'awaiting_analysis' })

  await page.keyboard.press('r')
  const sheet = full(page).getByRole('dialog', { name: 'Reject' })
  await expect(sheet.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('ja')
  await expect(sheet.getByRole('textbox')).toHaveValue('ja')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(heading(page)).toHaveText('Taxi 2')
  await page.keyboard.press('n')
  await page.keyboard.type('Which ride?')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Taxi 3')
  await expect.poll(async () => (await expenseAt(1)).status).toBe('pending')

  await status(page).getByRole('button', { name: 'Clear' }).click()
  await page.keyboard.press('f')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(full(page)).toBeHidden()
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(new RegExp(`/review/${ids[3] ?? 0}`))
})

test('no expense is decided before it is shown, and only the one shown', async ({ page }) => {
  await page.goto(`${app.url}/review?queue=awaiting_analysis&sort=amount`)
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('x')
  await page.keyboard.press('Space')
  await expect(heading(page)).toHaveText('Taxi 1')
  let release = () => undefined as void
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`**/api/v1/expenses/${ids[1] ?? 0}`, async (route) => {
    await isReleased
    await route.continue()
  })
  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await expect(status(page)).toContainText('Nothing was done: this expense is still loading.')
  await expect(full(page).getByText('Loading')).toBeVisible()
  await expect(full(page).getByRole('button', { name: 'Back to the expense' })).toBeVisible()
  await page.keyboard.press('a')
  await page.keyboard.press('r')
  release()
  await expect(heading(page)).toHaveText('Taxi 2')
  await expect(full(page).getByRole('dialog')).toBeHidden()
  expect([(await expenseAt(0)).status, (await expenseAt(1)).status]).toEqual(['awaiting_analysis', 'awaiting_analysis'])
  await page.keyboard.press('a')
  await expect(heading(page)).toHaveText('Taxi 3')
  await expect.poll(async () => (await expenseAt(1)).status).toBe('approved')
  expect((await expenseAt(0)).status).toBe('awaiting_analysis')
})

test('an act in full size waits while an edit is not saved, and keys of covered parts do nothing', async ({ page }) => {
  await page.goto(`${app.url}/review/${ids[0] ?? 0}?queue=awaiting_analysis&sort=amount`)
  await expect(page.getByRole('heading', { name: 'Taxi 1' })).toBeVisible()
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Description' }).fill('Taxi to the airport')
  await page.getByRole('button', { name: 'Full size' }).click()
  await expect(heading(page)).toHaveText('Taxi 1')
  await page.keyboard.press('a')
  await expect(full(page).getByRole('alert')).toContainText('“Approve” did nothing')
  for (const key of ['/', 'f', 'c', 'x', 'Enter']) await page.keyboard.press(key)
  await page.keyboard.press('Escape')
  await expect(full(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Full size' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Taxi to the airport')
  expect((await expenseAt(0)).status).toBe('awaiting_analysis')
})

test("on an expense's own page the acts work in full size, and J and K stay where they are", async ({ page }) => {
  await page.goto(`${app.url}/expenses/${ids[0] ?? 0}`)
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
  await page.keyboard.press('Space')
  await page.keyboard.press('j')
  await expect(heading(page)).toHaveText('Taxi 1')
  await page.keyboard.press('p')
  const amount = full(page).getByRole('textbox', { name: 'Approved amount in BRL' })
  await expect(amount).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(amount).toBeHidden()
  await expect(full(page)).toBeVisible()
  await page.keyboard.press('p')
  await amount.fill('7')
  await page.keyboard.press('Enter')
  await expect(full(page)).toContainText('Approved BRL 7.00')
  await expect(amount).toBeHidden()
  await page.keyboard.press('u')
  await expect(full(page)).toContainText('To review')
  await page.keyboard.press('Escape')
  await expect(full(page)).toBeHidden()
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const button = (page: Page, name: string) => full(page).getByRole('button', { name, exact: true })

  test('a reviewer decides in full size, one expense after the other, and takes it back', async ({ page }) => {
    await page.goto(`${app.url}/review/${ids[0] ?? 0}?queue=awaiting_analysis&sort=amount`)
    await page.getByRole('button', { name: 'Full size' }).tap()
    await expect(heading(page)).toHaveText('Taxi 1')
    await expectAccessible(page)
    await expect(button(page, 'Previous expense')).toBeDisabled()
    await button(page, 'Next expense').tap()
    await expect(heading(page)).toHaveText('Taxi 2')
    await button(page, 'Previous expense').tap()
    await expect(heading(page)).toHaveText('Taxi 1')

    await button(page, 'Approve').dblclick()
    await expect(heading(page)).toHaveText('Taxi 2')
    await expect.poll(async () => (await expenseAt(0)).status).toBe('approved')
    await button(page, 'Reject').tap()
    const sheet = full(page).getByRole('dialog', { name: 'Reject' })
    await sheet.getByRole('textbox').fill('Private')
    await expect(button(page, 'Approve')).toBeHidden()
    await sheet.getByRole('button', { name: 'Reject', exact: true }).tap()
    await expect(heading(page)).toHaveText('Taxi 3')
    await expect.poll(async () => (await expenseAt(1)).status).toBe('rejected')
    await button(page, 'Ask for information').tap()
    await full(page).getByRole('dialog', { name: 'Ask' }).getByRole('textbox').fill('Which ride?')
    await full(page).getByRole('button', { name: 'Send question' }).tap()
    await expect(heading(page)).toHaveText('Taxi 4')
    await expect.poll(async () => (await expenseAt(2)).status).toBe('pending')
    await button(page, 'More actions').tap()
    await page.getByRole('menuitem', { name: 'Start review' }).tap()
    await expect(heading(page)).toHaveText('Taxi 5')
    await expect.poll(async () => (await expenseAt(3)).status).toBe('analyzing')
    await status(page).getByRole('button', { name: 'Undo' }).tap()
    await expect(heading(page)).toHaveText('Taxi 4')
    await expect.poll(async () => (await expenseAt(3)).status).toBe('awaiting_analysis')
    expect((await expenseAt(4)).status).toBe('awaiting_analysis')
    await button(page, 'Back to the expense').tap()
    await expect(full(page)).toBeHidden()
  })

  test('a button decides nothing that is not shown yet', async ({ page }) => {
    let release = () => undefined as void
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(`**/api/v1/expenses/${ids[1] ?? 0}`, async (route) => {
      await isReleased
      await route.continue()
    })
    await page.goto(`${app.url}/review/${ids[0] ?? 0}?queue=awaiting_analysis&sort=amount`)
    await page.getByRole('button', { name: 'Full size' }).tap()
    await button(page, 'Next expense').tap()
    await button(page, 'Approve').tap()
    await expect(status(page)).toContainText('Nothing was done: this expense is still loading.')
    release()
    await expect(heading(page)).toHaveText('Taxi 2')
    expect([(await expenseAt(0)).status, (await expenseAt(1)).status]).toEqual(['awaiting_analysis', 'awaiting_analysis'])
  })

  test("on an expense's own page its moves are below the receipt in full size", async ({ page }) => {
    await page.goto(`${app.url}/expenses/${ids[0] ?? 0}`)
    await page.getByRole('button', { name: 'Full size' }).tap()
    await button(page, 'Reject').tap()
    await full(page).getByRole('textbox', { name: 'Reason' }).fill('Private')
    await full(page).getByRole('button', { name: 'Reject', exact: true }).tap()
    await expect(full(page)).toContainText('Rejected')
    await expect.poll(async () => (await expenseAt(0)).status).toBe('rejected')
  })
})
