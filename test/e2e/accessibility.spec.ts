import type { Page, Request } from '@playwright/test'
import { z } from 'zod'
import { type Language, pageLanguageOf } from '#shared/domain/locales'
import { inForm } from '#test/support/form'
import { certificateFolder } from '#test/support/receipts/signed-invoices'
import { type Json, moveTo, startApp } from './support/app'
import { expectAccessible } from './support/axe'
import { expect, test } from './support/kept/kept-page'
import { formsToSee, openForm, shown, startWithForms, visits } from './support/form-visits'
import { doors, emptyScreens, fullScreens, ofMember, ofReview, overReview } from './support/states'
import { withoutFeed } from './support/without-feed'
import { Hosted, makeFolder, runCli } from './support/served'

const firstWidth = 1440

/** What the short form walks through once, in one theme; all of it is walked in a width and a language each, in both. */
const looks = inForm<ReadonlyArray<readonly [Language, number]>>(
  [['en', firstWidth]],
  [
    ['en', firstWidth],
    ['pt', 900],
    ['es', 390],
    ['en', 320],
  ],
)

const hotels = Array.from({ length: 5 }, (_, index) => ({
  claimant: index % 2 === 0 ? 'Ana Souza' : 'Bruno Reis',
  date: '2026-01-03',
  amount: 20 + index,
  description: `Hotel ${index}`,
}))

/** With an address for receipts, and with those who may sign invoices. */
const withReceipts = {
  OUTLAY_IMAP_URL: 'imap://a:b@127.0.0.1:9/',
  OUTLAY_IMAP_ADDRESS: 'receipts@example.org',
  OUTLAY_INVOICE_ROOTS: certificateFolder,
}

let served: Hosted
let token: string
test.beforeAll(async () => {
  const folder = await makeFolder()
  ;({ token } = z.object({ token: z.string() }).parse(await runCli('demo', '--data', folder)))
  served = await Hosted.start(folder)
})
test.afterAll(() => served.remove())

/** Shows a screen after the other, as links do; each is there with all that it asked for. */
async function startWalk(page: Page, at: { url: string; token: string }): Promise<(path: string) => Promise<void>> {
  const asked = new Set<Request>()
  page.on('request', (request) => asked.add(request))
  page.on('requestfinished', (request) => asked.delete(request))
  page.on('requestfailed', (request) => asked.delete(request))
  await page.request.post(`${at.url}/api/v1/session`, { data: { token: at.token }, headers: { origin: at.url } })
  await withoutFeed(page)
  await page.goto(`${at.url}/review`)
  // What has come is shown with the next frame, which may ask for more.
  const frames = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return async (path) => {
    await moveTo(page, path)
    await expect(page.locator('main, form').first()).not.toBeEmpty()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expect.poll(() => frames().then(() => [...asked].map((request) => request.url())), { timeout: 90_000 }).toEqual([])
  }
}

