import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { startApp, type E2eApp, type Json } from './support/app'
import { expectAccessible } from './support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

const on = (day: number) => `2026-03-0${String(day)}`

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [
      { claimant: 'Bruno Lima', date: on(4), amount: 100, description: 'Hotel' },
      { claimant: 'Bruno Lima', date: on(3), amount: 20, description: 'Taxi' },
      { claimant: 'Bruno Lima', date: on(2), amount: 30, currency: 'USD', description: 'Train' },
      { claimant: 'Bruno Lima', date: on(1), amount: 9, description: 'Lunch' },
      { claimant: 'Carla Dias', date: on(1), amount: 50, description: 'Flight' },
    ],
  })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const expensesByName = async (): Promise<Map<string, Json>> => {
  const { expenses } = await app.api.get('/expenses')
  return new Map(expenses.map((expense: Json) => [expense.description, expense]))
}

async function open(title: string, names: readonly string[]): Promise<Json> {
  const known = await expensesByName()
  return app.api.send('POST', '/accountabilities', {
    title,
    payer_id: 1,
    receiver_id: known.get('Hotel').receiver.id,
    expense_ids: names.map((name) => known.get(name).id),
  })
}

const card = (page: Page, title: string) => page.getByRole('link', { name: title })
const column = (page: Page, name: string) => page.getByRole('region', { name })
const state = (page: Page) => page.locator('[aria-current=step]')
const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses', exact: true })

