import { expect, test } from '@playwright/test'
import { z } from 'zod'
import { expectAccessible } from './support/axe'
import { withoutFeed } from './support/without-feed'
import { makeFolder, runCli, Served } from './support/served'

/** Every screen, on an organization that has something of everything; `list`: an address that shows one record of it. */
const screens: ReadonlyArray<{ path: string; list?: { path: string; name: string } }> = [
  { path: '/review' },
  { path: '/capture' },
  { path: '/my-expenses' },
  { path: '/reimbursements' },
  { path: '/reimbursements/:id', list: { path: '/reimbursements', name: 'reimbursements' } },
  { path: '/advances' },
  { path: '/advances/:id', list: { path: '/advancements', name: 'advancements' } },
  { path: '/accountabilities' },
  { path: '/accountabilities/:id', list: { path: '/accountabilities', name: 'accountabilities' } },
  { path: '/pre-expenses' },
  { path: '/cards' },
  { path: '/team' },
  { path: '/tags' },
  { path: '/webhooks' },
  { path: '/import' },
  { path: '/settings' },
]

let served: Served
let token: string
test.beforeAll(async () => {
  const folder = await makeFolder()
  ;({ token } = z.object({ token: z.string() }).parse(await runCli('demo', '--data', folder)))
  served = new Served(folder)
  await served.start()
})
test.afterAll(() => served.remove())

// A width and a language each, both colour schemes: what is wrong with two of them together is wrong with one.
for (const [language, width] of [
  ['en', 1440],
  ['pt', 900],
  ['es', 390],
] as const)
  test(`every screen is accessible, in ${language}, ${width} pixels wide, light and dark`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.addInitScript((chosen) => {
      localStorage.setItem('outlay.preferences', JSON.stringify({ state: { language: chosen }, version: 0 }))
    }, language)
    await page.request.post(`${served.url}/api/v1/session`, { data: { token }, headers: { origin: served.url } })
    await withoutFeed(page)
    for (const { path, list } of screens) {
      await page.goto(`${served.url}${list ? path.replace(':id', String(await firstId(list))) : path}`)
      await page.waitForLoadState('networkidle')
      await expect(page.locator('main')).not.toBeEmpty()
      await test.step(path, () => expectAccessible(page))
    }
  })

/** The id of the first record of a list. */
async function firstId({ path, name }: { path: string; name: string }): Promise<number> {
  const response = z.record(z.string(), z.unknown()).parse(await served.get(`${path}?per_page=1`, token))
  const [first] = z.array(z.object({ id: z.number() })).parse(response[name])
  if (!first) throw new Error(`The demo has none of ${name}.`)
  return first.id
}
