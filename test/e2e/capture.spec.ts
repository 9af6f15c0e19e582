import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import sharp from 'sharp'
import { z } from 'zod'
import { pdf, picture } from '#test/files/samples'
import { expectAccessible } from './support/axe'
import { hand } from './support/hand'
import { type Hosted, serveAlone, type Served, serveSignedIn } from './support/served'

test.use({ locale: 'en-GB', permissions: ['camera'] })

const listSchema = z.object({
  count: z.number(),
  expenses: z.array(
    z.object({
      description: z.string().nullable(),
      amount: z.number(),
      currency: z.string(),
      kind: z.string(),
      tags: z.string(),
      attachments: z.array(z.object({ file_name: z.string(), content_type: z.string() })),
    }),
  ),
})
const xml = Buffer.from('<?xml version="1.0"?><nfeProc><NFe/></nfeProc>')
const jpeg = () => picture(300, 400).jpeg().toBuffer()

let served: Hosted | Served
let token: string
test.beforeEach(async ({ page }) => {
  ;({ served, token } = await serveSignedIn(page, '/capture'))
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
})
test.afterEach(() => served.remove())

/** Serves another folder from a process of its own, which the test kills. */
async function serveKillable(page: Page): Promise<Served> {
  await served.remove()
  const alone = await serveAlone(page, '/capture')
  ;({ served, token } = alone)
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  return alone.served
}

async function listExpenses() {
  return listSchema.parse(await served.get('/expenses', token))
}

