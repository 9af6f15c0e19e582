import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { z } from 'zod'
import { pdf } from '#test/files/samples'
import { inForm } from '#test/support/form'
import { type FaultyProxy, startProxy } from '#test/support/sync/faulty-proxy'
import { hand } from './support/hand'
import { makeFolder, makeOrganization, Served } from './support/served'

/** `npm run torture -- page [COUNT]` runs the thousand. */
const kills = process.env.TORTURE === 'page' ? Number(process.env.TORTURE_COUNT ?? 1000) : inForm(6, 25)
/** Two files and an expense are saved and sent in less, so that kills fall before, during and after. */
const longestMs = 900
const filesEach = 2
/** How long a person looks at a blank page before they reload it. */
const blankMs = 20_000
let reloads = 0

const pageSchema = z.object({ count: z.number() }).loose()
const capturesSchema = z.object({ captures: z.array(z.object({ file_name: z.string() })) })
const expensesSchema = z.object({ expenses: z.array(z.object({ description: z.string().nullable(), attachments: z.array(z.unknown()) })) })

/** Has every page tell what it says to be saved, the moment it says so: files by their rows, an expense by what is read aloud. */
async function hearOfSaved(context: BrowserContext, said: Set<string>): Promise<void> {
  await context.exposeFunction('reportSaved', (name: string) => said.add(name))
  await context.addInitScript(() => {
    const told = new Set<string>()
    const tell = (name: string) => {
      if (told.has(name)) return
      told.add(name)
      ;(window as Window & { reportSaved?: (name: string) => void }).reportSaved?.(name)
    }
    new MutationObserver(() => {
      for (const row of document.querySelectorAll('[data-inbox] [role=row]')) {
        const name = /kill-\d+-\d+\.pdf/.exec(row.textContent ?? '')?.[0]
        if (name !== undefined && row.textContent?.includes('Saved')) tell(name)
      }
      const typed = (window as Window & { typedExpense?: string }).typedExpense
      const aloud = [...document.querySelectorAll('[aria-live]')].map(({ textContent }) => textContent).join(' ')
      if (typed !== undefined && aloud.includes('Saved on this device')) tell(typed)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

type Site = { readonly page: Page; readonly context: BrowserContext; readonly proxy: FaultyProxy }

/** How the page or its network ends, each in turn. */
const faults: Readonly<Record<string, (site: Site) => Promise<void>>> = {
  close: async ({ page }) => page.close(),
  crash: async ({ page, context }) => {
    const session = await context.newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    // Nobody is left who could answer.
    void session.send('Page.crash').catch(() => undefined)
    await crashed
    await page.close()
  },
  // By the line itself: after a crash Chromium sometimes never confirms its own emulation of a missing network.
  offline: async ({ page, proxy }) => {
    proxy.set({ cut: { direction: 'up', after: 0, how: 'reset' } })
    await page.reload()
    await delay(Math.random() * 300)
    proxy.heal()
  },
  answerLost: async ({ page, proxy }) => {
    proxy.set({ cut: { direction: 'down', after: Math.floor(Math.random() * 4000), how: 'reset' } })
    await delay(Math.random() * 400)
    await page.close()
    proxy.heal()
  },
  uploadCut: async ({ proxy }) => {
    proxy.set({ cut: { direction: 'up', after: Math.floor(Math.random() * 200_000), how: 'close' } })
    await delay(Math.random() * 400)
    proxy.heal()
  },
  reload: async ({ page }) => void (await page.reload()),
}

/** Opens the page as a person does, who reloads one that stays blank: after 193 kills on a busy machine one did. */
async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = context.pages()[0] ?? (await context.newPage())
  if (!page.url().startsWith(url)) await page.goto(`${url}/capture`)
  const amount = page.getByRole('textbox', { name: 'Amount' })
  for (let tries = 0; tries < 3; tries += 1) {
    if (
      await amount.waitFor({ timeout: blankMs }).then(
        () => true,
        () => false,
      )
    )
      return page
    reloads += 1
    await page.reload()
  }
  await expect(amount).toBeVisible()
  return page
}

/** The descriptions of the expenses that this device still has to send, or receipts of theirs. */
function handedOver(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('outlay-drafts')
    opening.onerror = () => reject(new Error('The drafts cannot be read.'))
    opening.onsuccess = () => {
      const reading = opening.result.transaction('drafts').objectStore('drafts').getAll()
      reading.onsuccess = () => {
        opening.result.close()
        const drafts: Array<{ stage: { kind: string }; form: { description: string } }> = reading.result
        resolve(drafts.filter(({ stage }) => stage.kind !== 'editing').map(({ form }) => form.description))
      }
    }
  })
}

/** Types an expense with a receipt and hands it over. */
async function enterExpense(page: Page, description: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Amount' }).fill('12,50')
  await page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
  await page.getByRole('textbox', { name: 'Description' }).fill(description)
  await page.locator('input[type=file]').setInputFiles({ name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf()) })
  await expect(page.getByRole('list', { name: 'Receipts' }).getByText(/Saved|Uploading/)).toBeVisible()
  await page.evaluate((name) => Object.assign(window, { typedExpense: name }), description)
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
}

async function readAll<T>(served: Served, token: string, path: string, read: (page: unknown) => T[]): Promise<T[]> {
  const found: T[] = []
  for (let number = 1; ; number += 1) {
    const page = await served.get(`${path}?per_page=100&page=${number}`, token)
    pageSchema.parse(page)
    const rows = read(page)
    if (rows.length === 0) return found
    found.push(...rows)
  }
}

test('no capture and no expense is lost or doubled when the page is killed or its network ends', async ({ browser }) => {
  test.setTimeout(120_000 + kills * 30_000)
  const proxy = await startProxy()
  const folder = await makeFolder()
  const token = await makeOrganization(folder)
  const served = new Served(folder, { OUTLAY_ALLOWED_HOSTS: proxy.host })
  await served.start()
  proxy.retarget(served.url)
  const context = await browser.newContext({ serviceWorkers: 'allow', locale: 'en-GB' })
  const said = new Set<string>()
  await hearOfSaved(context, said)
  const first = await context.newPage()
  await first.goto(`${proxy.url}/capture`)
  await first.getByRole('textbox', { name: 'API token' }).fill(token)
  await first.keyboard.press('Enter')
  await expect(first.getByRole('textbox', { name: 'Amount' })).toBeVisible()
  await first.evaluate(async () => void (await navigator.serviceWorker.ready))
  const kinds = Object.entries(faults)
  let between = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const page = await openPage(context, proxy.url)
    if (kill % 4 === 3) await enterExpense(page, `expense-${kill}`)
    const files = Array.from({ length: filesEach }, (_, index) => ({
      name: `kill-${kill}-${index}.pdf`,
      type: 'application/pdf',
      bytes: Buffer.concat([pdf(), Buffer.from(`%${randomBytes(Math.ceil(Math.random() * 60_000)).toString('hex')}`)]),
    }))
    const before = said.size
    await hand(page, 'drop', files, 'body')
    // Most kills early: on a quiet machine two files are saved soon.
    await delay(Math.random() ** 2 * longestMs)
    // On a machine so slow that no kill came after a file was saved, the last one does: hearing of nothing would prove nothing.
    if (kill === kills - 1) await expect.poll(() => said.size).toBeGreaterThan(0)
    const [, fault] = kinds[kill % kinds.length] ?? []
    await fault?.({ page, context, proxy })
    const told = said.size - before
    if (told > 0 && told < filesEach) between += 1
  }
  const page = await openPage(context, proxy.url)
  await expect(page.getByText(/to send$/)).toHaveCount(0, { timeout: 120_000 })
  // What the page shows of it may not be read yet: the disk says what still has to be sent.
  await expect.poll(() => page.evaluate(handedOver), { timeout: 120_000 }).toEqual([])
  const captures = await readAll(served, token, '/captures', (json) => capturesSchema.parse(json).captures)
  const expenses = await readAll(served, token, '/expenses', (json) => expensesSchema.parse(json).expenses)
  const there = [...captures.map(({ file_name }) => file_name), ...expenses.map(({ description }) => description ?? '')]
  const lost = [...said].filter((name) => !there.includes(name))
  const doubled = there.filter((name, index) => there.indexOf(name) !== index)
  const wrong = expenses.filter(({ attachments }) => attachments.length !== 1)
  console.log(
    `${kills} kills (${kinds.map(([name]) => name).join(', ')} in turn), ${between} while a drop was being saved: ${said.size} captures and expenses said to be saved, ${lost.length} lost, ${doubled.length} doubled, ${wrong.length} expenses without exactly one receipt; ${there.length} at the server; ${reloads} reloads of a blank page`,
  )
  expect({ lost, doubled, wrong }).toEqual({ lost: [], doubled: [], wrong: [] })
  await context.close()
  await proxy.close()
  await served.remove()
})
