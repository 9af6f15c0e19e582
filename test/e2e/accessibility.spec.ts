import { expect, test, type Page } from '@playwright/test'
import { z } from 'zod'
import { moveTo } from './support/app'
import { expectAccessible } from './support/axe'
import { withoutFeed } from './support/without-feed'
import { Hosted, makeFolder, runCli } from './support/served'

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
  { path: '/team/1' },
  { path: '/tags' },
  { path: '/policies' },
  { path: '/webhooks' },
  { path: '/import' },
  { path: '/settings' },
]

let served: Hosted
let token: string
test.beforeAll(async () => {
  const folder = await makeFolder()
  ;({ token } = z.object({ token: z.string() }).parse(await runCli('demo', '--data', folder)))
  served = await Hosted.start(folder)
})
test.afterAll(() => served.remove())

/** Signs the admin in and gives how to go from screen to screen, as links do; each is there with all that it asked for. */
async function signedIn(page: Page): Promise<(path: string) => Promise<void>> {
  const asked = new Set<object>()
  page.on('request', (request) => asked.add(request))
  page.on('requestfinished', (request) => asked.delete(request))
  page.on('requestfailed', (request) => asked.delete(request))
  await page.request.post(`${served.url}/api/v1/session`, { data: { token }, headers: { origin: served.url } })
  await withoutFeed(page)
  await page.goto(`${served.url}/review`)
  // What has come is shown with the next frame, which may ask for more.
  const frames = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return async (path) => {
    await moveTo(page, path)
    await expect(page.locator('main')).not.toBeEmpty()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expect.poll(() => frames().then(() => asked.size)).toBe(0)
  }
}

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
    const show = await signedIn(page)
    for (const { path, list } of screens) {
      await show(list ? path.replace(':id', String(await firstId(list))) : path)
      await test.step(path, () => expectAccessible(page))
    }
  })

const opener = '[aria-haspopup]:visible:enabled, [role=combobox]:visible:enabled'
const overlay = '[role=listbox]:visible, [role=menu]:visible, [role=dialog]:visible'

/** Where something opens by a press, beside the addresses above: the forms. */
const forms = [
  '/reimbursements/new',
  '/advances/new',
  '/accountabilities/new',
  '/cards/new',
  '/tags/new',
  '/policies/new',
  '/team/invite',
]

/** Whether a pressed control shows something: a list without anything to offer stays closed. */
const hasOpened = (control: Element) => {
  const list = document.getElementById(control.getAttribute('aria-controls') ?? '')
  const isEmptyList = list?.role === 'listbox' && list.querySelector('[role=option]') === null
  return control.getAttribute('aria-expanded') === 'true' && !isEmptyList
}

test('every list and menu that opens is accessible while it is open', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const show = await signedIn(page)
  const tried = new Set<string>()
  for (const path of [...screens.filter(({ list }) => !list).map((screen) => screen.path), ...forms])
    await test.step(path, async () => {
      await show(path)
      for (let index = 0; index < (await page.locator(opener).count()); index += 1) {
        const one = page.locator(opener).nth(index)
        const name = await one.evaluate(
          (element) =>
            `${element.getAttribute('aria-label') ?? ''}${element.textContent}${element.id && (document.querySelector(`label[for="${element.id}"]`)?.textContent ?? '')}`,
        )
        if (tried.has(name)) continue
        tried.add(name)
        await one.click()
        if (!(await one.evaluate(hasOpened))) {
          // What it offers may come later, over the next control.
          await one.blur()
          continue
        }
        await expect(page.locator(overlay).first()).toBeVisible()
        await test.step(name, () => expectAccessible(page))
        await page.keyboard.press('Escape')
        await expect(page.locator(overlay)).toHaveCount(0)
      }
    })
  expect(tried.size).toBeGreaterThan(20)
})

/** The id of the first record of a list. */
async function firstId({ path, name }: { path: string; name: string }): Promise<number> {
  const response = z.record(z.string(), z.unknown()).parse(await served.get(`${path}?per_page=1`, token))
  const [first] = z.array(z.object({ id: z.number() })).parse(response[name])
  if (!first) throw new Error(`The demo has none of ${name}.`)
  return first.id
}