for (const [language, width] of looks)
  test.describe(`in ${language}, ${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 900 }, locale: pageLanguageOf(language) })

    test('every screen is accessible', async ({ page }) => {
      test.slow()
      const show = await startWalk(page, { url: served.url, token })
      for (const { path, list } of fullScreens) {
        await show(list ? path.replace(':id', String(await firstId(list))) : path)
        await test.step(path, () => expectAccessible(page))
      }
    })

    test('every screen without anything in it is accessible', async ({ page }) => {
      const app = await startApp()
      const show = await startWalk(page, app)
      for (const path of emptyScreens) {
        await show(path)
        await test.step(path, () => expectAccessible(page))
      }
      await app.remove()
    })

    // `forms.spec.ts` has looked at each in the first look.
    if (width !== firstWidth)
      test('every form is accessible', async ({ page }) => {
        test.slow()
        const app = await startWithForms()
        const show = await startWalk(page, app)
        for (const [form, visit] of Object.entries(visits).filter(([name]) => formsToSee.has(name)))
          await test.step(form, async () => {
            await show(visit.at)
            await openForm(page, form, visit)
            await expectAccessible(page)
            await show('/my-expenses')
            await expect(shown(page, form)).toHaveCount(0)
          })
        await app.remove()
      })

    test('what opens over a screen, and what a list shows of itself, is accessible', async ({ page }) => {
      const app = await startApp({ expenses: hotels })
      const show = await startWalk(page, app)
      const opened = page.locator('[role=dialog]:visible, [role=menu]:visible')
      for (const [name, { at, open }] of Object.entries(ofReview))
        await test.step(name, async () => {
          await show(at)
          await open?.(page)
          await expectAccessible(page)
          await page.keyboard.press('Escape')
        })
      for (const [name, { at, open }] of Object.entries(overReview))
        await test.step(name, async () => {
          await show(at)
          await open?.(page)
          await expect(opened.first()).toBeVisible()
          await expectAccessible(page)
          await page.keyboard.press('Escape')
          await expect(opened).toHaveCount(0)
          await show('/my-expenses')
        })
      await app.remove()
    })

    test('what a member reads and writes is accessible', async ({ page }) => {
      const app = await startApp({ expenses: hotels.map((hotel) => ({ ...hotel, tags: 'Travel' })), env: withReceipts })
      const member = await app.addUser({ name: 'Dora Dias', email: 'dora@example.org', role: 'member' })
      const { memberships }: Json = await app.api.get('/organizations/1/members')
      const receiver = { id: memberships.find(({ user }: Json) => user.first_name === 'Dora').user.id, type: 'User' }
      const parties = { payer: { id: 1, type: 'Organization' }, receiver }
      await app.api.send('POST', '/advancements', { ...parties, amount: 50, currency: 'BRL', date: '2026-01-05' })
      await app.api.send('POST', '/expenses', { ...parties, amount: 121, occurred_at: '2026-01-03', description: 'Hotel 1' })
      await app.api.send('POST', '/organizations/1/policies', {
        ...{ name: 'Nights', weight: 'note', condition: 'amount_over', amount: 80, currency: 'BRL' },
      })
      await app.api.send('POST', '/organizations/1/closings', { name: '2026-01' })
      const show = await startWalk(page, { url: app.url, token: member })
      for (const [name, { at, open }] of Object.entries(ofMember))
        await test.step(name, async () => {
          await show('/my-expenses')
          await show(at)
          await open?.(page)
          await expectAccessible(page)
        })
      await app.remove()
    })

    test('every door is accessible', async ({ page }) => {
      const app = await startApp()
      await page.goto(`${app.url}/sign-in`)
      for (const path of doors) {
        await moveTo(page, path)
        await expect(page.locator('main, form').first()).toBeVisible()
        await test.step(path, () => expectAccessible(page))
      }
      await app.remove()
    })
  })

const opener = '[aria-haspopup]:visible:enabled, [role=combobox]:visible:enabled'
const overlays = ['listbox', 'menu', 'dialog'] as const
const overlay = overlays.map((role) => `[role=${role}]:visible`).join()
/** What changes as something opens. Every screen behind it has been scanned, and behind one of each role is scanned again. */
const opened = [...overlays.map((role) => `[role=${role}]`), '[aria-expanded=true]']

/** Where something opens by a press, beside the addresses above: the forms. */
const forms = ['/reimbursements/new', '/advances/new', '/accountabilities/new', '/cards/new', '/tags/new', '/policies/new', '/team/invite']

/** Whether a pressed control shows something: a list without anything to offer stays closed. */
const hasOpened = (control: Element) => {
  const list = document.getElementById(control.getAttribute('aria-controls') ?? '')
  const isEmptyList = list?.role === 'listbox' && list.querySelector('[role=option]') === null
  return control.getAttribute('aria-expanded') === 'true' && !isEmptyList
}

/** What tells controls apart: their own text and that of their label. */
const namesOf = (controls: readonly Element[]) =>
  controls.map((control) => {
    const label = control.id && document.querySelector(`label[for="${control.id}"]`)?.textContent
    return `${control.getAttribute('aria-label') ?? ''}${control.textContent}${label ?? ''}`
  })

test('every list and menu that opens is accessible while it is open', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const show = await startWalk(page, { url: served.url, token })
  const tried = new Set<string>()
  const roles = new Set<string | null>()
  for (const path of [...fullScreens.filter(({ list }) => !list).map((screen) => screen.path), ...forms])
    await test.step(path, async () => {
      await show(path)
      for (;;) {
        const names = await page.locator(opener).evaluateAll(namesOf)
        const index = names.findIndex((name) => !tried.has(name))
        const name = names[index]
        if (name === undefined) break
        tried.add(name)
        const one = page.locator(opener).nth(index)
        await one.click()
        if (!(await one.evaluate(hasOpened))) {
          // What it offers may come later, over the next control.
          await one.blur()
          continue
        }
        await expect(page.locator(overlay).first()).toBeVisible()
        const role = await page.locator(overlay).first().getAttribute('role')
        await test.step(name, () => expectAccessible(page, roles.has(role) ? opened : []))
        roles.add(role)
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
