import { expect, test } from '@playwright/test'
import { z } from 'zod'
import { drawReceipt } from '#test/support/receipts/draw-receipt'
import { makeReceipt } from '#test/support/receipts/make-receipt'
import type { Receipt } from '#test/support/receipts/receipt'
import { expectAccessible } from '../support/axe'
import { hand } from '../support/hand'
import { type Served, serveSignedIn } from '../support/served'

test.use({ locale: 'en-GB' })

const expensesSchema = z.object({ expenses: z.array(z.object({ amount: z.number(), currency: z.string(), occurred_at: z.string() })) })

let served: Served
let token: string
test.beforeEach(async ({ page }) => {
  ;({ served, token } = await serveSignedIn(page, '/capture', { OUTLAY_READ_RECEIPTS: '1' }))
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
})
test.afterEach(() => served.remove())

const dayMs = 86_400_000

/** Receipts of the last months: older ones are offered, as a year that is read wrong makes them old. */
function recentReceipts(count: number): Receipt[] {
  const found: Receipt[] = []
  for (let seed = 1; found.length < count; seed += 1) {
    const receipt = makeReceipt(seed % 2 === 0 ? 'brazilian' : 'portuguese', seed)
    const days = (Date.now() - Date.parse(receipt.truth.date)) / dayMs
    if (days > 2 && days < 300 && receipt.truth.total > 500) found.push(receipt)
  }
  return found
}

test('receipts that are dropped become expenses with one or two keys each', async ({ page }) => {
  test.setTimeout(120_000)
  const receipts = recentReceipts(3)
  const files = await Promise.all(
    receipts.map(async (receipt, at) => ({ name: `${at}.jpg`, type: 'image/jpeg', bytes: await drawReceipt(receipt, 'scan', at) })),
  )
  await hand(page, 'drop', files, 'body')
  const inbox = page.getByRole('grid', { name: 'Inbox' })
  await expect(inbox.getByText('Saved', { exact: true })).toHaveCount(3)
  await page.getByRole('textbox', { name: 'Amount' }).press('Escape')
  await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined))
  await page.keyboard.press('i')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('e')
  const amount = page.getByRole('textbox', { name: 'Amount' })
  let keys = 0
  for (const { truth } of receipts) {
    await expect(amount).not.toHaveValue('', { timeout: 60_000 })
    await expect(page.locator('[data-read="amount"]')).toBeVisible()
    await expect(page.locator('[data-place]')).toBeVisible()
    expect(truth.total).toBeGreaterThan(0)
    // A day that is not sure is offered: Tab goes to it, and takes it.
    if ((await page.getByRole('textbox', { name: 'Date' }).inputValue()) === '') {
      await page.getByRole('textbox', { name: 'Date' }).focus()
      await page.keyboard.press('Tab')
      keys += 1
    }
    await page.keyboard.press('Enter')
    keys += 1
    await expect(page.locator('[data-draft] form')).toBeVisible()
  }
  expect(keys / receipts.length).toBeLessThanOrEqual(2)
  const listed = async () =>
    expensesSchema
      .parse(await served.get('/expenses', token))
      .expenses.map(({ amount: paid, currency, occurred_at }) => `${Math.round(paid * 100)} ${currency} ${occurred_at.slice(0, 10)}`)
      .sort()
  await expect.poll(listed, { timeout: 30_000 }).toEqual(receipts.map(({ truth }) => `${truth.total} ${truth.currency} ${truth.date}`).sort())
})

test('what is typed stays, Tab takes an offer, and a value that was taken out does not come back', async ({ page }) => {
  test.setTimeout(120_000)
  const [receipt] = recentReceipts(1)
  if (!receipt) throw new Error('No receipt')
  const amount = page.getByRole('textbox', { name: 'Amount' })
  await amount.fill('7')
  const bytes = await drawReceipt(receipt, 'scan', 8)
  await hand(page, 'drop', [{ name: 'a.jpg', type: 'image/jpeg', bytes }])
  await expect(page.locator('[data-read="date"]')).toBeVisible({ timeout: 60_000 })
  await expect(amount).toHaveValue('7')
  await expectAccessible(page)
  // An emptied field has its offer.
  await amount.fill('')
  await expect(page.locator('[data-offer="amount"]').first()).toBeVisible()
  await amount.press('Tab')
  await expect(amount).not.toHaveValue('')
  await page.getByRole('textbox', { name: 'Date' }).fill('')
  await expect(page.locator('[data-offer="date"]')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Date' })).toHaveValue('')
  await page.reload()
  await expect(page.locator('[data-offer="date"]')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('textbox', { name: 'Date' })).toHaveValue('')
})
