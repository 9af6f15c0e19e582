import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { newCardNumber } from '#test/support/cards'
import { ofxOf } from '#test/support/statements/upload'
import { expectAccessible } from './support/axe'
import { type E2eApp, type Json, startApp } from './support/app'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async () => {
  app = await startApp()
})
test.afterEach(() => app.remove())

const ride = { description: 'Ride home', amount: 23.4, currency: 'BRL', occurred_at: '2026-03-04T10:20:00Z', tags: ['taxi'] }
const send = (attributes: Json = {}): Promise<Json> => app.api.send('POST', '/pre_expenses', { ...ride, ...attributes })
const expenses = async (): Promise<Json[]> => (await app.api.get('/expenses')).expenses
const grid = (page: Page) => page.getByRole('grid')
const badge = (page: Page) => page.getByRole('link', { name: /^Suggested expenses/ })

async function open(page: Page, path = '/pre-expenses') {
  await app.signIn(page)
  await page.goto(`${app.url}${path}`)
  await expect(grid(page)).toBeVisible()
}

test('one is noted by key, with its amount to follow, and converted later', { tag: '@journey' }, async ({ page }) => {
  await send()
  await open(page)
  await page.keyboard.press('n')
  const form = page.getByRole('form', { name: 'New suggested expense' })
  await expect(form.getByRole('textbox', { name: 'Description' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(form.getByRole('textbox', { name: 'Description' })).toHaveAttribute('aria-invalid', 'true')
  await form.getByRole('textbox', { name: 'Description' }).fill('Hotel in Recife')
  await form.getByRole('textbox', { name: 'Amount' }).fill('a lot')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('textbox', { name: 'Amount' })).toHaveAttribute('aria-invalid', 'true')
  await form.getByRole('textbox', { name: 'Amount' }).fill('')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Hotel in Recife' })).toBeVisible()
  await expect(grid(page).getByRole('row')).toHaveCount(3)
  await page.keyboard.press('e')
  await page.getByRole('form', { name: 'Convert to an expense' }).getByRole('textbox', { name: 'Amount' }).fill('300')
  await page.getByRole('form', { name: 'Convert to an expense' }).getByRole('textbox', { name: 'Date' }).fill('4/3/2026')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Converted to an expense').first()).toBeVisible()
  expect(await expenses()).toMatchObject([{ description: 'Hotel in Recife', amount: 300 }])
})

test('each says where it comes from, and a statement that is chosen here brings those of a card', { tag: '@journey' }, async ({ page }) => {
  await send({ extra_information: { from: 'Airport' } })
  await send({ description: 'Hotel in Recife' })
  await app.api.send('POST', '/corporative_cards', {
    name: 'Travel',
    number: newCardNumber(),
    expiration_date: '12/39',
    organization_id: 1,
  })
  await open(page)
  await expect(grid(page).getByRole('row', { name: /Ride home/ })).toContainText('Integration')
  await expect(grid(page).getByRole('row', { name: /Hotel in Recife/ })).toContainText('Noted by hand')
  const buffer = Buffer.from(ofxOf([{ day: '2026-03-04', amount: '-42.50', name: 'PADARIA REAL', id: '202603040001' }]))
  await page.locator('input[type=file]').setInputFiles({ name: 'march.ofx', mimeType: 'application/x-ofx', buffer })
  const panel = page.getByRole('region', { name: /march\.ofx/ })
  await expect(panel).toContainText('1 new line')
  await panel.getByRole('button', { name: 'Add 1 line' }).click()
  await page.getByRole('link', { name: /^Suggested expenses/ }).click()
  await expect(grid(page).getByRole('row', { name: /PADARIA REAL/ })).toContainText(/Travel ·· \d{4}/)
  await grid(page)
    .getByRole('row', { name: /PADARIA REAL/ })
    .click()
  await page
    .getByRole('region', { name: 'Suggested expense', exact: true })
    .getByRole('link', { name: /^Statement of Travel/ })
    .click()
  await expect(page).toHaveURL(/\/statements\?card=\d+/)
})

test('a statement that is chosen here is shown, whatever arrives while its screen is drawn', async ({ page }) => {
  await send()
  await app.api.send('POST', '/corporative_cards', {
    name: 'Travel',
    number: newCardNumber(),
    expiration_date: '12/39',
    organization_id: 1,
  })
  await app.signIn(page)
  const buffer = Buffer.from(ofxOf([{ day: '2026-03-04', amount: '-42.50', name: 'PADARIA REAL', id: '202603040001' }]))
  const news = new AbortController()
  const arriving = (async () => {
    while (!news.signal.aborted) await send()
  })()
  try {
    // Only the first visit after a load draws the screen in pieces.
    for (let visit = 0; visit < 4; visit += 1) {
      await page.goto(`${app.url}/pre-expenses`)
      await expect(grid(page)).toBeVisible()
      await page.locator('input[type=file]').setInputFiles({ name: 'march.ofx', mimeType: 'application/x-ofx', buffer })
      await expect(page.getByRole('region', { name: /march\.ofx/ })).toContainText('1 new line')
    }
  } finally {
    news.abort()
    await arriving
  }
})

test('one is converted with its prefilled form, and leaves the inbox', { tag: '@journey' }, async ({ page }) => {
  await send({ extra_information: { from: 'Airport', km: 14.2 } })
  await send({ description: 'Unknown price', amount: null, currency: null })
  await open(page)
  await expect(grid(page).getByRole('row')).toHaveCount(3)
  await expect(badge(page)).toContainText('2')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Ride home' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Suggested expense', exact: true })).toContainText('Airport')
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'Convert to an expense' })
  await expect(form.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await expect(form.getByRole('textbox', { name: 'Amount' })).toHaveValue('23.40')
  await expect(form.getByRole('textbox', { name: 'Date' })).toHaveValue('04/03/2026')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Converted to an expense').first()).toBeVisible()
  expect(await expenses()).toMatchObject([
    { amount: 23.4, description: 'Ride home', tags: 'taxi', occurred_at: ride.occurred_at, pre_expense_id: 1 },
  ])

  await expect(page.getByRole('heading', { name: 'Unknown price' })).toBeVisible()
  await expect(badge(page)).toContainText('1')
  await page.keyboard.press('e')
  await page.keyboard.press('Enter')
  await expect(form).toContainText('Fill this in')
  await page.keyboard.type('1.234,56')
  await form.getByRole('textbox', { name: 'Date' }).fill('5/3/26')
  await form.getByRole('checkbox', { name: 'Settle with my advance' }).check()
  await form.getByRole('textbox', { name: 'Description' }).fill('Ride, paid in cash')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No suggestions.')).toBeVisible()
  expect((await expenses()).find(({ pre_expense_id }) => pre_expense_id === 2)).toMatchObject({
    amount: 1234.56,
    description: 'Ride, paid in cash',
    occurred_at: '2026-03-05T00:00:00Z',
    liquidate_through_advancement: true,
  })
  await page.getByRole('radiogroup', { name: 'Suggested expenses shown' }).getByText('Converted').click()
  await grid(page).getByText('Ride home').click()
  await page.getByRole('link', { name: 'Open the expense' }).click()
  await expect(page).toHaveURL(/\/expenses\/1$/)
})

