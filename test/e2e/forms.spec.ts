import type { Page } from '@playwright/test'
import { inForm } from '#test/support/form'
import { formNames } from '../../src-renderer/state/form-names'
import { type E2eApp, moveTo } from './support/app'
import { expectAccessible } from './support/axe'
import { expect, test } from './support/kept/kept-page'
import { formsToSee, openForm, pressButton, shown, startWithForms, type Visit, visits } from './support/form-visits'
import { Hosted, makeFolder } from './support/served'

test.describe.configure({ mode: 'parallel' })
test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

/**
 * The ways to leave a form, but for a reload. In the long form each form is left in all of them that it has (pages without a frame have no sidebar
 * and no commands), in the short form in one, the ways taking turns.
 */
const ways: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  escape: (page) => page.keyboard.press('Escape'),
  sidebar: (page) =>
    page
      .getByRole('navigation')
      .getByRole('link', { name: /^Capture/ })
      .click(),
  back: (page) => page.goBack(),
  command: async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or command' }).fill('Capture')
    await page.keyboard.press('Enter')
  },
}
const waysOf = (form: string, index: number) => {
  const all = Object.keys(ways).filter((way) => form !== 'quick-capture' || way === 'back')
  return inForm(all.slice(index % all.length).slice(0, 1), all)
}

let app: E2eApp
test.beforeAll(async () => {
  app = await startWithForms()
})
test.afterAll(() => app.remove())

function fieldOf(page: Page, form: string, { field = 'input:not([readonly]):not([role=combobox]), textarea' }: Visit) {
  return shown(page, form).locator(field).first()
}

/** Comes to a form from another screen, as links do. */
async function come(page: Page, form: string, visit: Visit): Promise<void> {
  await moveTo(page, '/my-expenses')
  await expect(shown(page, form)).toHaveCount(0)
  await moveTo(page, visit.at)
  await openForm(page, form, visit)
}

/** Types into an open form, and tries every key that acts on records. */
async function type(page: Page, form: string, visit: Visit): Promise<string> {
  const typed = visit.typed ?? 'Not saved yet'
  const field = fieldOf(page, form, visit)
  await field.fill(typed)
  await expect(page.locator(`form[data-form=${form}][data-dirty]`)).toBeVisible()
  await field.evaluate((element) => (element instanceof HTMLElement ? element.blur() : undefined))
  for (const act of ['a', 'r', 't', 'u', 'd', 'i', 'b', 'Delete', 'Backspace']) await page.keyboard.press(act)
  await expect(field).toHaveValue(typed)
  return typed
}

/** Finds what was typed before the form was left. */
async function findAgain(page: Page, form: string, { visit, typed }: { visit: Visit; typed: string }): Promise<void> {
  if (!visit.isRestored) await shown(page, form).getByRole('button', { name: 'Continue editing' }).click()
  await expect(fieldOf(page, form, visit)).toHaveValue(typed)
}

/** Looks at a form once all of its screen is there. */
async function scan(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expectAccessible(page)
}

/** Notes what the page asks the server to write. */
function noteWrites(page: Page): string[] {
  const written: string[] = []
  page.on('request', (request) => {
    const isRead = request.method() === 'GET' || /\/(invitation|exports\/preview|batch\/dry_run)$/.test(request.url())
    if (!isRead) written.push(`${request.method()} ${request.url()}`)
  })
  return written
}

/** Types into a form that opens with its page, reloads, and finds the text again. */
async function reloadFilled(page: Page, form: string, { visit, url }: { visit: Visit; url: string }): Promise<void> {
  await page.goto(`${url}${visit.at}`)
  await openForm(page, form, visit)
  const written = noteWrites(page)
  const typed = await type(page, form, visit)
  await page.reload()
  await openForm(page, form, visit)
  await findAgain(page, form, { visit, typed })
  expect(written).toEqual([])
}

test('the walk visits every form', () => {
  expect([...Object.keys(visits), 'organization-set-up', 'join'].toSorted()).toEqual([...formNames].toSorted())
})

const walkCount = 5
const entries = Object.entries(visits).map(([form, visit], index) => ({ form, visit, index }))

/** The forms of one record, which are neighbours, exclude each other while they have unsaved changes: each is in another walk. */
for (const first of entries.slice(0, walkCount))
  test(`${first.form} and every ${walkCount}th form after it are accessible, and lose nothing to act keys, to being left, to a reload`, async ({
    page,
  }) => {
    const walk = entries.filter(({ index }) => index % walkCount === first.index)
    await app.signIn(page)
    await page.goto(`${app.url}/my-expenses`)
    const written = noteWrites(page)
    const typed = new Map<string, string>()
    for (const { form, visit, index } of walk)
      await test.step(form, async () => {
        await come(page, form, visit)
        if (formsToSee.has(form)) await scan(page)
        // A picture that is described has to be there first.
        written.length = 0
        const text = await type(page, form, visit)
        typed.set(form, text)
        for (const way of waysOf(form, index))
          await test.step(way, async () => {
            await ways[way]?.(page)
            await come(page, form, visit)
            await findAgain(page, form, { visit, typed: text })
          })
        expect(written).toEqual([])
      })
    await page.reload()
    for (const { form, visit } of walk)
      await test.step(`${form} after a reload`, async () => {
        await come(page, form, visit)
        await findAgain(page, form, { visit, typed: typed.get(form) ?? '' })
      })
    expect(written).toEqual([])
  })

test('organization-set-up loses nothing to a reload', async ({ page }) => {
  const served = await Hosted.start(await makeFolder())
  try {
    const visit = { at: '/welcome', open: pressButton(/Create an organization/) }
    await reloadFilled(page, 'organization-set-up', { visit, url: served.url })
  } finally {
    await served.remove()
  }
})

test('join loses nothing to a reload', async ({ page }) => {
  const organization = { id: 1, name: 'Acme', expired: false }
  const offered = { organization, invited_by: { name: 'Ana' }, email: 'dora@example.org', role: 'member', expires_at: null, known: false }
  await page.route('**/api/v1/invitation', (route) => route.fulfill({ json: offered }))
  await reloadFilled(page, 'join', { visit: { at: '/join#secret' }, url: app.url })
})
