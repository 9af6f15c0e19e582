import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { pdf, picture } from '#test/files/samples'
import { expectAccessible } from './support/axe'
import { type Handed, hand } from './support/hand'
import { expect, test } from './support/kept/kept-page'
import { type Hosted, serveSignedIn } from './support/served'

test.use({ locale: 'en-GB', permissions: ['camera'] })

const capturesSchema = z.object({ captures: z.array(z.object({ file_name: z.string(), note: z.string().nullable() })) })
const expensesSchema = z.object({
  expenses: z.array(z.object({ description: z.string().nullable(), attachments: z.array(z.object({ file_name: z.string() })) })),
})

let served: Hosted
let token: string
test.beforeEach(async ({ page }) => {
  ;({ served, token } = await serveSignedIn(page, '/capture'))
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
})
test.afterEach(() => served.remove())

const invoice = (name: string, color = '0 0 1'): Handed => ({
  name,
  type: 'application/pdf',
  bytes: pdf({ content: `% ${name}\n${color} rg 0 0 300 600 re f` }),
})
/** Keeps the drafts of this device from being read or written for so long, in the page. */
function holdDrafts(ms: number): Promise<void> {
  return new Promise((begun) => {
    indexedDB.open('outlay-drafts').onsuccess = ({ target }) => {
      if (!(target instanceof IDBOpenDBRequest)) return
      const transaction = target.result.transaction('drafts', 'readwrite')
      const until = performance.now() + ms
      const keep = () => {
        if (performance.now() < until) transaction.objectStore('drafts').count().onsuccess = keep
      }
      keep()
      transaction.oncomplete = () => Object.assign(window, { drafts_are_free: true })
      begun()
    }
  })
}
const inbox = (page: Page) => page.getByRole('grid', { name: 'Inbox' })
const row = (page: Page, name: string) => inbox(page).getByRole('row').filter({ hasText: name })
/** Shown once the server has the file; before that it is saved on this device. */
const savedRow = (page: Page, name: string) => row(page, name).getByText('Saved', { exact: true })
const receipt = (page: Page, name: string | RegExp) =>
  page.getByRole('list', { name: 'Receipts' }).getByRole('listitem').filter({ hasText: name })
const listCaptures = async () => capturesSchema.parse(await served.get('/captures', token)).captures
const listExpenses = async () => expensesSchema.parse(await served.get('/expenses', token)).expenses

async function fillAndSave(page: Page, description: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Amount' }).fill('10')
  await page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
  await page.getByRole('textbox', { name: 'Description' }).fill(description)
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
}

test('a file dropped outside the form is in the inbox and becomes an expense by keyboard', { tag: '@journey' }, async ({ page }) => {
  await hand(page, 'drop', [invoice('hotel.pdf'), invoice('taxi.pdf', '1 0 0')], 'body')
  await expect(savedRow(page, 'hotel.pdf')).toBeVisible()
  await expect(row(page, 'taxi.pdf').locator('img')).toBeVisible()
  expect(await listCaptures()).toHaveLength(2)
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Amount' }).press('Escape')
  await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined))
  await page.keyboard.press('i')
  await expect(inbox(page)).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await expect(receipt(page, 'hotel.pdf')).toContainText('Saved')
  await expect(receipt(page, 'hotel.pdf').locator('img')).toBeVisible()
  await expect(inbox(page)).toHaveCount(0)
  await fillAndSave(page, 'Trip')
  await expect(async () => expect((await listExpenses())[0]?.attachments).toHaveLength(2)).toPass()
  expect(await listCaptures()).toEqual([])
  await expect(page.getByText('Drop or paste files here to turn them into expenses later.')).toBeVisible()
})