test('one is ignored, taken back, ignored, restored and deleted', async ({ page }) => {
  await send()
  await open(page, '/pre-expenses/1')
  await expect(page.getByRole('heading', { name: 'Ride home' })).toBeVisible()
  await page.keyboard.press('i')
  await expect(page.getByText('No suggestions.')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(grid(page).getByText('Ride home')).toBeVisible()
  await page.keyboard.press('i')
  await expect(page.getByText('No suggestions.')).toBeVisible()
  await page.goto(`${app.url}/pre-expenses?status=ignored`)
  await expect(grid(page).getByText('Ride home')).toBeVisible()
  await page.keyboard.press('r')
  await expect(page.getByText('No ignored suggestions.')).toBeVisible()
  await page.goto(`${app.url}/pre-expenses/1`)
  await expect(page.getByRole('heading', { name: 'Ride home' })).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(page.getByRole('button', { name: 'Delete suggested expense' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Ride home' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.keyboard.press('Enter')
  await expect(page.getByText('No suggestions.')).toBeVisible()
  expect((await app.api.get('/pre_expenses')).count).toBe(0)
})

test(
  'several are converted at once: the sheet shows the result, and incomplete ones stay selected',
  { tag: '@journey' },
  async ({ page }) => {
    for (const amount of [10, 20.5, 30]) await send({ amount })
    await send({ amount: 7, currency: 'USD' })
    await send({ description: 'No price', amount: null })
    await open(page)
    await expect(grid(page).getByRole('row')).toHaveCount(6)
    await grid(page).focus()
    await page.keyboard.press('Control+a')
    await expect(page.getByRole('toolbar', { name: 'Selected suggestions' })).toContainText('5 selected')
    await page.keyboard.press('e')
    const sheet = page.getByRole('dialog')
    await expect(sheet).toContainText('4 will be converted: BRL 60.50 and USD 7.00.')
    await expect(sheet).toContainText('Acme pays.')
    await expect(sheet).toContainText('1 will not be converted: its amount or date is missing.')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page.getByText('4 converted to expenses').first()).toBeVisible()
    await expect(page.getByRole('toolbar', { name: 'Selected suggestions' })).toContainText('1 selected')
    await expect(grid(page).getByRole('row')).toHaveCount(2)
    expect(await expenses()).toHaveLength(4)
  },
)

test('the form shows the server’s errors, and nothing is lost', async ({ page }) => {
  await send({ tags: ['unheard of'] })
  await app.api.send('PATCH', '/organizations/1', { restricted_tags: true })
  await open(page, '/pre-expenses/1')
  await expect(page.getByRole('heading', { name: 'Ride home' })).toBeVisible()
  await page.keyboard.press('e')
  const form = page.getByRole('form', { name: 'Convert to an expense' })
  await form.getByRole('textbox', { name: 'Amount' }).fill('25')
  await page.keyboard.press('Enter')
  await expect(form).toContainText('unheard of does not exist in this organization')
  await expect(form.getByRole('textbox', { name: 'Amount' })).toHaveValue('25')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Ignore/ })).toBeVisible()
  expect(await expenses()).toHaveLength(0)
})

test('a narrow window in Portuguese: the detail covers the list and gives it back', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 700 })
  await app.api.send('PATCH', '/preferences', { locale: 'pt' })
  await send()
  await open(page)
  await grid(page).getByText('Ride home').click()
  await expect(page.getByRole('heading', { name: 'Ride home' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(grid(page).getByText('Ride home')).toBeVisible()
  await page.goto(`${app.url}/pre-expenses/999`)
  await expect(page.getByText('Esta pré-despesa não existe ou você não tem acesso a ela.')).toBeVisible()
})
