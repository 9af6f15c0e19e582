import { expect, test } from '@playwright/test'
import { systemClock } from '#main/clock'
import { picture } from '#test/files/samples'
import { startS3 } from '#test/support/s3'
import { Claim } from './support/claim'

test.use({ locale: 'en-GB' })

test('a receipt goes from the page to the bucket of uploads, and comes back from the server', { tag: '@journey' }, async ({ page }) => {
  const s3 = await startS3(() => systemClock.now())
  const claim = await Claim.start(s3.settings)
  try {
    await claim.signIn(page, claim.admin)
    const { id } = await claim.makeExpense()
    await claim.openExpense(page, id)
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().startsWith(s3.origin))
    const buffer = await picture(900, 1200).jpeg().toBuffer()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([{ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer }])
    expect((await sent).url()).toBe(s3.settings.OUTLAY_UPLOAD_BUCKET_URL)
    await expect(page.getByRole('button', { name: 'Show receipt.jpg' })).toBeVisible()
    const shown = page.getByRole('region', { name: 'Receipt', exact: true }).getByRole('img', { name: /receipt\.jpg/ })
    await expect(shown).toBeVisible()
    expect([...s3.objects.values()]).toMatchObject([{ content_type: 'image/jpeg', bytes: buffer }])
    expect((await claim.getExpense(id)).attachments).toMatchObject([{ file_name: 'receipt.jpg' }])
  } finally {
    await claim.served.remove()
    await s3.close()
  }
})
