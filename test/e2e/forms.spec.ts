import { expect, test, type Page } from '@playwright/test'
import { type FormName, formNames } from '../../src-renderer/state/form-names'
import { startApp, type E2eApp, type Json } from './support/app'
import { makeFolder, Served } from './support/served'

test.describe.configure({ mode: 'parallel' })
test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

/** How a form is come to: an address, and what is pressed there. `isRestored`: its text is there again without asking. */
type Visit = {
  readonly at: string
  readonly open?: (page: Page) => Promise<void>
  readonly field?: string
  readonly typed?: string
  readonly isRestored?: true
}

const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()
const key = (keys: string) => async (page: Page) => {
  await expect(page.getByRole('grid').first()).toBeVisible()
  await page.keyboard.press(keys)
}
/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const edit = press(/^Edit( E)?$/)

const visits: Readonly<Record<Exclude<FormName, 'organization-set-up' | 'join'>, Visit>> = {
  'expense-edit': { at: '/review/1', open: edit, field: 'textarea, [data-field=description]' },
  'expense-move': { at: '/review/1', open: press('Reject'), field: 'textarea' },
  'attachment-edit': {
    at: '/review/1',
    open: async (page) => {
      const describe = page.getByRole('button', { name: /^Description of/ })
      const file = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') }
      if ((await app.api.get('/expenses/1')).attachments.length === 0)
        await page.locator('input[type=file]').first().setInputFiles(file)
      await describe.click()
    },
  },
  'review-act': {
    at: '/review',
    open: async (page) => {
      await expect(page.getByRole('grid', { name: 'Expenses' })).toBeFocused()
      await expect(page.getByRole('grid', { name: 'Expenses' })).toContainText('Taxi')
      await page.keyboard.press('r')
    },
  },
  'comment-new': { at: '/expenses/1', open: (page) => page.getByRole('tab', { name: /^Comments/ }).click(), isRestored: true },
  'comment-edit': {
    at: '/expenses/1',
    open: async (page) => {
      await page.getByRole('tab', { name: /^Comments/ }).click()
      await page.getByRole('button', { name: /^Edit/ }).last().click()
    },
  },
  'advancement-new': { at: '/advances', open: press(/^Hand out/), field: 'textarea' },
  'advancement-edit': { at: '/advances/1', open: edit, field: 'textarea' },
  'devolution-new': {
    at: '/advances',
    open: async (page) => {
      await page.getByRole('grid').first().getByRole('row').nth(1).click()
      await page
        .getByRole('button', { name: /^Record devolution/ })
        .first()
        .click()
    },
    field: '[data-field=amount]',
    typed: '7.00',
  },
  'reimbursement-new': { at: '/reimbursements/new', field: 'textarea' },
  'reimbursement-edit': { at: '/reimbursements/1', open: edit, field: 'textarea' },
  'payment-new': {
    at: '/reimbursements',
    open: (page) => page.getByRole('grid').first().getByRole('row').nth(1).click(),
    field: 'textarea',
  },
  'accountability-new': { at: '/accountabilities/new' },
  'accountability-edit': { at: '/accountabilities/1', open: edit },
  'pre-expense-convert': { at: '/pre-expenses/1', open: press(/^Convert/), field: 'textarea' },
  'card-new': { at: '/cards/new', field: '[data-field=name]' },
  'card-edit': { at: '/cards/1', open: edit, field: '[data-field=name]' },
  'tag-new': { at: '/tags/new' },
  'tag-edit': { at: '/tags/1' },
  'invitation-new': { at: '/team/invite' },
  'webhook-new': { at: '/webhooks/new' },
  'webhook-edit': { at: '/webhooks/1', open: key('e'), field: '[data-field=description]' },
  'profile-edit': { at: '/settings', field: 'input[autocomplete=off]:not([role=combobox])' },
  'organization-edit': { at: '/settings' },
  'distance-rule-edit': { at: '/settings', typed: '9' },
  'token-new': { at: '/settings' },
  'quick-capture': { at: '/quick-capture', isRestored: true },
}

/** The ways to leave a form; each form is left in two of them. Pages without a frame have no sidebar and no commands. */
const ways: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  escape: (page) => page.keyboard.press('Escape'),
  sidebar: (page) =>
    page
      .getByRole('navigation')
      .getByRole('link', { name: /^Capture/ })
      .click(),
  back: (page) => page.goBack(),
  reload: (page) => page.reload(),
  command: async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('textbox').fill('Capture')
    await page.keyboard.press('Enter')
  },
}

