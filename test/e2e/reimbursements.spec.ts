import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { startApp, type E2eApp, type Json } from './support/app'
import { expectAccessible } from './support/axe'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

const expenses = [
  { claimant: 'Bruno Lima', date: '2026-03-01', amount: 62.5, description: 'Taxi', tags: 'Travel' },
  { claimant: 'Bruno Lima', date: '2026-03-02', amount: 210, description: 'Lunch, 3 people', tags: 'Meals' },
  { claimant: 'Bruno Lima', date: '2026-03-03', amount: 30, currency: 'USD', description: 'Visa' },
  { claimant: 'Carla Dias', date: '2026-03-04', amount: 99.99, description: 'Hotel' },
  { claimant: 'Carla Dias', date: '2026-03-05', amount: 10, description: 'Not approved' },
]

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({ expenses })
  const list: Json = await app.api.get('/expenses?per_page=100')
  for (const { id, amount, currency, description } of list.expenses) {
    if (description === 'Not approved') continue
    const body = { status: 'approved', approved_amount: amount, approved_amount_currency: currency }
    await app.api.send('PUT', `/expenses/${String(id)}/status`, body)
  }
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const people = (page: Page) => page.getByRole('grid', { name: 'People to pay' })
const toPay = (page: Page) => page.getByRole('grid', { name: 'Expenses to pay' })
const sheet = (page: Page, name: string) => page.getByRole('dialog', { name })
const payment = (page: Page) => page.getByRole('region', { name: 'Payment' })

async function statusOf(description: string): Promise<string> {
  const list: Json = await app.api.get('/expenses?per_page=100')
  return String(list.expenses.find((expense: Json) => expense.description === description)?.status)
}

async function reimbursements(): Promise<Json[]> {
  return (await app.api.get('/reimbursements')).reimbursements
}

test('a person is paid by keyboard alone, it is undone, and paid again in part', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${app.url}/reimbursements`)
  await expect(people(page)).toBeFocused()
  await expect(people(page).getByRole('row').nth(1)).toContainText('Bruno Lima2BRL 272.50')
  await expect(people(page).getByRole('row').nth(2)).toContainText('Bruno Lima1USD 30.00')
  await expect(people(page).getByRole('row').nth(3)).toContainText('Carla Dias1BRL 99.99')
  await expect(page.getByRole('link', { name: /To pay/ })).toContainText('3')
  await page.keyboard.press('Enter')
  await expect(toPay(page).getByRole('row', { selected: true })).toHaveCount(2)
  await expectAccessible(page)
  await page.keyboard.press('p')
  await expect(sheet(page, 'Pay BRL 272.50 to Bruno Lima?')).toContainText('2 expenses')
  expect(await reimbursements()).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByText('Paid BRL 272.50 to Bruno Lima').first()).toBeVisible()
  await expect(people(page)).toBeFocused()
  await expect(payment(page).getByRole('heading', { name: 'Bruno Lima' })).toBeVisible()
  await expect(payment(page)).toContainText('USD 30.00')
  await expect(people(page).getByRole('row')).toHaveCount(3)
  expect(await reimbursements()).toMatchObject([{ amount: 272.5, currency: 'BRL' }])
  expect(await statusOf('Taxi')).toBe('liquidated')

  await page.keyboard.press('Control+z')
  await expect(people(page).getByRole('row')).toHaveCount(4)
  await expect.poll(reimbursements).toEqual([])
  expect(await statusOf('Taxi')).toBe('approved')

  await expect(toPay(page).getByRole('row', { selected: true })).toHaveCount(2)
  await toPay(page).focus()
  await page.keyboard.press('x')
  await expect(payment(page)).toContainText('1 of 2 chosen')
  await page.keyboard.press('e')
  await page.keyboard.type('200')
  await expect(payment(page)).toContainText('10.00 less than the expenses, which add up to BRL 210.00')
  await page.keyboard.press('Enter')
  await expect(sheet(page, 'Pay BRL 200.00 to Bruno Lima?')).toContainText('10.00 less than the expenses')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Paid BRL 200.00 to Bruno Lima').first()).toBeVisible()
  await expect.poll(async () => (await reimbursements()).length).toBe(1)
  const [paid] = await reimbursements()
  expect(paid).toMatchObject({ amount: 200, receiver: { name: 'Bruno Lima' } })
  expect(paid.expenses.map((expense: Json) => expense.description)).toEqual(['Lunch, 3 people'])
  expect(await statusOf('Taxi')).toBe('approved')
})

test('one key asks and a second one pays; held, pressed twice or canceled, no one is paid twice', async ({ page }) => {
  await page.goto(`${app.url}/reimbursements`)
  await expect(people(page)).toBeFocused()
  await page.keyboard.press('p')
  await expect(sheet(page, 'Pay BRL 272.50 to Bruno Lima?')).toBeVisible()
  await page.keyboard.press('p')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await reimbursements()).toEqual([])
  await expect(people(page)).toBeFocused()
  await page.keyboard.press('p')
  await expect(page.getByRole('button', { name: 'Record the payment' })).toBeEnabled()
  await page.getByRole('button', { name: 'Record the payment' }).dblclick({ force: true })
  await expect(people(page).getByRole('row')).toHaveCount(3)
  expect(await reimbursements()).toMatchObject([{ amount: 272.5 }])
  await people(page).focus()
  await page.keyboard.press('p')
  await expect(sheet(page, 'Pay USD 30.00 to Bruno Lima?')).toBeVisible()
  await page.keyboard.down('Enter')
  await page.keyboard.down('Enter')
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(people(page).getByRole('row')).toHaveCount(2)
  expect(await reimbursements()).toHaveLength(2)
})

test('several people are paid in one sheet with a total for every currency, and undone as one', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${app.url}/reimbursements`)
  await expect(people(page)).toBeFocused()
  await people(page).getByRole('checkbox', { name: 'Select all' }).click()
  await expect(page.getByRole('toolbar', { name: 'Selected payments' })).toContainText('3 selected · BRL 372.49 · USD 30.00')
  await people(page).focus()
  await page.keyboard.press('p')
  const asked = sheet(page, 'Record 3 payments?')
  await expect(asked).toContainText('Carla Dias')
  await expect(asked).toContainText('Total BRLBRL 372.49')
  await expect(asked).toContainText('Total USDUSD 30.00')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('3 payments recorded: BRL 372.49 · USD 30.00').first()).toBeVisible()
  await expect.poll(async () => (await reimbursements()).length).toBe(3)
  await page.keyboard.press('u')
  await expect(page.getByText('Undone: 3 payments recorded').first()).toBeVisible()
  await expect.poll(reimbursements).toEqual([])
  expect([await statusOf('Taxi'), await statusOf('Hotel')]).toEqual(['approved', 'approved'])
})

