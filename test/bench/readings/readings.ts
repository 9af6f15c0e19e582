import { type Browser, chromium } from '@playwright/test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumArgs, findChromium } from '../../../scripts/chromium.mjs'
import { initFolder } from '#test/support/built-program'
import { startBuilt } from '#test/support/built-server'
import { capture } from '#test/support/captures'
import { madeCases } from '#test/support/receipts/made-cases'

import { type Typing, type as typeText, watch } from '../desktop-typing'

/** Half a minute of requests, one every so often as a person's page makes them. */
const paced = { count: 600, everyMs: 50 }

/** The response times of a list, paced, in milliseconds from the fastest. */
async function timesOf(url: string, token: string): Promise<number[]> {
  const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`, 'user-agent': 'bench' }
  const times: number[] = []
  for (let at = 0; at < paced.count; at += 1) {
    const begun = performance.now()
    await (await fetch(`${url}/api/v1/expenses`, { headers })).text()
    times.push(performance.now() - begun)
    await new Promise((resolve) => setTimeout(resolve, paced.everyMs))
  }
  return times.sort((a, b) => a - b)
}

const describe = (times: readonly number[]) =>
  `p50 ${(times[Math.floor(times.length * 0.5)] ?? 0).toFixed(2)} ms, p99 ${(times[Math.floor(times.length * 0.99)] ?? 0).toFixed(2)} ms`

/** A new expense is typed so often, each time its description. */
const descriptions = 4

/** Typing into the form of a signed-in browser: of some descriptions, the worst of each figure. */
async function typingIn(browser: Browser, { url, token }: { url: string; token: string }): Promise<string> {
  const page = await (await browser.newContext()).newPage()
  await page.request.post(`${url}/api/v1/session`, { data: { token }, headers: { origin: url } })
  await page.goto(`${url}/capture`)
  await page.locator('[data-field=description]').first().waitFor()
  await page.evaluate(watch)
  const keys = { evaluate: (text: string) => page.evaluate(text), press: (letter: string) => page.keyboard.press(letter) }
  const all: Typing[] = []
  for (let at = 0; at < descriptions; at += 1) {
    await page.locator('[data-field=description]').first().fill('')
    all.push(await typeText(keys))
  }
  await page.context().close()
  const most = (of: (typing: Typing) => number) => `${Math.max(...all.map(of)).toFixed(0)} ms`
  return `from key to frame: median ${most(({ median }) => median)}, p95 ${most(({ p95 }) => p95)}, slowest ${most(({ slowest }) => slowest)}`
}

/** Response times of the API, and of the form to keys, with nothing else to do, and while 40 receipts are read. */
export async function benchReadings(say: (text: string) => void): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'outlay-bench-readings-'))
  const { token, organization_id } = await initFolder(data)
  const server = await startBuilt(data, { OUTLAY_READ_RECEIPTS: '1' })
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArgs })
  try {
    await timesOf(server.url, token)
    const form = { url: server.url, token }
    say(`typing with nothing else to do: ${await typingIn(browser, form)}`)
    say(`nothing else to do: ${describe(await timesOf(server.url, token))}`)
    const ids: number[] = []
    for (const one of madeCases(40))
      ids.push((await capture({ token, url: server.url }, { bytes: await one.draw(), name: `${one.name}.jpg` })).id)
    say(`typing while receipts are read: ${await typingIn(browser, form)}`)
    say(`while receipts are read: ${describe(await timesOf(server.url, token))}`)
    const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`, 'user-agent': 'bench' }
    const asked = await fetch(`${server.url}/api/v1/organizations/${organization_id}/readings?capture_ids=${ids.join(',')}`, { headers })
    say(`read meanwhile: ${((await asked.text()).match(/"state":"read"/g) ?? []).length} of ${ids.length}`)
  } finally {
    await browser.close()
    await server.kill()
    await rm(data, { recursive: true, force: true })
  }
}