let app: E2eApp
test.beforeAll(async () => {
  app = await startApp({
    env: { OUTLAY_WEBHOOK_ALLOW_PRIVATE: '1' },
    expenses: [
      { claimant: 'Bruno Reis', date: '2026-03-02', amount: 10, description: 'Taxi', tags: 'Travel' },
      { claimant: 'Bruno Reis', date: '2026-03-03', amount: 20, description: 'Lunch', tags: 'Travel' },
    ],
  })
  const { expenses }: Json = await app.api.get('/expenses')
  const receiver = { id: expenses[0].receiver.id, type: 'User' }
  const payer = { id: 1, type: 'Organization' }
  const paid = { payer, receiver, amount: 50, currency: 'BRL', date: '2026-03-01' }
  const send = (path: string, body: Json): Promise<Json> => app.api.send('POST', path, body)
  await send('/advancements', paid)
  await send('/reimbursements', paid)
  await send('/accountabilities', { payer, receiver, title: 'March', expense_ids: [] })
  await send('/pre_expenses', { description: 'Ride', amount: 5, currency: 'BRL', occurred_at: '2026-03-04T10:20:00Z' })
  await send('/corporative_cards', { name: 'Trips', number: '6062826786276634', expiration_date: '01/30', organization_id: 1 })
  await send('/organizations/1/integrations/webhooks', { url: 'http://127.0.0.1:9/hook' })
  await send('/expenses/1/comments', { content: 'Which one?' })
  const due: Json = await send('/expenses', {
    ...{ payer, receiver, amount: 12, currency: 'BRL' },
    occurred_at: '2026-03-05',
    description: 'Due',
  })
  await app.api.send('PUT', `/expenses/${String(due.id)}/status`, { status: 'approved', approved_amount: 12 })
})
test.afterAll(() => app.remove())

async function come(page: Page, form: string, { at, open }: Visit, url = app.url): Promise<void> {
  await page.goto(`${url}${at}`)
  const shown = page.locator(`form[data-form=${form}]`)
  await open?.(page)
  await expect(shown).toBeVisible()
}

function fieldOf(page: Page, form: string, { field = 'input:not([readonly]):not([role=combobox]), textarea' }: Visit) {
  return page.locator(`form[data-form=${form}]`).locator(field).first()
}

/** Types into the form, tries every act, leaves it, and finds the text again. */
async function walk(page: Page, form: string, visit: Visit, ...[way, url]: [string, string?]): Promise<void> {
  const typed = visit.typed ?? 'Not saved yet'
  await come(page, form, visit, url)
  await fieldOf(page, form, visit).fill(typed)
  await expect(page.locator(`form[data-form=${form}][data-dirty]`)).toBeVisible()
  const written: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().endsWith('/invitation')) written.push(`${request.method()} ${request.url()}`)
  })
  await fieldOf(page, form, visit).evaluate((field) => (field instanceof HTMLElement ? field.blur() : undefined))
  for (const act of ['a', 'r', 't', 'u', 'd', 'i', 'b', 'Delete', 'Backspace']) await page.keyboard.press(act)
  await expect(fieldOf(page, form, visit)).toHaveValue(typed)
  await ways[way]?.(page)
  await come(page, form, visit, url)
  if (!visit.isRestored) await page.locator(`form[data-form=${form}]`).getByRole('button', { name: 'Continue editing' }).click()
  await expect(fieldOf(page, form, visit)).toHaveValue(typed)
  expect(written).toEqual([])
}

test('the walk visits every form', () => {
  expect([...Object.keys(visits), 'organization-set-up', 'join'].toSorted()).toEqual([...formNames].toSorted())
})

for (const [index, [form, visit]] of Object.entries(visits).entries()) {
  const names = Object.keys(ways).filter((way) => form !== 'quick-capture' || way === 'reload')
  const way = names[index % names.length] ?? ''
  test(`${form} loses nothing to act keys and ${way}`, async ({ page }) => {
    await app.signIn(page)
    await page.goto(`${app.url}/my-expenses`)
    await walk(page, form, visit, way)
  })
}

test('organization-set-up loses nothing to a reload', async ({ page }) => {
  const served = new Served(await makeFolder())
  try {
    await served.start()
    await walk(page, 'organization-set-up', { at: '/welcome', open: press(/Make an organization/) }, 'reload', served.url)
  } finally {
    await served.remove()
  }
})

test('join loses nothing to a reload', async ({ page }) => {
  const organization = { id: 1, name: 'Acme', expired: false }
  const offered = {
    organization,
    invited_by: { name: 'Ana' },
    email: 'dora@example.org',
    role: 'member',
    expires_at: null,
    known: false,
  }
  await page.route('**/api/v1/invitation', (route) => route.fulfill({ json: offered }))
  await walk(page, 'join', { at: '/join#secret', open: () => page.reload().then(() => undefined) }, 'reload')
})
