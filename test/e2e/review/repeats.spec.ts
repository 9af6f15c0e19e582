import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { drawReceipt } from '#main/demo/receipts'
import { elementOf, fieldsFor, toForm } from '#test/support/upload'
import { type Json, apiOf } from '../support/app'
import { expectAccessible } from '../support/axe'
import { Claim } from '../support/claim'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1280, height: 800 } })

let claim: Claim
let ids: readonly [number, number]
test.beforeEach(async ({ page }) => {
  claim = await Claim.start()
  const first = await claim.makeExpense({ description: 'Taxi to the airport', supplier_name: 'Rádio Táxi' })
  const second = await claim.makeExpense({ description: 'airport taxi', occurred_at: '2026-01-06' })
  ids = [first.id, second.id]
  const lines = [['Ride', 210]] as const
  for (const [index, id] of ids.entries()) {
    const receipt = await drawReceipt({ kind: 'photo', supplier: `Rádio Táxi ${index}`, lines }, { day: '2026-01-04', currency: 'BRL' })
    await attach(id, { name: `ride-${index}.jpg`, type: 'image/jpeg', bytes: Buffer.from(receipt.bytes) })
  }
  await claim.signIn(page, claim.admin)
})
test.afterEach(() => claim.served.remove())

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Possible repeat' })
const flags = async (): Promise<Json> => (await apiOf(claim.served.url, claim.admin).get(`/expenses/${String(ids[1])}`)).flags

async function attach(id: number, file: { name: string; type: string; bytes: Buffer }): Promise<void> {
  const api = apiOf(claim.served.url, claim.claimant)
  const credentials = await api.get('/uploads/new')
  const response = await fetch(credentials.host, { method: 'POST', body: toForm(fieldsFor(credentials, file), file) })
  await api.send('POST', `/expenses/${String(id)}/attachments`, { file: elementOf(await response.text(), 'Location') })
}

test('a repeat is compared with the expense before it, decided by keyboard, and undone', { tag: '@journey' }, async ({ page }) => {
  await claim.openExpense(page, ids[1])
  await expect(page.getByText('May repeat 1 other expense')).toBeVisible()
  await page.keyboard.press('Shift+D')
  await expect(dialog(page).getByRole('list', { name: 'What they have in common' })).toContainText('Similar description')
  await expect(dialog(page).getByRole('region', { name: /^Receipt of/ })).toHaveCount(2)
  await expect(dialog(page).getByText('% sure')).toBeVisible()
  const day = dialog(page).getByRole('row').filter({ hasText: 'Date' }).first()
  await expect(day.locator('mark')).toHaveCount(2)
  await expect(dialog(page).getByRole('row').filter({ hasText: 'Amount' }).locator('mark')).toHaveCount(0)
  await expectAccessible(page)
  const reason = dialog(page).getByRole('textbox', { name: 'Reason' })
  await expect(reason).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(dialog(page).getByText('Enter a reason.')).toBeVisible()
  await page.keyboard.type('There and back')
  await page.keyboard.press('Control+Enter')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText('May repeat 1 other expense')).toBeHidden()
  await expect(page.getByRole('list', { name: 'Decided pairs' })).toContainText('“There and back” · Ana')
  expect(await flags()).toEqual([])
  await page.keyboard.press('Control+Z')
  await expect(page.getByText('May repeat 1 other expense')).toBeVisible()
})

test('equal claims are given no percentage, and what is not attached no frame', async ({ page }) => {
  await claim.makeExpense({ description: 'Lunch with the press', occurred_at: '2026-02-03' })
  const { id } = await claim.makeExpense({ description: 'Lunch with the press', occurred_at: '2026-02-03' })
  await claim.openExpense(page, id)
  await page.keyboard.press('Shift+D')
  await expect(dialog(page).getByText('No receipt')).toHaveCount(2)
  await expect(dialog(page).getByRole('region', { name: /^Receipt of/ })).toHaveCount(0)
  await expect(dialog(page).getByText('Similar description')).toBeVisible()
  await expect(dialog(page).getByText('% sure')).toHaveCount(0)
  await expectAccessible(page)
})

test('one of the two is rejected, on a phone too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await claim.openExpense(page, ids[0])
  await page.getByRole('button', { name: 'Compare side by side' }).click()
  await expectAccessible(page)
  await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Claimed twice')
  await dialog(page)
    .getByRole('button', { name: `Reject #${String(ids[1])}` })
    .click()
  await expect(dialog(page)).toBeHidden()
  await expect.poll(async () => (await claim.getExpense(ids[1])).status).toBe('rejected')
  await expect(page.getByText(/may repeat this one/)).toBeHidden()
})