test('a receipt that must be converted first goes from the form into the inbox, with a notice', async ({ page }) => {
  const bytes = await readFile(join(import.meta.dirname, '../captures/files/telephone.heic'))
  await hand(page, 'drop', [{ name: 'IMG_1.HEIC', type: '', bytes }, invoice('hotel.pdf')])
  await expect(page.getByText('Added to the inbox: Outlay converts this kind of file there.').first()).toBeVisible()
  await expect(receipt(page, 'hotel.pdf')).toContainText('Saved')
  await expect(row(page, 'IMG_1.jpg').locator('img')).toBeVisible()
  await expect(row(page, 'hotel.pdf')).toHaveCount(0)
  await expect(receipt(page, 'IMG_1')).toHaveCount(0)
})

test('several captures become one expense each, and a discarded draft gives its capture back', async ({ page }) => {
  await hand(page, 'paste', [invoice('a.pdf'), invoice('b.pdf', '1 0 0')], 'body')
  await expect(savedRow(page, 'a.pdf')).toBeVisible()
  await expect(row(page, 'b.pdf')).toContainText('Pasted')
  await expect(savedRow(page, 'b.pdf')).toBeVisible()
  await inbox(page).focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Create one expense each' }).click()
  await expect(page.getByRole('heading', { name: 'Drafts' })).toBeVisible()
  await expect(inbox(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Discard draft' }).first().click()
  await expect(inbox(page).getByRole('row')).toHaveCount(2)
})

test('a capture is deleted and brought back', async ({ page }) => {
  await hand(page, 'drop', invoice('hotel.pdf'), 'body')
  await expect(savedRow(page, 'hotel.pdf')).toBeVisible()
  await inbox(page).focus()
  await page.keyboard.press('Backspace')
  await expect(row(page, 'hotel.pdf')).toHaveCount(0)
  await expect(async () => expect(await listCaptures()).toEqual([])).toPass()
  await page.keyboard.press('Control+z')
  await expect(savedRow(page, 'hotel.pdf')).toBeVisible()
  expect(await listCaptures()).toHaveLength(1)
})

test('a file that the server refuses is named with the reason, is not to be sent, and can be removed', async ({ page }) => {
  await hand(page, 'drop', { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('hello') }, 'body')
  await expect(row(page, 'notes.txt')).toContainText('Not accepted')
  await expect(page.getByText(/“notes.txt” is not in the inbox:/)).toBeVisible()
  await expect(page.getByText(/to send$/)).toHaveCount(0)
  await page.reload()
  await expect(row(page, 'notes.txt')).toContainText('Not accepted')
  await page.getByRole('button', { name: 'Remove notes.txt' }).click()
  await expect(row(page, 'notes.txt')).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('Drop or paste files here to turn them into expenses later.')).toBeVisible()
})

test('an electronic invoice of the inbox fills the form', async ({ page }) => {
  const xml =
    '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe"><NFe><infNFe><ide><dhEmi>2024-01-03T10:00:00-03:00</dhEmi></ide><emit><xNome>Restaurante Bom Prato</xNome></emit><total><ICMSTot><vNF>84.90</vNF></ICMSTot></total></infNFe></NFe></nfeProc>'
  await hand(page, 'drop', { name: 'nfe.xml', type: 'text/xml', bytes: Buffer.from(xml) }, 'body')
  await expect(savedRow(page, 'nfe.xml')).toBeVisible()
  await inbox(page).focus()
  await page.keyboard.press('Enter')
  await expect(receipt(page, 'nfe.xml')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('84.90')
  await expect(page.getByRole('textbox', { name: 'Date' })).toHaveValue('2024-01-03')
})

test('quick capture saves each shot at once, and makes one expense of them', { tag: ['@camera', '@journey'] }, async ({ page }) => {
  await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined))
  await page.keyboard.press('q')
  await expect(page.getByRole('heading', { name: 'Quick capture' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take photo' })).toBeEnabled()
  await page.keyboard.press('Space')
  await hand(page, 'paste', { name: 'shot.jpg', type: 'image/jpeg', bytes: await picture(300, 400).jpeg().toBuffer() }, 'body')
  const shots = page.getByRole('list', { name: 'Captured' }).getByRole('listitem')
  await expect(shots).toHaveCount(2)
  await expect(shots.filter({ hasText: /Saved$/ })).toHaveCount(2)
  expect(await listCaptures()).toHaveLength(2)
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Note' }).fill('Lunch with Rita')
  await page.getByRole('button', { name: 'New expense' }).click()
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Lunch with Rita')
  await expect(receipt(page, 'shot.jpg')).toBeVisible()
  await expect(receipt(page, /^photo-/)).toBeVisible()
})

test('an expense of quick capture stays in the form while a slow disk is read', async ({ page }) => {
  await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined))
  await page.keyboard.press('q')
  await expect(page.getByRole('heading', { name: 'Quick capture' })).toBeVisible()
  await hand(page, 'drop', invoice('hotel.pdf'), 'body')
  await expect(page.getByRole('listitem').filter({ hasText: /Saved$/ })).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Note' }).fill('Two nights')
  await page.evaluate(holdDrafts, 3000)
  await page.getByRole('button', { name: 'New expense' }).click()
  const description = page.getByRole('textbox', { name: 'Description' })
  await expect(description).toHaveValue('Two nights')
  await page.waitForFunction(() => 'drafts_are_free' in window)
  // What was read of the disk has come by the time another reading of it has.
  await page.evaluate(holdDrafts, 0)
  await page.waitForFunction(() => document.readyState === 'complete')
  await expect(description).toHaveValue('Two nights')
  await page.reload()
  await expect(page.getByText('Two nights').first()).toBeVisible()
})

test('what quick capture is done with waits in the inbox as a group', async ({ page }) => {
  await page.goto(`${served.url}/quick-capture`)
  await expect(page.getByRole('heading', { name: 'Quick capture' })).toBeVisible()
  for (const name of ['front.pdf', 'back.pdf']) await hand(page, 'drop', invoice(name, name === 'back.pdf' ? '1 0 0' : '0 1 0'), 'body')
  await expect(page.getByRole('listitem').filter({ hasText: /Saved$/ })).toHaveCount(2)
  await page.getByRole('textbox', { name: 'Note' }).fill('Taxi')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('2 receipts are in the inbox').first()).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Close' }).click()
  await expect(row(page, 'front.pdf')).toContainText('Taxi')
  await inbox(page).focus()
  await page.keyboard.press('Enter')
  await expect(receipt(page, 'front.pdf')).toBeVisible()
  await expect(receipt(page, 'back.pdf')).toBeVisible()
})