async function fillForm(page: Page, { amount, description }: { amount: string; description: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
  await page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
  await page.getByRole('textbox', { name: 'Description' }).fill(description)
}

const card = (page: Page, name: string | RegExp) =>
  page.getByRole('list', { name: 'Receipts' }).getByRole('listitem').filter({ hasText: name })

test(
  'an expense with a picked photo, a dropped PDF, a pasted XML and a picture of the camera is there after a restart',
  { tag: ['@camera', '@journey'] },
  async ({ page }) => {
    const alone = await serveKillable(page)
    await fillForm(page, { amount: '1.234,50', description: 'Hotel Nacional' })
    await expect(page.getByText('= BRL 1,234.50')).toBeVisible()
    await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('Travel,')
    await page.locator('input[type=file]').setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
    await hand(page, 'drop', { name: 'hotel.pdf', type: 'application/pdf', bytes: pdf() })
    await hand(page, 'paste', { name: 'nfe.xml', type: 'text/xml', bytes: xml })
    await page.getByRole('button', { name: 'Camera' }).click()
    await page.getByRole('button', { name: 'Take photo' }).dblclick()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use 2 photos' }).click()
    for (const name of ['photo.jpg', 'hotel.pdf', 'nfe.xml', /^photo-\d/])
      await expect(card(page, name).first()).toContainText('Saved and uploaded')
    const names = (await card(page, /^photo-\d/).allInnerTexts()).map((text) => /^photo-\S+\.jpg/.exec(text)?.[0])
    expect(names).toHaveLength(2)
    expect(new Set(names).size).toBe(2)
    await expect(card(page, 'hotel.pdf').locator('img')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
    await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('')
    await expect(page.getByRole('link', { name: 'Open' })).toBeVisible()
    await expect(async () => expect((await listExpenses()).expenses[0]?.attachments).toHaveLength(5)).toPass()
    await alone.kill()
    await alone.start()
    const { expenses } = await listExpenses()
    expect(expenses[0]).toMatchObject({ description: 'Hotel Nacional', amount: 1234.5, currency: 'BRL', tags: 'Travel' })
    expect(expenses[0]?.attachments.map(({ content_type }) => content_type).toSorted()).toEqual([
      'application/pdf',
      'image/jpeg',
      'image/jpeg',
      'image/jpeg',
      'text/xml',
    ])
    await page.goto(`${served.url}/my-expenses`)
    await expect(page.getByRole('row', { name: /Hotel Nacional.*Travel.*To review/ })).toBeVisible()
  },
)

test('a draft with its receipt survives a reload', async ({ page }) => {
  await fillForm(page, { amount: '62,5', description: 'Taxi' })
  await page.locator('input[type=file]').setInputFiles({ name: 'taxi.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(card(page, 'taxi.jpg')).toContainText('Saved')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Taxi')
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('62,5')
  await expect(card(page, 'taxi.jpg').locator('img')).toBeVisible()
})

test('an expense saved while the server is gone is sent once, when it is back', { tag: '@journey' }, async ({ page }) => {
  const alone = await serveKillable(page)
  await alone.kill()
  await fillForm(page, { amount: '10', description: 'Lunch' })
  await page.locator('input[type=file]').setInputFiles({ name: 'lunch.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(card(page, 'lunch.jpg')).toContainText('Saved, waiting for the server')
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: '1 to send' })).toBeVisible()
  await expect(page.getByText('Waiting for the server')).toBeVisible()
  await alone.start()
  await page.reload()
  await expect(async () => expect((await listExpenses()).expenses[0]?.attachments).toHaveLength(1)).toPass()
  expect((await listExpenses()).count).toBe(1)
  await expect(page.getByRole('heading', { name: 'Drafts' })).toHaveCount(0)
})

test('an expense that the server rejects comes back with the error at the field', async ({ page }) => {
  await fillForm(page, { amount: '7', description: 'Parking' })
  await page.getByRole('combobox', { name: 'Tags' }).fill('x'.repeat(300))
  await page.getByRole('combobox', { name: 'Tags' }).press('Enter')
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await expect(page.getByText('“Parking” was not accepted.').first()).toBeVisible()
  await page.getByRole('listitem').filter({ hasText: 'Not accepted' }).getByRole('button').first().click()
  await expect(page.getByText('Use tags of at most 255 characters.', { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Tags' }).press('Backspace')
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await expect(page.getByText('Recorded: Parking, BRL 7.00.').first()).toBeVisible()
})

test('a file that cannot be a receipt is rejected before anything is sent', async ({ page }) => {
  await expect(page.getByText('JPEG, PNG, WebP, AVIF, HEIC, GIF, TIFF, PDF and XML, up to 25 MB each.')).toBeVisible()
  await page.locator('input[type=file]').setInputFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
    { name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) },
  ])
  await expect(page.getByText('“notes.txt” was not added')).toBeVisible()
  await expect(page.getByText('“empty.pdf” was not added: it is empty.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Receipts' })).toHaveCount(0)
})

test('missing values are reported at the field, and the first such field has the focus', async ({ page }) => {
  await page.getByRole('textbox', { name: 'Description' }).fill('Taxi')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await expect(page.getByText('Fill this in')).toHaveCount(2)
  await page.getByRole('textbox', { name: 'Amount' }).fill('12,345')
  await expect(page.getByText('Too many decimals for this currency')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Amount' }).fill('12.3456')
  await expect(page.getByText('Too many decimals for this currency')).toBeVisible()
  await expectAccessible(page)
})

test('receipts of several expenses are parted, and Enter goes from one to the next', { tag: '@journey' }, async ({ page }) => {
  await page
    .locator('input[type=file]')
    .setInputFiles([1, 2].map((number) => ({ name: `r${number}.xml`, mimeType: 'text/xml', buffer: xml })))
  await page.getByRole('button', { name: 'Create one expense each' }).click()
  await expect(page.getByRole('heading', { name: 'Drafts' })).toBeVisible()
  for (const number of [1, 2]) {
    await expect(card(page, `r${number}.xml`)).toBeVisible()
    await fillForm(page, { amount: `${number}`, description: `Expense ${number}` })
    await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  }
  await expect(async () =>
    expect(
      (await listExpenses()).expenses
        .map(({ description, attachments }) => [description, attachments.map(({ file_name }) => file_name)])
        .toSorted(),
    ).toEqual([
      ['Expense 1', ['r1.xml']],
      ['Expense 2', ['r2.xml']],
    ]),
  ).toPass()
})

test('Escape leaves a draft, which is discarded and brought back', async ({ page }) => {
  await fillForm(page, { amount: '5', description: 'Coffee' })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('')
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect(page.getByRole('heading', { name: 'Drafts' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Coffee')
})

test('a distance is worth what the rule of the organization makes of it', { tag: '@journey' }, async ({ page }) => {
  await page.getByText('Distance', { exact: true }).click()
  await page.getByRole('combobox', { name: 'From' }).fill('Office')
  await page.getByRole('combobox', { name: 'To' }).fill('Airport')
  await page.getByRole('textbox', { name: 'Distance' }).fill('12,5')
  await expect(page.getByText('BRL 12.50, at BRL 1.00 per km')).toBeVisible()
  await page.getByRole('textbox', { name: 'Date' }).fill('today')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(async () => expect((await listExpenses()).expenses[0]).toMatchObject({ kind: 'distance', amount: 12.5 })).toPass()
})

test('a picture of too many pixels is named, and its smaller copy is sent in its place', async ({ page }) => {
  // 108 megapixels of noise in one channel's worth of rows, so that it is no small file.
  const large = await sharp({ create: { width: 12_000, height: 9000, channels: 3, background: '#d0d0d0' } })
    .jpeg({ quality: 100 })
    .toBuffer()
  await fillForm(page, { amount: '7', description: 'Parking' })
  await page.locator('input[type=file]').setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer: large })
  await expect(card(page, 'large.jpg')).toContainText('the picture is larger than the limit of 100 megapixels')
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await page.getByRole('button', { name: /Parking Receipt not accepted|Parking/ }).click()
  await expect(page.getByText(/to send$/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Send a smaller copy' }).click()
  await expect(async () => expect((await listExpenses()).expenses[0]?.attachments).toHaveLength(1)).toPass()
  expect((await listExpenses()).count).toBe(1)
  await expect(page.getByRole('heading', { name: 'Drafts' })).toHaveCount(0)
})

test('a receipt that the server refuses can be removed, and the form is free again', async ({ page }) => {
  await fillForm(page, { amount: '7', description: 'Parking' })
  const broken = { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 nothing more') }
  await page.locator('input[type=file]').setInputFiles(broken)
  await expect(card(page, 'broken.pdf')).toContainText('Not accepted: the file is damaged or protected by a password.')
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await page.getByRole('button', { name: /Parking/ }).click()
  await page.getByRole('button', { name: 'Remove broken.pdf' }).click()
  await expect(page.getByRole('heading', { name: 'Drafts' })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('')
  expect((await listExpenses()).count).toBe(1)
})

test('WebP and AVIF pictures become receipts', async ({ page }) => {
  await page.locator('input[type=file]').setInputFiles([
    { name: 'a.webp', mimeType: 'image/webp', buffer: await picture(300, 400).webp().toBuffer() },
    { name: 'b.avif', mimeType: 'image/avif', buffer: await picture(300, 400).avif().toBuffer() },
  ])
  await expect(card(page, 'a.jpg')).toContainText('Saved and uploaded')
  await expect(card(page, 'b.jpg')).toContainText('Saved and uploaded')
})

test(
  'the camera has the focus when it opens, Space takes a photo, Escape closes it, and the focus goes back',
  { tag: '@camera' },
  async ({ page }) => {
    const open = page.getByRole('button', { name: 'Camera' })
    await open.click()
    await expect(page.getByRole('button', { name: 'Take photo' })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Take photo' })).toHaveAttribute('aria-disabled', 'false')
    await page.keyboard.press('Space')
    await expect(page.getByRole('button', { name: 'Use 1 photo' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(open).toBeFocused()
  },
)

test('a date far ahead is asked about, and only its confirmation stores it', async ({ page }) => {
  await fillForm(page, { amount: '12', description: 'Slip of the year' })
  const date = page.getByRole('textbox', { name: 'Date' })
  await date.fill('tomorrow')
  await expect(page.getByText(/, in the future$/)).toBeVisible()
  await date.fill('3/1/2099')
  await expect(page.getByText(/^This date is in the future: .*2099\. Is that right\?$/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Save/ }).dblclick()
  const keep = page.getByRole('button', { name: 'Keep this date' })
  await expect(keep).toBeFocused()
  expect((await listExpenses()).count).toBe(0)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await listExpenses()).count).toBe(1)
})
