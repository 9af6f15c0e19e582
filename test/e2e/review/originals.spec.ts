import { expect, test } from '../support/kept/kept-page'
import { picture } from '#test/files/samples'
import { expectAccessible } from '../support/axe'
import { Claim } from '../support/claim'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let claim: Claim
test.beforeEach(async ({ page }) => {
  claim = await Claim.start()
  await claim.signIn(page, claim.admin)
})
test.afterEach(() => claim.served.remove())

test(
  'an admin opens the files of an expense as they were captured, those of deleted receipts too',
  { tag: '@journey' },
  async ({ page }) => {
    const { id } = await claim.makeExpense()
    await claim.openExpense(page, id)
    const opener = page.getByRole('button', { name: 'As captured' })
    await opener.click()
    await expect(page.getByText('No receipt was ever attached here.')).toBeVisible()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([{ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: await picture(900, 1200).jpeg().toBuffer() }])
    const originals = page.getByRole('region', { name: 'As captured' })
    await expect(originals.getByText('receipt.jpg')).toBeVisible()
    await expect(originals.getByText(/^SHA-256 [0-9a-f]{64}$/)).toBeVisible()
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await originals.getByRole('link', { name: 'Download receipt.jpg as captured' }).click()
    expect((await download).suggestedFilename()).toBe('receipt.jpg')
  },
)
