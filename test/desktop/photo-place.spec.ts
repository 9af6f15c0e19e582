import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { z } from 'zod'
import { openCapture } from '#test/desktop/support/capturing'
import { makeComputer, test } from '#test/desktop/support/folder'
import { picture } from '#test/files/samples'
import { hand } from '#test/e2e/support/hand'

/** A photo that lies on its side and tells where it was taken. */
async function tellingPhoto(name: string) {
  const place = { GPSLatitudeRef: 'S', GPSLatitude: '23/1 33/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '46/1 38/1 0/1' }
  const bytes = await picture(300, 200).withExif({ IFD3: place }).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  return { name, type: 'image/jpeg', bytes }
}

const listed = z.object({
  captures: z.array(z.object({ file_name: z.string(), state: z.string(), url: z.string().nullable() })).optional(),
  expenses: z.array(z.object({ attachments: z.array(z.object({ file_name: z.string(), url: z.string() })) })).optional(),
})

/** The photo as it is kept, and whether it tells of a place; undefined while there is none of that name. */
async function readPhoto(page: Page, kind: 'captures' | 'expenses', name: string) {
  const { captures = [], expenses = [] } = listed.parse(
    await page.evaluate(async (path): Promise<unknown> => (await fetch(path)).json(), `/api/v1/${kind}`),
  )
  const kept = [...captures.filter(({ state }) => state === 'ready'), ...expenses.flatMap(({ attachments }) => attachments)]
  const url = kept.find(({ file_name }) => file_name === name)?.url
  if (url == null) return undefined
  const { pathname, search } = new URL(url)
  const bytes = await page.evaluate(async (path) => [...new Uint8Array(await (await fetch(path)).arrayBuffer())], `${pathname}${search}`)
  const { width, height, exif } = await sharp(Buffer.from(bytes)).metadata()
  return { size: [width, height], isNotifying: exif !== undefined }
}

/** Puts a photo on an expense by the form, and another one into the inbox. */
async function bringIn(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Amount' }).fill('10')
  await page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
  await page.getByRole('textbox', { name: 'Description' }).fill(name)
  await hand(page, 'drop', await tellingPhoto(`form-${name}.jpg`))
  await expect(page.getByRole('list', { name: 'Receipts' }).getByRole('listitem')).toContainText('Saved and uploaded')
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await hand(page, 'drop', await tellingPhoto(`inbox-${name}.jpg`), 'body')
}

test('where a photo was taken leaves this computer by no way in, unless the person keeps it', async () => {
  const desktop = await (await makeComputer()).start()
  const page = await desktop.mainPage()
  await openCapture(page)
  await bringIn(page, 'bare')
  const bare = { size: [200, 300], isNotifying: false }
  await expect.poll(() => readPhoto(page, 'expenses', 'form-bare.jpg')).toEqual(bare)
  await expect.poll(() => readPhoto(page, 'captures', 'inbox-bare.jpg')).toEqual(bare)
  await page.evaluate(() => window.outlayDesktop?.call('preferences.change', { keeps_location: true }))
  await bringIn(page, 'kept')
  await expect.poll(() => readPhoto(page, 'expenses', 'form-kept.jpg')).toMatchObject({ isNotifying: true })
  await expect.poll(() => readPhoto(page, 'captures', 'inbox-kept.jpg')).toEqual({ size: [200, 300], isNotifying: true })
  await desktop.quit()
})
