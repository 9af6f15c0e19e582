import { expect, test, type Page } from '@playwright/test'
import { z } from 'zod'
import { pdf, picture } from '#test/files/samples'
import { expectAccessible } from './support/axe'
import { makeFolder, makeOrganization, runCli, Served } from './support/served'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

const key = '53260112345678000195550010000045121000045127'
const nfe = `<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe"><NFe><infNFe Id="NFe${key}"><ide><mod>55</mod><nNF>4512</nNF>
  <dhEmi>2026-01-04T13:22:10-03:00</dhEmi></ide><emit><CNPJ>12345678000195</CNPJ><xNome>RESTAURANTE BOA MESA</xNome></emit><total><ICMSTot><vNF>210.00</vNF></ICMSTot></total></infNFe></NFe></nfeProc>`

const expenseSchema = z.object({
  id: z.number(),
  description: z.string().nullable(),
  amount: z.number(),
  status: z.string(),
  location: z.string().nullable(),
  attachments: z.array(z.object({ file_name: z.string() })),
})

let served: Served
let token: string
let bruno: string
test.beforeEach(async ({ page }) => {
  const folder = await makeFolder()
  token = await makeOrganization(folder)
  const added = await runCli(
    'user',
    'add',
    '--data',
    folder,
    '--organization',
    '1',
    '--name',
    'Bruno Lima',
    '--email',
    'bruno@example.org',
    '--role',
    'member',
  )
  bruno = z.object({ token: z.string() }).parse(added).token
  served = new Served(folder)
  await served.start()
  await signIn(page, token)
})
test.afterEach(() => served.remove())