test('what was paid is found, edited, commented on and deleted, which gives its expenses back', { tag: '@journey' }, async ({ page }) => {
  const list: Json = await app.api.get('/expenses?per_page=100')
  const hotel: Json = list.expenses.find((expense: Json) => expense.description === 'Hotel')
  const made: Json = await app.api.send('POST', '/reimbursements', {
    payer: { id: 1, type: 'Organization' },
    receiver: { id: hotel.receiver.id, type: 'User' },
    amount: 99.99,
    date: '2026-03-10',
    description: 'March',
    tags: ['Travel'],
    expense_ids: [hotel.id],
  })
  await page.goto(`${app.url}/reimbursements`)
  await expect(people(page)).toBeFocused()
  await page.keyboard.press('v')
  await page.keyboard.press('p')
  const grid = page.getByRole('grid', { name: 'Reimbursements' })
  await expect(grid).toBeFocused()
  await page.keyboard.press('f')
  await page.getByRole('textbox', { name: 'Amount from' }).fill('100')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No reimbursement matches these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove filter Amount from: 100' }).click()
  await expect(grid.getByRole('row').nth(1)).toContainText('Carla DiasMarchTravel1BRL 99.99')
  await grid.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${app.url}/reimbursements/${String(made.id)}`)
  const detail = page.getByRole('region', { name: 'Reimbursement', exact: true })
  await expect(detail.getByRole('grid', { name: 'Expenses it paid' })).toContainText('Hotel')

  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Description' }).fill('March, hotel')
  await page.keyboard.press('Enter')
  await expect(detail.getByRole('heading', { name: 'March, hotel' })).toBeVisible()
  await page.keyboard.press('c')
  await page.getByLabel('Write a comment').fill('Sent to the bank')
  await page.keyboard.press('Control+Enter')
  await expect(detail.getByRole('list', { name: 'Comments' })).toContainText('Sent to the bank')
  await page.keyboard.press('Escape')
  await page.keyboard.press('v')
  await page.keyboard.press('a')
  await expect(detail.getByRole('list', { name: 'Activity' })).toContainText('March, hotel')

  await page.keyboard.press('Delete')
  const sheet = page.getByRole('dialog', { name: 'Delete this reimbursement?' })
  await expect(sheet).toContainText('Its expense becomes approved again')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No reimbursements yet.')).toBeVisible()
  expect(await statusOf('Hotel')).toBe('approved')
})

test('a reimbursement without expenses is made', async ({ page }) => {
  await app.addUser({ name: 'Davi Rocha', email: 'davi@example.org', role: 'member' })
  await page.goto(`${app.url}/reimbursements`)
  await expect(people(page)).toBeFocused()
  await page.keyboard.press('n')
  await page.getByRole('combobox', { name: 'Claimant' }).fill('Davi')
  await expect(page.getByRole('option', { name: 'Davi Rocha' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Fill this in')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Amount' }).fill('40')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Paid BRL 40.00 to Davi Rocha').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Reimbursement to Davi Rocha' })).toBeVisible()
})

test('a name that was typed before the members were there is never taken for another person', async ({ page }) => {
  await app.addUser({ name: 'Davi Rocha', email: 'davi@example.org', role: 'member' })
  const held = Promise.withResolvers<void>()
  await page.route('**/members?*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`${app.url}/capture`)
  await page.getByRole('textbox', { name: 'Amount' }).fill('40')
  await page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
  await page.getByRole('textbox', { name: 'Description' }).fill('Taxi of Davi')
  await page.getByRole('button', { name: 'Place, tax number and more' }).click()
  const receiver = page.getByRole('combobox', { name: 'Spent by' })
  await receiver.fill('Davi')
  await receiver.press('Enter')
  await expect(receiver).toHaveValue('Davi')
  held.resolve()
  await expect(page.getByRole('option', { name: 'Davi Rocha' })).toBeVisible()
  await receiver.press('Enter')
  await expect(receiver).toHaveValue('Davi Rocha')
  await receiver.press('Enter')
  await expect(page.getByText('Recorded: Taxi of Davi, BRL 40.00.').first()).toBeVisible()
  const { expenses }: Json = await app.api.get('/expenses?per_page=100&sort=-id')
  expect(expenses[0]).toMatchObject({ description: 'Taxi of Davi', receiver: { name: 'Davi Rocha' } })
})