test.describe('without permission for the camera', () => {
  test.use({ permissions: [] })
  test('quick capture says what to do, and the other ways stay', async ({ page }) => {
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    })
    await page.goto(`${served.url}/quick-capture`)
    await expect(page.getByText('Outlay does not have access to the camera.')).toBeVisible()
    await expectAccessible(page)
    await hand(page, 'drop', invoice('hotel.pdf'), 'body')
    await expect(page.getByRole('listitem').filter({ hasText: /Saved$/ })).toHaveCount(1)
  })
})

test('a part of the screen is chosen by keyboard and kept', { tag: '@camera' }, async ({ page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getDisplayMedia = () => {
      const canvas = document.createElement('canvas')
      canvas.width = 1000
      canvas.height = 500
      const draw = canvas.getContext('2d')
      setInterval(() => draw?.fillRect(0, 0, Math.random() * 1000, 500), 20)
      return Promise.resolve(canvas.captureStream(30))
    }
  })
  await page.goto(`${served.url}/quick-capture`)
  await expect(page.getByRole('button', { name: 'Take photo' })).toBeEnabled()
  await page.keyboard.press('s')
  await expect(page.getByText('600 × 300 pixels')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(page.getByText('580 × 300 pixels')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listitem').filter({ hasText: /Saved$/ })).toHaveCount(1)
  const [kept] = await listCaptures()
  expect(kept?.file_name).toMatch(/^screen-.*\.png$/)
})
