import type { Page } from '@playwright/test'
import { inForm } from '#test/support/form'
import { formNames } from '../../src-renderer/state/form-names'
import { type E2eApp, moveTo } from './support/app'
import { expect, test } from './support/kept/kept-page'
import { openForm, pressButton, shown, startWithForms, type Visit, visits } from './support/form-visits'
import { Hosted, makeFolder } from './support/served'

test.describe.configure({ mode: 'parallel' })
test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

/**
 * The ways to leave a form. In the long form each form is left in all of them that it has (pages without a frame have no sidebar and no
 * commands); in the short form by a reload and by another way, the ways taking turns.
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
  reload: (page) => page.reload(),
}
const waysOf = (form: string, index: number) => {
  const all = Object.keys(ways).filter((way) => form !== 'quick-capture' || way === 'back' || way === 'reload')
  return inForm([...new Set([all[index % all.length] ?? '', 'reload'])], all)
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

for (const [index, [form, visit]] of Object.entries(visits).entries())
  test(`${form} loses nothing to act keys, ${waysOf(form, index).join(', ')}`, async ({ page }) => {
    await app.signIn(page)
    await page.goto(`${app.url}/my-expenses`)
    await come(page, form, visit)
    // A picture that is described has to be there first.
    const written = noteWrites(page)
    const typed = await type(page, form, visit)
    for (const way of waysOf(form, index))
      await test.step(way, async () => {
        await ways[way]?.(page)
        await come(page, form, visit)
        await findAgain(page, form, { visit, typed })
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