async function signIn(page: Page, as: string): Promise<void> {
  await page.goto(`${served.url}/sign-in`)
  const status = await page.evaluate(
    async (body) => {
      const response = await fetch('/api/v1/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return response.status
    },
    JSON.stringify({ token: as }),
  )
  expect(status).toBe(201)
}

async function write(method: string, path: string, { as = token, body }: { as?: string; body: object }) {
  const headers = {
    authorization: `Basic ${Buffer.from(`${as}:`).toString('base64')}`,
    'user-agent': 'e2e',
    'content-type': 'application/json',
  }
  const response = await fetch(`${served.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  expect(response.ok).toBe(true)
  return expenseSchema.parse(await response.json())
}

function makeExpense(changes: object = {}) {
  const body = {
    payer: { id: 1, type: 'Organization' },
    amount: 210,
    currency: 'BRL',
    occurred_at: '2026-01-04',
    description: 'Lunch, 3 people',
    tags: ['Meals'],
    ...changes,
  }
  return write('POST', '/expenses', { as: bruno, body })
}

async function getExpense(id: number) {
  return expenseSchema.parse(await served.get(`/expenses/${String(id)}`, token))
}

async function openExpense(page: Page, id: number): Promise<void> {
  await page.goto(`${served.url}/sign-in`)
  await page.evaluate((path) => history.pushState(null, '', path), `/expenses/${String(id)}`)
  await expect(page.getByRole('tab', { name: 'Details' })).toBeVisible()
}

async function attachThree(page: Page): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([{ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: await picture(900, 1200).jpeg().toBuffer() }])
  await expect(page.getByRole('button', { name: 'Show receipt.jpg' })).toBeVisible()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([{ name: 'hotel.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf({ pages: 2 })) }])
  await expect(page.getByRole('button', { name: 'Show hotel.pdf' })).toBeVisible()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([{ name: 'nfe.xml', mimeType: 'application/xml', buffer: Buffer.from(nfe) }])
  await expect(page.getByRole('button', { name: 'Show nfe.xml' })).toBeVisible()
}

test('three receipts are attached and seen: a photo, a PDF and an invoice', async ({ page }) => {
  const { id } = await makeExpense()
  await openExpense(page, id)
  await expect(page.getByText('No receipt yet')).toBeVisible()
  await attachThree(page)
  const viewer = page.getByRole('region', { name: 'Receipt', exact: true })
  await expect(viewer.getByText('1 of 3')).toBeVisible()
  await expect(viewer.getByRole('img', { name: /receipt\.jpg/ })).toBeVisible()
  await page.keyboard.press(']')
  await expect(viewer.locator('canvas[data-drawn]')).toBeVisible()
  await expect(viewer.getByText('Page 1 of 2')).toBeVisible()
  await viewer.getByRole('button', { name: 'Next page' }).click()
  await expect(viewer.getByText('Page 2 of 2')).toBeVisible()
  await page.keyboard.press(']')
  const summary = viewer.getByRole('region', { name: 'Invoice (NF-e)' })
  await expect(summary).toContainText('RESTAURANTE BOA MESA')
  await expect(summary).toContainText('12.345.678/0001-95')
  await expect(summary).toContainText('BRL 210.00')
  await expect(viewer.getByRole('document')).toContainText('vNF 210.00')
  await expectAccessible(page)
})

test('a receipt fills the window, is zoomed and turned, and gives the focus back', async ({ page }) => {
  const { id } = await makeExpense()
  await openExpense(page, id)
  await attachThree(page)
  const tab = page.getByRole('tab', { name: 'Details' })
  await tab.focus()
  await page.getByRole('button', { name: 'Full size' }).click()
  const full = page.getByRole('dialog', { name: 'Receipt' })
  const photo = full.getByRole('img', { name: /receipt\.jpg/ })
  await expect(photo).toBeVisible()
  const before = await photo.boundingBox()
  await page.keyboard.press('+')
  await expect.poll(async () => (await photo.boundingBox())?.width).toBeGreaterThan(before?.width ?? 0)
  await page.keyboard.press('Shift+R')
  await expect
    .poll(async () => {
      const box = await photo.boundingBox()
      return box && box.width > box.height
    })
    .toBe(true)
  await page.keyboard.press('Escape')
  await expect(full).toBeHidden()
  await expect(page.getByRole('button', { name: 'Full size' })).toBeFocused()
})

test('a file that cannot be shown says so and can be downloaded', async ({ page }) => {
  const { id } = await makeExpense()
  await openExpense(page, id)
  await attachThree(page)
  await page.route('**/files/**', (route) => route.abort())
  await openExpense(page, id)
  await expect(page.getByRole('alert')).toContainText('receipt.jpg cannot be shown here')
  await expect(page.getByRole('alert').getByRole('link', { name: 'Download' })).toHaveAttribute('download', 'receipt.jpg')
})

test('an expense is edited, commented on with a mention and moved, and its trail tells old and new', async ({ page }) => {
  const { id } = await makeExpense()
  await openExpense(page, id)
  await page.keyboard.press('e')
  await expect(page.getByRole('textbox', { name: 'Description' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Amount' }).fill('abc')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This is not an amount')).toBeVisible()
  await page.getByRole('textbox', { name: 'Amount' }).fill('1.234,56')
  await expect(page.getByRole('form', { name: 'Edit the expense' })).toContainText('BRL 1,234.56')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  expect(await getExpense(id)).toMatchObject({ amount: 1234.56, description: 'Lunch, 3 people' })

  await page.keyboard.press('c')
  await expect(page.getByLabel('Write a comment')).toBeFocused()
  await page.keyboard.type('Who was there, @bru')
  await expect(page.getByRole('option', { name: /Bruno Lima/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type(':tada: <b>')
  await page.keyboard.press('Control+Enter')
  const comment = page.getByRole('list', { name: 'Comments' }).getByRole('listitem')
  await expect(comment).toContainText('Who was there, @brunolima 🎉 <b>')
  await expect(comment.getByTitle('Bruno Lima')).toHaveText('@brunolima')
  await expectAccessible(page)

  await page.keyboard.press('Escape')
  await page.keyboard.press('p')
  await page.getByRole('textbox', { name: 'Approved amount in BRL' }).fill('1000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Approved', { exact: true }).first()).toBeVisible()
  await expect(page.locator('header').filter({ hasText: 'Lunch' })).toContainText('Claimed BRL 1,234.56Approved BRL 1,000.00')

  await page.keyboard.press('v')
  await page.keyboard.press('a')
  const trail = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  await expect(trail.nth(0)).toContainText('Awaiting analysis')
  await expect(trail.nth(0)).toContainText('BRL 1,000.00')
  await expect(trail.filter({ hasText: 'BRL 210.00' }).first()).toContainText('BRL 1,234.56')
  await expectAccessible(page)
})

test('an approval is taken back by its undo', async ({ page }) => {
  const { id } = await makeExpense()
  await openExpense(page, id)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
  expect(await getExpense(id)).toMatchObject({ status: 'awaiting_analysis' })
  await page.keyboard.press('a')
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
})

test("what somebody else changed meanwhile is shown beside one's own, to choose from", async ({ page }) => {
  const { id } = await makeExpense()
  await openExpense(page, id)
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Description' }).fill('Lunch with the press')
  await page.getByRole('textbox', { name: 'Location' }).fill('Brasília')
  await write('PATCH', `/expenses/${String(id)}`, { body: { description: 'Lunch with guests' } })
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'Somebody else changed this too' })
  await expect(form.getByRole('radio', { name: 'Yours: Lunch with the press' })).toBeChecked()
  await form.getByRole('radio', { name: 'Stored: Lunch with guests' }).check()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save my choice' }).click()
  await expect(page.getByRole('heading', { name: 'Lunch with guests' })).toBeVisible()
  await expect.poll(async () => (await getExpense(id)).location).toBe('Brasília')
})

test('a deleted receipt comes back when asked for, and is gone when one leaves', async ({ page }) => {
  const { id } = await makeExpense()
  await openExpense(page, id)
  await attachThree(page)
  await page.getByRole('button', { name: 'Delete nfe.xml' }).click()
  await expect(page.getByRole('button', { name: 'Show nfe.xml' })).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('button', { name: 'Show nfe.xml' })).toBeVisible()
  expect((await getExpense(id)).attachments).toHaveLength(3)
  await page.getByRole('button', { name: 'Delete hotel.pdf' }).click()
  await expect(page.getByRole('button', { name: 'Show hotel.pdf' })).toBeHidden()
  await page.goto('about:blank')
  await expect
    .poll(async () => (await getExpense(id)).attachments.map(({ file_name }) => file_name))
    .toEqual(['receipt.jpg', 'nfe.xml'])
})

test('a repeat is pointed out until it is dismissed', async ({ page }) => {
  const first = await makeExpense()
  const second = await makeExpense()
  await makeExpense({ amount: 211 })
  await openExpense(page, second.id)
  const note = page.getByRole('note').filter({ hasText: 'Same amount and day as' })
  await expect(note.getByRole('link')).toHaveText(`#${String(first.id)}`)
  await note.getByRole('button', { name: /dismiss/ }).click()
  await expect(note).toBeHidden()
  await openExpense(page, first.id)
  await expect(page.getByRole('heading', { name: 'Lunch, 3 people' })).toBeVisible()
  await expect(note).toBeHidden()
})

test('a claimant reads why an expense under review is not theirs to change, and sees no moves', async ({ page }) => {
  const { id } = await makeExpense()
  await write('PUT', `/expenses/${String(id)}/status`, { body: { status: 'analyzing' } })
  await signIn(page, bruno)
  await openExpense(page, id)
  await expect(page.getByText('Under review: you cannot change it now')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Delete expense' })).toBeHidden()
})

test('an expense that is not there says so', async ({ page }) => {
  await page.goto(`${served.url}/sign-in`)
  await page.evaluate(() => history.pushState(null, '', '/expenses/99'))
  await expect(page.getByText('This expense does not exist, or you may not see it.')).toBeVisible()
})

test('deleting an expense names what it does, and cannot be meant by accident', async ({ page }) => {
  const { id } = await makeExpense()
  await openExpense(page, id)
  await page.getByRole('button', { name: 'Delete expense' }).click()
  const sheet = page.getByRole('dialog', { name: 'Delete this expense?' })
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await page.getByRole('button', { name: 'Delete expense' }).click()
  await sheet.getByRole('button', { name: 'Delete expense' }).click()
  await expect
    .poll(async () => z.object({ errors: z.unknown() }).safeParse(await served.get(`/expenses/${String(id)}`, token)).success)
    .toBe(true)
})
