import { expect, test } from '../support/kept/kept-page'
import { z } from 'zod'
import { drawReceipt } from '#test/support/receipts/draw-receipt'
import { makeReceipt } from '#test/support/receipts/make-receipt'
import { expectAccessible } from '../support/axe'
import { hand } from '../support/hand'
import { serveSignedIn } from '../support/served'

test.use({ locale: 'en-GB' })

const flaggedSchema = z.object({ expenses: z.array(z.object({ flags: z.array(z.object({ condition: z.string() })) })) })

test('review shows what a receipt says next to what is claimed, and the place where it says so', { tag: '@journey' }, async ({ page }) => {
  test.setTimeout(120_000)
  const { served, token } = await serveSignedIn(page, '/capture', { OUTLAY_READ_RECEIPTS: '1' })
  try {
    await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
    await page.getByRole('textbox', { name: 'Amount' }).fill('1')
    await hand(page, 'drop', [{ name: 'a.jpg', type: 'image/jpeg', bytes: await drawReceipt(makeReceipt('brazilian', 4), 'scan', 2) }])
    await expect(page.locator('[data-read="supplier_tax_id"]')).toBeVisible({ timeout: 60_000 })
    await page.getByRole('textbox', { name: 'Date' }).fill('2026-03-04')
    await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
    const flags = async () =>
      flaggedSchema.parse(await served.get('/expenses', token)).expenses.flatMap((one) => one.flags.map(({ condition }) => condition))
    await expect.poll(flags, { timeout: 60_000 }).toContain('receipt_total')
    await page.goto(new URL('/review/1', page.url()).href)
    const said = page.locator('[data-said=amount]')
    await expect(said).toHaveAttribute('data-other', 'true')
    await expect(page.locator('[data-mark][data-other]')).toHaveCount(await page.locator('[data-said][data-other]').count())
    await expect(page.locator('[data-mark]:not([data-other])').first()).toBeVisible()
    await expect(page.locator('[data-place]')).toHaveCount(0)
    await page.screenshot({ path: test.info().outputPath('marked.png') })
    await said.click()
    await expect(page.locator('[data-place]')).toBeVisible()
    await expectAccessible(page)
  } finally {
    await served.remove()
  }
})