test('an accountability goes from nothing to finished, and pays each claimant in each currency', { tag: '@journey' }, async ({ page }) => {
  test.slow()
  const { id: lunch } = (await expensesByName()).get('Lunch')
  await app.api.send('PATCH', `/expenses/${String(lunch)}`, { liquidate_through_advancement: true })
  await page.goto(`${app.url}/accountabilities`)
  await expect(page.getByText('No expense reports yet')).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.type('Trip to Recife')
  await page.getByRole('combobox', { name: 'Claimant' }).click()
  await page.getByRole('option', { name: 'Bruno Lima' }).click()
  const picker = page.getByRole('grid', { name: 'Expenses you can add' })
  await expect(picker.getByRole('row')).toHaveCount(5)
  await picker.getByRole('checkbox', { name: 'Select all' }).click()
  await expect(page.getByText('4 expenses')).toBeVisible()
  await expect(page.getByText('BRL 129.00')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create expense report' }).click()

  await expect(page.getByRole('heading', { name: 'Trip to Recife' })).toBeVisible()
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('n')
  await page.getByRole('combobox', { name: 'Expenses of' }).click()
  await page.getByRole('option', { name: 'Carla Dias' }).click()
  await expect(picker.getByRole('row', { name: /Flight/ })).toBeVisible()
  await picker.focus()
  await page.keyboard.press('x')
  await expect(page.getByText('1 expense', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Add to the report' }).click()
  await expect(grid(page).getByRole('row', { name: /Flight/ })).toBeVisible()

  // The button of the next step takes the place of the pressed one: a double click is one step.
  await page.getByRole('button', { name: 'Submit' }).dblclick()
  await expect(state(page)).toHaveText('Submitted')
  await page.keyboard.press('f')
  await expect(state(page)).toHaveText('Reviewed')
  await page.keyboard.press('f')
  const whole = page.getByRole('dialog', { name: '5 expenses will be approved in full' })
  await expect(whole).toBeVisible()
  await whole.getByRole('button', { name: 'Cancel' }).click()
  await expect(whole).toBeHidden()
  await expect(page.getByText('5 expenses are not approved.').first()).toBeVisible()

  await grid(page).focus()
  await page.keyboard.press('a')
  await expect(page.getByText('4 expenses are not approved.')).toBeVisible()
  await page.keyboard.press('Shift+A')
  await expect(page.getByRole('dialog', { name: '4 expenses will be approved in full' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('4 expenses approved').first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'not approved' })).toHaveCount(0)
  await page.keyboard.press('f')
  await expect(state(page)).toHaveText('Approved')
  await page.keyboard.press('f')
  const sheet = page.getByRole('dialog', { name: 'Finish “Trip to Recife”?' })
  await expect(sheet.getByText('3 reimbursements will be created:')).toBeVisible()
  await expect(sheet.getByText('1 expense is settled with the advance:')).toBeVisible()
  await expect(sheet.getByText('BRL 120.00')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(state(page)).toHaveText('Finished')
  await expect(page.getByRole('link', { name: /Reimbursement \d/ })).toHaveCount(4)
  // What led to a finished report cannot be undone any more, and is not tried.
  await page.keyboard.press('u')
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('Nothing to undo.')
  await expect(page.getByRole('alert')).toHaveCount(0)

  const { reimbursements }: Json = await app.api.get('/reimbursements')
  expect(reimbursements.map(({ receiver, currency, amount }: Json) => `${receiver.name} ${currency} ${String(amount)}`).toSorted()).toEqual(
    ['Bruno Lima BRL 120', 'Bruno Lima USD 30', 'Carla Dias BRL 50'],
  )
  const known = await expensesByName()
  expect([...known.values()].map(({ status }) => status)).toEqual(Array(5).fill('liquidated'))
  expect(known.get('Lunch').reimbursement_id).toBeNull()
})

test('the board is worked by keyboard: the focus goes with the card, and a move is taken back', async ({ page }) => {
  await open('First', ['Hotel'])
  await open('Second', ['Taxi'])
  await page.goto(`${app.url}/accountabilities`)
  await card(page, 'Second').focus()
  await page.keyboard.press('ArrowDown')
  await expect(card(page, 'First')).toBeFocused()
  await page.keyboard.press('f')
  await expect(column(page, 'Submitted 1').getByRole('link', { name: 'First' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(card(page, 'Second')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(card(page, 'First')).toBeFocused()
  await expect(page.getByText('“First” is now Submitted').first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(column(page, 'Draft 2').getByRole('link', { name: 'First' })).toBeFocused()
  await page.getByRole('button', { name: 'Move “Second” to Submitted' }).click()
  await expect(column(page, 'Submitted 1')).toBeVisible()
  await card(page, 'Second').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Second' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card(page, 'First')).toBeVisible()
})

test('expenses are approved, removed and restored', async ({ page }) => {
  const { id } = await open('Review', ['Hotel', 'Taxi', 'Train'])
  await page.goto(`${app.url}/accountabilities/${String(id)}`)
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('Delete')
  await expect(grid(page).getByRole('row', { name: /Taxi/ })).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(grid(page).getByRole('row', { name: /Taxi/ })).toBeVisible()
  await page.getByRole('button', { name: /Approve 3 with no issues/ }).click()
  await page.keyboard.press('Enter')
  await expect(grid(page).getByRole('gridcell', { name: 'Approved', exact: true })).toHaveCount(3)
  await expect(page.getByText('3 expenses approved').first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(grid(page).getByRole('row', { name: /To review/ })).toHaveCount(3)
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Title' }).fill('Renamed')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Renamed' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete expense report' }).click()
  await expect(page.getByText('“Renamed” deleted').first()).toBeVisible()
  await expect(card(page, 'Renamed')).toHaveCount(0)
})

test('the button that approves the whole does so with its expenses, or shows which are in the way and leads to them', async ({ page }) => {
  const { id } = await open('Whole', ['Hotel', 'Taxi'])
  const known = await expensesByName()
  await app.api.send('PUT', `/expenses/${String(known.get('Taxi').id)}/status`, { status: 'rejected' })
  for (const status of ['ready_to_review', 'analyzed']) await app.api.send('PUT', `/accountability/${String(id)}/status`, { status })
  await page.goto(`${app.url}/accountabilities/${String(id)}`)
  await expect(page.getByText('2 expenses are not approved')).toBeVisible()
  await page.getByRole('button', { name: 'Approve all' }).click()
  const sheet = page.getByRole('dialog', { name: '2 expenses are not approved.' })
  await expect(sheet.getByRole('listitem')).toHaveCount(2)
  await expect(sheet).toContainText('Rejected')
  await expectAccessible(page)
  await sheet.getByRole('link', { name: /Taxi/ }).click()
  await expect(page).toHaveURL(new RegExp(`/expenses/${String(known.get('Taxi').id)}`))
  await app.api.send('PUT', `/expenses/${String(known.get('Taxi').id)}/status`, { status: 'analyzing' })
  await page.goto(`${app.url}/accountabilities/${String(id)}`)
  await expect(page.getByText('2 expenses are not approved')).toBeVisible()
  await page.getByRole('button', { name: 'Approve all' }).click()
  await expect(page.getByRole('dialog', { name: '2 expenses will be approved in full' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(state(page)).toHaveText('Approved')
  // The page shows it at once; the server has it a moment later.
  await expect.poll(async () => (await app.api.get(`/accountability/${String(id)}`)).status).toBe('approved')
})
