import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, type Page } from '@playwright/test'
import { openCapture, uniqueInvoice } from '#test/desktop/support/capturing'
import { makeComputer, test } from '#test/desktop/support/folder'
import { hand } from '#test/e2e/support/hand'
import { inForm } from '#test/support/form'

/** `npm run torture -- desktop [COUNT]` runs the hundred. */
const kills = process.env.TORTURE === 'desktop' ? Number(process.env.TORTURE_COUNT ?? 100) : inForm(2, 5)
const filesEach = 12
/** A drop of this many files is saved in less, so that kills fall before, during and after. */
const longestMs = 900

/** Has the page tell of each row that it shows as saved, the moment it does. */
async function hearOfSaved(page: Page, onSaved: (name: string) => void): Promise<void> {
  await page.exposeFunction('reportSaved', onSaved)
  await page.evaluate(() => {
    const told = new Set<string>()
    new MutationObserver(() => {
      for (const row of document.querySelectorAll('[data-inbox] [role=row]')) {
        const name = /kill-\d+-\d+\.pdf/.exec(row.textContent ?? '')?.[0]
        if (name === undefined || told.has(name) || !row.textContent?.includes('Saved')) continue
        told.add(name)
        ;(window as Window & { reportSaved?: (name: string) => void }).reportSaved?.(name)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
}

/** The hashes of the files of all captures that the application has, by name. */
function hashesOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const found: Record<string, string> = {}
    for (let number = 1; ; number += 1) {
      const { captures } = await (await fetch(`/api/v1/captures?per_page=100&page=${number}`)).json()
      if (captures.length === 0) return found
      for (const { file_name, url } of captures) {
        const { pathname, search } = new URL(url)
        const bytes = await (await fetch(`${pathname}${search}`)).arrayBuffer()
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
        found[file_name] = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      }
    }
  })
}

test('every file shown as saved is intact after the application is killed', async () => {
  test.setTimeout(60_000 + kills * 60_000)
  const computer = await makeComputer()
  const dropped = new Map<string, string>()
  const said = new Set<string>()
  let between = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const desktop = await computer.start()
    const page = await desktop.mainPage()
    await openCapture(page)
    const files = Array.from({ length: filesEach }, (_, index) => uniqueInvoice(`kill-${kill}-${index}.pdf`, (index % 4) * 40_000))
    for (const { name, bytes } of files) dropped.set(name, createHash('sha256').update(bytes).digest('hex'))
    const before = said.size
    await hearOfSaved(page, (name) => said.add(name))
    await hand(page, 'drop', files, 'body')
    await delay(Math.random() * longestMs)
    // On a machine so slow that no kill came after a file was saved, the last one does: hearing of nothing would prove nothing.
    if (kill === kills - 1) await expect.poll(() => said.size).toBeGreaterThan(0)
    await desktop.kill()
    const told = said.size - before
    if (told > 0 && told < filesEach) between += 1
  }
  const desktop = await computer.start()
  const there = await hashesOf(await desktop.mainPage())
  const broken = [...said].filter((name) => there[name] !== dropped.get(name))
  console.log(
    `${kills} kills, ${between} of them while a drop was being saved: ${dropped.size} files dropped, ${said.size} said to be saved, ${broken.length} of these missing or not whole; ${Object.keys(there).length} are there`,
  )
  expect(broken).toEqual([])
  await desktop.quit()
})
