import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { z } from 'zod'
import { newCardNumber } from '#test/support/cards'
import { drawReceipt } from '#test/support/receipts/draw-receipt'
import { makeReceipt } from '#test/support/receipts/make-receipt'
import type { Receipt } from '#test/support/receipts/receipt'
import { apiOf } from '../support/app'
import { expectAccessible } from '../support/axe'
import { hand } from '../support/hand'
import { type Hosted, serveSignedIn } from '../support/served'

test.use({ locale: 'en-GB' })

const expensesSchema = z.object({ expenses: z.array(z.object({ amount: z.number(), currency: z.string(), occurred_at: z.string() })) })

let served: Hosted
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

/** How many receipts are dropped: with `OUTLAY_RECEIPTS=40` it is the walk of docs/performance.md, which prints its figures. */
const dropped = Number(process.env.OUTLAY_RECEIPTS ?? 3)

/** Presses a key so many times, and counts. */
const presser = (page: Page) => {
  const presses = { count: 0 }
  const press = async (key: string) => {
    presses.count += 1
    await page.keyboard.press(key)
  }
  return { presses, press }
}

interface RightField {
  readonly name: string
  readonly field: string
  /** Whether the field says what the receipt does; `typed`: how a person types that. */
  readonly right: (text: string) => boolean
  readonly typed: string
}

/** Makes a field of the form right by keys alone, as a person does who sees the receipt: what is right stays, an offer that is right is taken, else it is typed. */
async function makeRight(page: Page, press: (key: string) => Promise<void>, { name, field, right, typed }: RightField) {
  const box = page.getByRole('textbox', { name, exact: true })
  if (right(await box.inputValue())) return
  const isFocused = () => box.evaluate((element) => element === document.activeElement)
  while (!(await isFocused())) await press('Tab')
  const offer = page.locator(`[data-offer="${field}"]`).first()
  if ((await box.inputValue()) === '' && (await offer.count()) > 0) {
    await press('Tab')
    if (right(await box.inputValue())) return
    while (!(await isFocused())) await press('Shift+Tab')
  }
  await press('Control+a')
  for (const sign of typed) await press(sign)
}

test(
  'receipts that are dropped at once are drafts each, and become expenses with one or two keys',
  { tag: '@journey' },
  async ({ page }) => {
    test.setTimeout(60_000 + dropped * 30_000)
    const receipts = recentReceipts(dropped)
    const files = await Promise.all(
      receipts.map(async (receipt, at) => ({
        name: `${at}.jpg`,
        type: 'image/jpeg',
        bytes: await drawReceipt(receipt, dropped > 3 ? 'mild' : 'scan', at),
      })),
    )
    const begun = Date.now()
    await hand(page, 'drop', files, '[data-each]')
    await expect(page.getByRole('region', { name: 'Drafts' }).getByRole('listitem')).toHaveCount(dropped)
    const { presses, press } = presser(page)
    for (let left = dropped; left > 0; left -= 1) {
      await expect(page.locator('[data-read], [data-offer]').first()).toBeVisible({ timeout: 60_000 })
      const file = await page.locator('[data-receipts] [title$=".jpg"]').first().getAttribute('title')
      const { total, date } = receipts[Number.parseInt(file ?? '', 10)]?.truth ?? { total: 0, date: '' }
      await expect(page.locator('[data-place]')).toBeVisible()
      await makeRight(page, press, {
        name: 'Amount',
        field: 'amount',
        right: (text) => Math.round(Number(text.replaceAll(',', '')) * 100) === total,
        typed: String(total / 100),
      })
      await makeRight(page, press, { name: 'Date', field: 'date', right: (text) => text === date, typed: date })
      await press('Enter')
      await expect(page.getByRole('region', { name: 'Drafts' }).getByRole('listitem', { includeHidden: true })).toHaveCount(left - 1, {
        timeout: 30_000,
      })
    }
    if (dropped > 3) console.log(`${dropped} receipts: ${presses.count} keys, ${Math.round((Date.now() - begun) / 1000)} s`)
    expect(presses.count / dropped).toBeLessThanOrEqual(2)
    const listed = async () =>
      expensesSchema
        .parse(await served.get('/expenses?per_page=100', token))
        .expenses.map(({ amount: paid, currency, occurred_at }) => `${Math.round(paid * 100)} ${currency} ${occurred_at.slice(0, 10)}`)
        .sort()
    await expect
      .poll(listed, { timeout: 30_000 })
      .toEqual(receipts.map(({ truth }) => `${truth.total} ${truth.currency} ${truth.date}`).sort())
  },
)

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

test('a receipt finds its card line: its expense is matched, unless the line is taken off', async ({ page }) => {
  test.setTimeout(180_000)
  const api = apiOf(served.url, token)
  const card = { name: 'Travel', number: newCardNumber(), expiration_date: '12/39', organization_id: 1 }
  const { id: corporative_card_id } = await api.send('POST', '/corporative_cards', card)
  const line = page.getByRole('textbox', { name: 'Card line' })
  const lines: number[] = []
  for (const [at, receipt] of recentReceipts(2).entries()) {
    const { date: occurred_at, total, currency } = receipt.truth
    const charged = { name: `HOTEL ${at}`, occurred_at, amount: total / 100, currency, external_id: `H${at}`, corporative_card_id }
    lines.push((await api.send('POST', '/organizations/1/statement_lines', charged)).id)
    await hand(page, 'drop', [{ name: `${at}.jpg`, type: 'image/jpeg', bytes: await drawReceipt(receipt, 'scan', at) }])
    await expect(line).toHaveValue(/ · Travel ·· \d{4} · /, { timeout: 60_000 })
    if (at === 0) {
      await expectAccessible(page)
      if (process.env.SHOTS)
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 })
          await line.scrollIntoViewIfNeeded()
          await page.screenshot({ path: `${process.env.SHOTS}/card-line-${width}.png` })
        }
      await page.getByRole('button', { name: 'Not this line' }).click()
    }
    await expect(line).toHaveCount(at)
    await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
    await expect.poll(async () => (await api.get('/expenses')).count).toBe(at + 1)
  }
  const { statement_matches } = await api.get('/organizations/1/statement_matches')
  expect(statement_matches).toMatchObject([{ statement_line_id: lines[1] }])
})
