import { type Browser, type Page, chromium } from '@playwright/test'
import { chromiumArgs, findChromium } from '../../scripts/chromium.mjs'
import type { Seeded } from './seed'
import { startProgram } from './servers'

/** One figure of the review screen in Chromium beside what a page without an interface needs for the same; milliseconds. */
export interface BrowserFigure {
  readonly name: string
  readonly outlay_ms: number
  readonly floor_ms: number | null
  /** The slowest of the runs. */
  readonly worst_ms: number
  readonly runs: number
}

const approvals = 1000
const firstRow = '[role=grid] [role=row][aria-rowindex="2"] [role=gridcell]:nth-child(3)'

function figure(name: string, times: readonly number[], floor: readonly number[]): BrowserFigure {
  const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  return {
    name,
    outlay_ms: median(times),
    floor_ms: floor.length > 0 ? median(floor) : null,
    worst_ms: Math.max(...times),
    runs: times.length,
  }
}

async function times(runs: number, once: () => Promise<number>): Promise<number[]> {
  const all: number[] = []
  for (let run = 0; run < runs; run += 1) all.push(await once())
  return all
}

/** Measures the review screen of a seeded folder, by the clock of the page itself. */
export async function measureBrowser(seeded: Seeded, runs: number): Promise<BrowserFigure[]> {
  const server = await startProgram(seeded.folder)
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArgs })
  try {
    const page = await signIn(browser, server.url, seeded.token)
    const bare = await times(runs, () => openBareList(page, server.url))
    const list = await times(runs, () => openList(page, server.url))
    const nextRow = await times(runs * 10, () => pressAndPaint(page, 'j'))
    const queue = await times(runs, () => switchQueue(page, server.url))
    const approval = await approveMany(page, server.url)
    return [figure('usable list', list, bare), figure('next row', nextRow, []), figure('filter by queue', queue, []), approval]
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function signIn(browser: Browser, url: string, token: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  await page.request.post(`${url}/api/v1/session`, { data: { token }, headers: { origin: url } })
  await page.addInitScript((selector) => {
    const look = () => {
      if (document.querySelector(selector)?.textContent) Object.assign(window, { usableAt: performance.now() })
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, firstRow)
  return page
}

/** From the start of the navigation to the first row's words on the screen. */
async function openList(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/review`)
  const at = await page.waitForFunction(() => ('usableAt' in window ? Number(window.usableAt) : 0))
  return Number(await at.jsonValue())
}

/** The same answers asked for by a page with nothing on it, and thirty rows made of them. */
async function openBareList(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/api/v1/health`)
  return page.evaluate(async () => {
    const started = performance.now()
    const read = async (path: string) => (await fetch(`/api/v1${path}`)).json()
    await read('/session')
    const [list] = await Promise.all([
      read('/expenses?q[payer_id_eq]=1&sort=-occurred_at&per_page=100'),
      read('/expenses/summary?q[payer_id_eq]=1&group_by=status'),
    ])
    const table = document.createElement('table')
    for (const { description, amount } of list.expenses.slice(0, 30))
      table.insertRow().insertCell().textContent = `${description} ${amount}`
    document.body.append(table)
    await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - started
  })
}

/** What the page looks for after an event, and how: the time it takes is read by {@link measured}. */
interface Awaited {
  readonly event: 'keydown' | 'click'
  /** Where the words are looked for; the whole page when there is none. */
  readonly selector: string | null
  /** A pattern that the words must match; none: the next frame is enough. */
  readonly pattern: string | null
}

/** Readies the page for the next event, before it is sent: what is sent may overtake what is asked. */
async function arm(page: Page, awaited: Awaited): Promise<void> {
  await page.evaluate(({ event, selector, pattern }) => {
    const wordsOf = () => (selector === null ? document.body : document.querySelector(selector)?.closest('[role=row]'))?.textContent ?? ''
    const elapsed = new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error(`There is no ${pattern} after a minute.`)), 60_000)
      const look = (timeStamp: number) => {
        if (pattern === null || new RegExp(pattern).test(wordsOf())) setTimeout(() => resolve(performance.now() - timeStamp))
        else requestAnimationFrame(() => look(timeStamp))
      }
      window.addEventListener(event, ({ timeStamp }) => requestAnimationFrame(() => look(timeStamp)), { once: true, capture: true })
    })
    Object.assign(window, { elapsed })
  }, awaited)
}

/** Milliseconds from the event to what was awaited. */
function measured(page: Page): Promise<number> {
  return page.evaluate(async () => ('elapsed' in window ? Number(await window.elapsed) : 0))
}

/** From a key to the frame that shows the next row focused. */
async function pressAndPaint(page: Page, key: string): Promise<number> {
  await arm(page, { event: 'keydown', selector: null, pattern: null })
  await page.keyboard.press(key)
  return measured(page)
}

/** From a click on a queue to its first row. */
async function switchQueue(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/review?queue=awaiting_analysis`)
  await page.waitForSelector(firstRow)
  const before = await page.$eval(firstRow, (cell) => cell.closest('[role=row]')?.textContent ?? '')
  // A queue of one status does not say it in its rows: the row of another expense is what shows that it is there.
  const pattern = `^(?!${before.replaceAll(/[^\p{L}\d ]/gu, '.')}$).+`
  await arm(page, { event: 'click', selector: firstRow, pattern })
  await page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name: 'Decided' }).click()
  return measured(page)
}

interface Matching {
  readonly ids: readonly number[]
  /** The amount above which they are. */
  readonly above: number
}

/** The thousand dearest expenses that still await analysis. */
async function dearest(page: Page): Promise<Matching> {
  return page.evaluate(async (count) => {
    const ids: number[] = []
    let above = 0
    for (let number = 1; ids.length <= count; number += 1) {
      const response = await fetch(
        `/api/v1/expenses?q[payer_id_eq]=1&q[status_eq]=awaiting_analysis&sort=-amount&per_page=100&page=${number}`,
      )
      for (const { id, amount } of (await response.json()).expenses) {
        ids.push(id)
        if (ids.length === count + 1) above = amount
      }
    }
    return { ids: ids.slice(0, count), above }
  }, approvals)
}

/** A batch decided on the screen, from Enter to its being said done, beside the same batch sent by a page with nothing on it. */
async function approveMany(page: Page, url: string): Promise<BrowserFigure> {
  await page.goto(`${url}/api/v1/health`)
  const { ids } = await dearest(page)
  const floor = await page.evaluate(async (all) => {
    const operations = all.map((id) => ({
      method: 'PUT',
      path: `/expenses/${id}/status`,
      body: { status: 'approved', approved_amount: 1, approved_amount_currency: 'BRL' },
    }))
    const started = performance.now()
    await (
      await fetch('/api/v1/batch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ operations }),
      })
    ).json()
    return performance.now() - started
  }, ids)
  const { above } = await dearest(page)
  await page.goto(`${url}/review?queue=awaiting_analysis&f=amount.above.${above}`)
  await page.waitForSelector(firstRow)
  await page.keyboard.press('Control+Shift+A')
  await page.keyboard.press('a')
  await page.getByRole('dialog').waitFor()
  await arm(page, { event: 'keydown', selector: null, pattern: '[\\d,]+ approved\\.' })
  await page.keyboard.press('Enter')
  return figure(`approval of ${approvals}`, [await measured(page)], [floor])
}
