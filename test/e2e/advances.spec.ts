import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { startApp, type E2eApp, type Json } from './support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp()
  await app.addUser({ name: 'Bruno Lima', email: 'bruno@example.org', role: 'member' })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

const payer = { id: 1, type: 'Organization' }
const balances = (page: Page) => page.getByRole('grid', { name: 'Balances' })
const movements = (page: Page) => page.getByRole('grid', { name: 'Entries' })

async function bruno(): Promise<{ id: number; type: 'User' }> {
  const { memberships }: Json = await app.api.get('/organizations/1/members')
  return { id: memberships.find(({ user }: Json) => user.first_name === 'Bruno').user.id, type: 'User' }
}

async function balance(): Promise<number> {
  const { id } = await bruno()
  return (await app.api.get(`/advancements/balances/1?receiver_id=${String(id)}&currency=BRL`)).amount
}

/** An expense that Bruno pays out of what he was handed. */
async function spend(amount: number, description: string): Promise<void> {
  const receiver = await bruno()
  const { id }: Json = await app.api.send('POST', '/expenses', {
    ...{ payer, receiver, amount, currency: 'BRL', occurred_at: '2026-03-05', description },
    liquidate_through_advancement: true,
  })
  await app.api.send('PUT', `/expenses/${String(id)}/status`, { status: 'approved', approved_amount: amount })
  await app.api.send('PUT', `/expenses/${String(id)}/status`, { status: 'liquidated' })
}

test('money is handed out, spent and given back until the balance is zero to the cent', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${app.url}/advances`)
  await expect(page.getByText('No advances have been paid yet.')).toBeVisible()
  await page.keyboard.press('n')
  await page.getByRole('combobox', { name: 'Claimant' }).fill('Bruno')
  await expect(page.getByRole('option', { name: 'Bruno Lima' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Amount' }).fill('500,10')
  await page.getByRole('textbox', { name: 'Date' }).fill('2026-03-01')
  await page.getByRole('textbox', { name: 'Description' }).fill('Trip to Recife')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Advance of BRL 500.10 paid to Bruno Lima').first()).toBeVisible()
  await expect(movements(page).getByRole('row').nth(1)).toContainText('Advance · Trip to RecifeBRL 500.10BRL 500.10')

  await page.keyboard.press('Control+z')
  await expect(page.getByText('No advances in this currency.')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('combobox', { name: 'Claimant' })).toHaveValue('Bruno Lima')
  await page.getByRole('textbox', { name: 'Amount' }).fill('500.10')
  await page.getByRole('textbox', { name: 'Date' }).fill('2026-03-01')
  await page.keyboard.press('Enter')
  await expect(movements(page).getByRole('row')).toHaveCount(2)

  await spend(123.37, 'Hotel')
  await page.reload()
  await expect(balances(page).getByRole('row').nth(1)).toContainText('Bruno LimaHolds an advanceBRL 376.73')
  await expect(movements(page).getByRole('row').nth(2)).toContainText('Expense · HotelBRL −123.37BRL 376.73')
  await page.keyboard.press('d')
  await page.keyboard.type('100')
  await expect(page.getByText('Bruno Lima keeps BRL 276.73.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Bruno Lima returned BRL 100.00').first()).toBeVisible()
  await expect(movements(page).getByRole('row')).toHaveCount(4)
  await page.keyboard.press('d')
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('276.73')
  await expect(page.getByText('This settles the balance.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Amount' }).fill('300')
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'That is BRL 23.27 more than Bruno Lima has.' })
  await expect(sheet).toContainText('Your organization would then owe Bruno Lima BRL 23.27.')
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Amount' }).fill('276.73')
  await page.getByRole('button', { name: 'Return everything' }).click()
  await expect(balances(page).getByRole('row').nth(1)).toContainText('Bruno LimaSettledBRL 0.00')
  await expect(movements(page).getByRole('row').nth(4)).toContainText('BRL 0.00')
  expect(await balance()).toBe(0)
})

test('a ledger of several pages ends in the balance; its lines lead to their records, which are edited and deleted', async ({ page }) => {
  const receiver = await bruno()
  for (let index = 0; index < 120; index += 1)
    await app.api.send('POST', '/advancements', { payer, receiver, amount: 0.1, currency: 'BRL', date: '2026-03-01' })
  const { id }: Json = await app.api.send('POST', '/advancements', {
    ...{ payer, receiver, amount: 5, currency: 'BRL', date: '2026-03-09', description: 'Fair' },
  })
  await page.goto(`${app.url}/advances?person=${String(receiver.id)}&currency=BRL`)
  await expect(movements(page)).toHaveAttribute('aria-rowcount', '122')
  await expect(movements(page).getByRole('row').last()).toContainText('FairBRL 5.00BRL 17.00')
  await movements(page).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${app.url}/advances/${String(id)}`)
  const detail = page.getByRole('region', { name: 'Advance' })
  await expect(detail.getByRole('heading', { name: 'Fair' })).toBeVisible()
  await page.keyboard.press('e')
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await expect(detail.locator('header')).toContainText('BRL 7.00')
  await expect.poll(balance).toBe(19)
  await page.keyboard.press('c')
  await page.getByLabel('Write a comment').fill('For the fair')
  await page.keyboard.press('Control+Enter')
  await expect(detail.getByRole('list', { name: 'Comments' })).toContainText('For the fair')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  await expect(page.getByRole('dialog', { name: 'Delete this advance?' })).toContainText('BRL 7.00 is removed from the balance')
  await page.keyboard.press('Enter')
  await expect(movements(page)).toHaveAttribute('aria-rowcount', '121')
  expect(await balance()).toBe(12)
})
