import { expect, type Page } from '@playwright/test'
import type { FormName } from '../../../src-renderer/state/form-names'
import { type E2eApp, type Json, startApp } from './app'
import { plainLayout } from '../../support/layouts'

/** How a form is come to: an address, and what is pressed there. `isRestored`: its text is there again without asking. */
export type Visit = {
  readonly at: string
  readonly open?: (page: Page) => Promise<void>
  readonly field?: string
  readonly typed?: string
  readonly isRestored?: true
}

/** Presses the first button of a name. */
export const pressButton = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()
/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const editName = /^(Edit|Editar)( E)?$/
const edit = pressButton(editName)
/** By its key, once what it edits is there. */
const editByKey = async (page: Page) => {
  await expect(page.getByRole('button', { name: editName })).toBeVisible()
  await page.keyboard.press('e')
}

/** Where every form that signed-in people have is found, in any language. */
export const visits: Readonly<Record<Exclude<FormName, 'organization-set-up' | 'join'>, Visit>> = {
  'expense-edit': { at: '/review/1', open: edit, field: 'textarea, [data-field=description]' },
  'expense-move': { at: '/review/1', open: pressButton(/^(Reject|Rejeitar|Rechazar)/), field: 'textarea' },
  'attachment-edit': {
    at: '/review/1',
    open: async (page) => {
      const describe = page.getByRole('button', { name: /^(Description of|Descrição de|Descripción de)/ })
      const file = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') }
      // An expense with comments begins with them.
      await page.getByRole('tab', { name: /^(Details|Detalhes|Detalles)$/ }).click()
      if ((await readExpense(page)).attachments.length === 0) await page.locator('input[type=file]').first().setInputFiles(file)
      await describe.click()
    },
  },
  'review-act': {
    at: '/review',
    open: async (page) => {
      const list = page.getByRole('grid', { name: /^(Expenses|Despesas|Gastos)$/ })
      await expect(list).toContainText('Taxi')
      await list.focus()
      await page.keyboard.press('r')
    },
  },
  'comment-new': { at: '/expenses/1', open: (page) => page.getByRole('tab', { name: /^Coment|^Comment/ }).click(), isRestored: true },
  'comment-edit': {
    at: '/expenses/1',
    open: async (page) => {
      await page.getByRole('tab', { name: /^Coment|^Comment/ }).click()
      await page.getByRole('tabpanel').getByRole('button', { name: /^Edit/ }).last().click()
    },
  },
  'advancement-new': { at: '/advances', open: pressButton(/^(Pay an advance|Pagar adiantamento|Pagar un anticipo)/), field: 'textarea' },
  'advancement-edit': { at: '/advances/1', open: edit, field: 'textarea' },
  'devolution-new': {
    at: '/advances',
    open: async (page) => {
      await page.getByRole('grid').first().getByRole('row').nth(1).click()
      await page
        .getByRole('button', { name: /^(Record a return|Registrar devolução|Registrar devolución)/ })
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
  'pre-expense-new': { at: '/pre-expenses/new', field: '[data-field=description]' },
  'pre-expense-convert': { at: '/pre-expenses/1', open: pressButton(/^Convert/), field: 'textarea' },
  'card-new': { at: '/cards/new', field: '[data-field=name]' },
  'card-edit': { at: '/cards/1', open: edit, field: '[data-field=name]' },
  'tag-new': { at: '/tags/new' },
  'tag-edit': { at: '/tags/1' },
  'supplier-new': { at: '/suppliers/new' },
  'supplier-edit': { at: '/suppliers/1' },
  'policy-new': { at: '/policies/new' },
  'policy-edit': { at: '/policies/1' },
  'approval-new': { at: '/approvals/new' },
  'approval-edit': { at: '/approvals/1' },
  'stand-in-new': { at: '/stand-ins/new', field: 'input[maxlength]' },
  'stand-in-edit': { at: '/stand-ins/1', field: 'input[maxlength]' },
  'export-profile-new': { at: '/export-profiles/new', field: 'input[maxlength]' },
  'export-profile-edit': { at: '/export-profiles/1', field: 'input[maxlength]' },
  'closing-reopen': { at: '/closings/200101', field: 'input[maxlength]' },
  'invitation-new': { at: '/team/invite' },
  'webhook-new': { at: '/webhooks/new' },
  'webhook-edit': { at: '/webhooks/1', open: editByKey, field: '[data-field=description]' },
  'profile-edit': { at: '/settings', field: 'input[autocomplete=off]:not([role=combobox])' },
  'organization-edit': { at: '/settings/organization' },
  'distance-rule-edit': { at: '/settings/organization', typed: '9' },
  'retention-edit': { at: '/settings/organization', typed: '12' },
  'token-new': { at: '/settings/sign-in' },
  'quick-capture': { at: '/quick-capture', isRestored: true },
}

/** The forms to look at: of those that are there with the same screen the first. */
export const formsToSee: ReadonlySet<string> = new Set(
  Object.entries(visits).flatMap(([form, { at, open }], index, all) =>
    open || all.findIndex(([, other]) => other.at === at && !other.open) === index ? [form] : [],
  ),
)

/** A form where it is shown. */
export const shown = (page: Page, form: string) => page.locator(`form[data-form=${form}]`)

/** Opens a form, once its page is there. */
export async function openForm(page: Page, form: string, visit: Visit): Promise<void> {
  await visit.open?.(page)
  await expect(shown(page, form)).toBeVisible()
}

async function readExpense(page: Page): Promise<Json> {
  // By the page: a browser asks again where the server has just closed an idle connection.
  return page.evaluate(async () => (await fetch('/api/v1/expenses/1')).json())
}

/** An app with something for every form. */
export async function startWithForms(): Promise<E2eApp> {
  const app = await startApp({
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
  await send('/organizations/1/closings', { name: '2001-01' })
  await send('/organizations/1/export_profiles', { name: 'Ledger', layout: plainLayout })
  await send('/organizations/1/suppliers', { name: 'Kalunga', tax_number: '11222333000181' })
  await send('/organizations/1/policies', { name: 'Late', weight: 'note', condition: 'older_than', days: 90 })
  await send('/organizations/1/approval_rules', { name: 'Large', rule: 'second_look', amount: 90_000, currency: 'BRL' })
  await app.addUser({ name: 'Dora Dias', email: 'dora@example.org', role: 'analyst' })
  const { memberships }: Json = await app.api.get('/organizations/1/members')
  const [away, present] = ['admin', 'analyst'].map((role) => memberships.find((one: Json) => one.role === role).user.id)
  await send('/organizations/1/stand_ins', {
    ...{ name: 'Away', user: { id: away }, delegate: { id: present }, starts_at: '2090-01-01', ends_at: '2090-01-09' },
  })
  await send('/organizations/1/integrations/webhooks', { url: 'http://127.0.0.1:9/hook' })
  await send('/expenses/1/comments', { content: 'Which one?' })
  const due: Json = await send('/expenses', {
    ...{ payer, receiver, amount: 12, currency: 'BRL' },
    occurred_at: '2026-03-05',
    description: 'Due',
  })
  await app.api.send('PUT', `/expenses/${String(due.id)}/status`, { status: 'approved', approved_amount: 12 })
  return app
}
