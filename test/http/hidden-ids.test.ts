import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '#main/http/endpoints'
import { openAccountability, recordApproved } from '#test/support/accountabilities'
import { newCard, registerCard } from '#test/support/cards'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type ApiResponse, type Instance, type Json, type Person, startInstance } from '#test/support/instance'
import { plainLayout } from '#test/support/layouts'
import { pdfFile } from '#test/support/sample-files'
import { capture } from '#test/support/captures'
import { uploadFile } from '#test/support/upload'

/** An id that nothing has. */
const nothing = 987_654_321

let instance: Instance
let elsewhere: Record<'organization' | 'user' | 'expense' | 'card' | 'capture' | 'tag' | 'format' | 'line', number>
let own: Record<
  | 'expense'
  | 'other'
  | 'accountability'
  | 'reimbursement'
  | 'advancement'
  | 'card'
  | 'tag'
  | 'policy'
  | 'rule'
  | 'stand_in'
  | 'supplier'
  | 'decision'
  | 'pre_expense'
  | 'capture'
  | 'line'
  | 'match',
  number
>
let files: { readonly theirs: string; readonly none: string }
beforeAll(async () => {
  instance = await startInstance({ settings: { OUTLAY_LOGIN_THROTTLE: 1_000 } })
  const { stranger, manager, member } = instance
  const made = async (person: Person, path: string, body: unknown): Promise<number> => {
    const response = await person.api.send('POST', path, body)
    if (response.status >= 300) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
    return response.body.id
  }
  const organization = await made(stranger, '/organizations', { name: 'Elsewhere' })
  const payer = { id: organization, type: 'Organization' }
  const occurred_at = '2026-03-04'
  const bill = { name: 'Bakery', occurred_at, amount: 5, currency: 'BRL', external_id: 'one' }
  const theirs = (await registerCard(instance, stranger, { organization_id: organization })).id
  elsewhere = {
    organization,
    user: stranger.user_id,
    expense: await made(stranger, '/expenses', { payer, amount: 9, occurred_at, description: 'hidden' }),
    card: theirs,
    line: await made(stranger, `/organizations/${organization}/statement_lines`, { ...bill, corporative_card_id: theirs }),
    capture: (await capture({ ...stranger, url: instance.url }, pdfFile('a.pdf'))).id,
    tag: await made(stranger, `/organizations/${organization}/tags`, { name: 'hidden' }),
    format: await made(stranger, `/organizations/${organization}/export_profiles`, { name: 'hidden', layout: plainLayout }),
  }
  const parties = { payer: { id: instance.organization_id, type: 'Organization' }, receiver: { id: member.user_id, type: 'User' } }
  const expense = await recordApproved(instance, member)
  const card = (await registerCard(instance, manager)).id
  const line = await made(manager, `${homePath()}/statement_lines`, { ...bill, corporative_card_id: card })
  const matched = (await recordExpense(instance, manager)).id
  own = {
    line,
    match: await made(manager, `${homePath()}/statement_matches`, { statement_line_id: line, expense_id: matched }),
    expense: (await recordExpense(instance, manager)).id,
    other: expense.id,
    accountability: (await openAccountability(instance, manager)).id,
    reimbursement: await made(manager, '/reimbursements', { ...parties, amount: 5, date: occurred_at, currency: 'BRL', description: 'x' }),
    advancement: await made(manager, '/advancements', { ...parties, amount: 5, date: occurred_at, currency: 'BRL', description: 'x' }),
    card,
    tag: await made(manager, `/organizations/${instance.organization_id}/tags`, { name: 'Travel' }),
    supplier: await made(manager, suppliers(), { name: 'Kalunga', tax_number: '503504564' }),
    policy: await made(manager, policies(), limited),
    rule: await made(instance.admin, rules(), { ...authority, user_ids: [manager.user_id] }),
    stand_in: await made(manager, standIns(), away()),
    decision: await made(manager, decisions(), {
      name: 'Two rides',
      expense_id: (await recordExpense(instance, manager)).id,
      other_expense_id: expense.id,
    }),
    pre_expense: await made(manager, '/pre_expenses', { description: 'Ride', amount: 5, currency: 'BRL', occurred_at }),
    capture: (await capture({ ...manager, url: instance.url }, pdfFile('b.pdf'))).id,
  }
  files = { theirs: await uploadFile(stranger, pdfFile('c.pdf')), none: `${instance.url}/uploads/none/none` }
})
afterAll(() => instance.remove())

const homePath = () => `/organizations/${instance.organization_id}`
const tags = () => `${homePath()}/tags`
const lines = () => `${homePath()}/statement_lines`
const matches = () => `${homePath()}/statement_matches`
const match = () => `${matches()}/${own.match}`
const opened = () => `/accountability/${own.accountability}`
const suppliers = () => `${homePath()}/suppliers`
const policies = () => `${homePath()}/policies`
const decisions = () => `${homePath()}/repeat_decisions`
const rules = () => `${homePath()}/approval_rules`
const standIns = () => `${homePath()}/stand_ins`
const authority = { name: 'Up to 5', rule: 'authority', amount: 5, currency: 'BRL' }
const away = () => ({
  ...{ name: 'Away', user: user(instance.manager.user_id), delegate: user(instance.analyst.user_id) },
  ...{ starts_at: '2040-01-01', ends_at: '2040-01-02' },
})
const limited = { name: 'Late', weight: 'note', condition: 'older_than', days: 30 }

const bill = () => ({ name: 'Cafe', occurred_at: '2026-03-05', amount: 6, currency: 'BRL', external_id: 'two' })

type Kind = keyof typeof elsewhere
interface Case {
  /** `<route>.<attribute>`. */
  readonly name: string
  readonly kind: Kind
  readonly method: string
  readonly path: () => string
  readonly body: (id: number) => unknown
}

const home = () => ({ id: instance.organization_id, type: 'Organization' })
const user = (id: number) => ({ id, type: 'User' })
const payerOf = (id: number) => ({ id, type: 'Organization' })
const paid = (id: number) => ({ payer: home(), receiver: user(id), amount: 5, date: '2026-03-04', currency: 'BRL', description: 'x' })
const paidBy = (id: number) => ({ ...paid(instance.member.user_id), payer: payerOf(id) })
const report = (more: object) => ({ payer: home(), receiver: user(instance.member.user_id), title: 'Trip', ...more })

function create(name: string, path: string, cases: Record<string, readonly [Kind, (id: number) => unknown]>): Case[] {
  return Object.entries(cases).map(([attribute, [kind, body]]) => ({
    ...{ name: `${name}.create.${attribute}`, kind, method: 'POST', path: () => path, body },
  }))
}

const cases: Case[] = [
  ...create('expenses', '/expenses', {
    payer: ['organization', (id) => newExpense(instance, { payer: payerOf(id) })],
    payer_id: ['organization', (id) => ({ amount: 5, occurred_at: '2026-03-04', payer_id: id })],
    receiver: ['user', (id) => newExpense(instance, { receiver: user(id) })],
    corporative_card_id: ['card', (corporative_card_id) => newExpense(instance, { corporative_card_id })],
    statement_line_id: ['line', (statement_line_id) => newExpense(instance, { statement_line_id })],
  }),
  ...create('reimbursements', '/reimbursements', {
    payer: ['organization', paidBy],
    receiver: ['user', paid],
    expense_ids: ['expense', (id) => ({ ...paid(instance.member.user_id), expense_ids: [id] })],
  }),
  ...create('advancements', '/advancements', { payer: ['organization', paidBy], receiver: ['user', paid] }),
  ...create('advancement_devolutions', '/advancement_devolutions', { payer: ['organization', paidBy], receiver: ['user', paid] }),
  ...create('accountabilities', '/accountabilities', {
    payer: ['organization', (id) => report({ payer: payerOf(id) })],
    receiver: ['user', (id) => report({ receiver: user(id) })],
    expense_ids: ['expense', (id) => report({ expense_ids: [id] })],
  }),
  ...create('pre_expenses', '/pre_expenses', { receiver: ['user', (id) => ({ description: 'Ride', receiver: user(id) })] }),
  ...create('corporative_cards', '/corporative_cards', {
    organization_id: ['organization', (organization_id) => newCard(instance, { organization_id, number: '4111111111111111' })],
    user_id: ['user', (user_id) => newCard(instance, { user_id, number: '4111111111111111' })],
  }),
  ...create('exports', '/exports', { profile_id: ['format', (profile_id) => ({ format: 'profile', profile_id })] }),
  ...create('captures', '/captures/attach', {
    expense_id: ['expense', (expense_id) => ({ expense_id, capture_ids: [own.capture] })],
    capture_ids: ['capture', (id) => ({ expense_id: own.expense, capture_ids: [id] })],
  }),
  ...(
    [
      ['expenses.update.payer', 'organization', 'PATCH', () => `/expenses/${own.expense}`, (id) => ({ payer: payerOf(id) })],
      ['expenses.update.receiver', 'user', 'PATCH', () => `/expenses/${own.expense}`, (id) => ({ receiver: user(id) })],
      [
        'expenses.update.corporative_card_id',
        'card',
        'PATCH',
        () => `/expenses/${own.expense}`,
        (corporative_card_id) => ({ corporative_card_id }),
      ],
      ['accountabilities.update.payer', 'organization', 'PATCH', opened, (id) => ({ payer: payerOf(id) })],
      ['accountabilities.update.receiver', 'user', 'PATCH', opened, (id) => ({ receiver: user(id) })],
      ['accountabilities.update.expense_ids', 'expense', 'PATCH', opened, (id) => ({ expense_ids: [id] })],
      [
        'reimbursements.update.payer',
        'organization',
        'PATCH',
        () => `/reimbursements/${own.reimbursement}`,
        (id) => ({ payer: payerOf(id) }),
      ],
      ['reimbursements.update.receiver', 'user', 'PATCH', () => `/reimbursements/${own.reimbursement}`, (id) => ({ receiver: user(id) })],
      [
        'reimbursements.update.expense_ids',
        'expense',
        'PATCH',
        () => `/reimbursements/${own.reimbursement}`,
        (id) => ({ expense_ids: [id] }),
      ],
      ['advancements.update.payer', 'organization', 'PATCH', () => `/advancements/${own.advancement}`, (id) => ({ payer: payerOf(id) })],
      ['advancements.update.receiver', 'user', 'PATCH', () => `/advancements/${own.advancement}`, (id) => ({ receiver: user(id) })],
      [
        'corporative_cards.update.organization_id',
        'organization',
        'PATCH',
        () => `/corporative_cards/${own.card}`,
        (organization_id) => ({ organization_id }),
      ],
      [
        'pre_expenses.convert.payer',
        'organization',
        'POST',
        () => `/pre_expenses/${own.pre_expense}/convert`,
        (id) => ({ payer: payerOf(id), amount: 5 }),
      ],
      [
        'handovers.create.profile_id',
        'format',
        'POST',
        () => `${homePath()}/handovers`,
        (profile_id) => ({ format: 'profile', profile_id }),
      ],
      ['policies.create.tag_ids', 'tag', 'POST', policies, (id) => ({ ...limited, tag_ids: [id] })],
      ['policies.create.claimant_ids', 'user', 'POST', policies, (id) => ({ ...limited, claimant_ids: [id] })],
      ['suppliers.create.tag_id', 'tag', 'POST', suppliers, (tag_id) => ({ name: 'Kalunga', tax_number: '11222333000181', tag_id })],
      ['suppliers.update.tag_id', 'tag', 'PATCH', () => `${suppliers()}/${own.supplier}`, (tag_id) => ({ tag_id })],
      ['policies.update.tag_ids', 'tag', 'PATCH', () => `${policies()}/${own.policy}`, (id) => ({ tag_ids: [id] })],
      ['policies.update.claimant_ids', 'user', 'PATCH', () => `${policies()}/${own.policy}`, (id) => ({ claimant_ids: [id] })],
      [
        'approval_rules.create.tag_ids',
        'tag',
        'POST',
        rules,
        (id) => ({ ...authority, user_ids: [instance.manager.user_id], tag_ids: [id] }),
      ],
      ['approval_rules.create.user_ids', 'user', 'POST', rules, (id) => ({ ...authority, user_ids: [id] })],
      ['approval_rules.update.tag_ids', 'tag', 'PATCH', () => `${rules()}/${own.rule}`, (id) => ({ tag_ids: [id] })],
      ['approval_rules.update.user_ids', 'user', 'PATCH', () => `${rules()}/${own.rule}`, (id) => ({ user_ids: [id] })],
      ['stand_ins.create.user', 'user', 'POST', standIns, (id) => ({ ...away(), user: user(id) })],
      ['stand_ins.create.delegate', 'user', 'POST', standIns, (id) => ({ ...away(), delegate: user(id) })],
      ['stand_ins.update.user', 'user', 'PATCH', () => `${standIns()}/${own.stand_in}`, (id) => ({ user: user(id) })],
      ['stand_ins.update.delegate', 'user', 'PATCH', () => `${standIns()}/${own.stand_in}`, (id) => ({ delegate: user(id) })],
      [
        'repeat_decisions.create.expense_id',
        'expense',
        'POST',
        decisions,
        (id) => ({ name: 'x', expense_id: id, other_expense_id: own.expense }),
      ],
      [
        'repeat_decisions.create.other_expense_id',
        'expense',
        'POST',
        decisions,
        (id) => ({ name: 'x', expense_id: own.expense, other_expense_id: id }),
      ],
      ['repeat_decisions.update.expense_id', 'expense', 'PATCH', () => `${decisions()}/${own.decision}`, (expense_id) => ({ expense_id })],
      [
        'repeat_decisions.update.other_expense_id',
        'expense',
        'PATCH',
        () => `${decisions()}/${own.decision}`,
        (other_expense_id) => ({ other_expense_id }),
      ],
      ['statement_lines.create.corporative_card_id', 'card', 'POST', lines, (corporative_card_id) => ({ ...bill(), corporative_card_id })],
      [
        'statement_lines.update.corporative_card_id',
        'card',
        'PATCH',
        () => `${homePath()}/statement_lines/${own.line}`,
        (corporative_card_id) => ({ corporative_card_id }),
      ],
      ['statement_matches.create.statement_line_id', 'line', 'POST', matches, (id) => ({ statement_line_id: id, expense_id: own.expense })],
      ['statement_matches.create.expense_id', 'expense', 'POST', matches, (id) => ({ statement_line_id: own.line, expense_id: id })],
      ['statement_matches.update.statement_line_id', 'line', 'PATCH', match, (statement_line_id) => ({ statement_line_id })],
      ['statement_matches.update.expense_id', 'expense', 'PATCH', match, (expense_id) => ({ expense_id })],
      ['tags.create.restricted_user_ids', 'user', 'POST', tags, (id) => ({ name: 'Limited', restricted_user_ids: [id] })],
      [
        'tags.update.restricted_user_ids',
        'user',
        'PATCH',
        () => `/organizations/${instance.organization_id}/tags/${own.tag}`,
        (id) => ({ restricted_user_ids: [id] }),
      ],
    ] satisfies ReadonlyArray<readonly [string, Kind, string, () => string, (id: number) => unknown]>
  ).map(([name, kind, method, path, body]): Case => ({ name, kind, method, path, body })),
]

/** An answer without the id that was sent and what differs from one request to the next. */
function plain({ status, body }: Pick<ApiResponse<Json>, 'status' | 'body'>, id: number | string): string {
  const text = JSON.stringify(body)
  return `${status} ${typeof id === 'string' ? text.replaceAll(id, 'ID') : text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')}`
}

describe('an id of another organization’s record in a body gets the same response as an unused id', () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', async (_, { kind, method, path, body }) => {
    for (const person of [instance.admin, instance.manager, instance.member]) {
      const hidden = await person.api.send(method, path(), body(elsewhere[kind]))
      const none = await person.api.send(method, path(), body(nothing))
      expect(plain(hidden, elsewhere[kind])).toBe(plain(none, nothing))
      expect(hidden.status).toBeGreaterThanOrEqual(400)
    }
  })

  test('in a batch too, atomic or not', async () => {
    for (const atomic of [false, true])
      for (const { kind, method, path, body } of cases) {
        const sendIn = async (id: number) => {
          const operations = [{ method, path: path(), body: body(id) }]
          return instance.manager.api.send('POST', '/batch', { atomic, operations })
        }
        expect(plain(await sendIn(elsewhere[kind]), elsewhere[kind])).toBe(plain(await sendIn(nothing), nothing))
      }
  })

  test('in a filter it counts nothing', async () => {
    const parties = [
      ['payer_id', 'organization'],
      ['receiver_id', 'user'],
    ] as const
    const settled = [...parties, ['responsible_user_id', 'user']] as const
    const lists: ReadonlyArray<readonly [list: string, filters: ReadonlyArray<readonly [string, Kind]>]> = [
      ['expenses', [...parties, ['corporative_card_id', 'card'], ['id', 'expense']]],
      ['reimbursements', settled],
      ['advancements', settled],
      ['accountabilities', parties],
      [
        'corporative_cards',
        [
          ['organization_id', 'organization'],
          ['id', 'card'],
        ],
      ],
    ]
    for (const [list, filters] of lists)
      for (const [filter, kind] of filters)
        for (const asked of [`q[${filter}_eq]=`, `q[${filter}_in][]=`])
          expect((await instance.manager.api.get(`/${list}?${asked}${elsewhere[kind]}`)).body).toMatchObject({ count: 0, [list]: [] })
  })

  test('a file that another has uploaded is none', async () => {
    const path = `/expenses/${own.expense}/attachments`
    const hidden = await instance.manager.api.send('POST', path, { file: files.theirs })
    const none = await instance.manager.api.send('POST', path, { file: files.none })
    expect(plain(hidden, files.theirs)).toBe(plain(none, files.none))
    expect(hidden.status).toBe(422)
  })

  test('every attribute of a body that names a record is among these', () => {
    const naming = /^(payer|receiver|user|organization)(_id)?$|_ids?$/
    // What a caller names of their own making, on this instance or another's.
    const others = new Set(['external_id', 'op_id', 'device_id', 'request_id', 'supplier_tax_id', 'tax_ids'])
    // What an export leaves out of what its asker sees: it says nothing of the rest.
    others.add('except_ids')
    // How far the caller has seen their own inbox.
    others.add('until_id')
    const covered = new Set(cases.map(({ name }) => name.split('.').at(-1) ?? ''))
    const unknown = endpoints
      .filter(({ route: { name, method } }) => method !== 'GET' && !/^(sync|replica|memberships|setup|session|user)\b/.test(name))
      .flatMap(({ route: { name, body } }) =>
        (body instanceof z.ZodObject ? Object.keys(body.shape) : [])
          .filter((attribute) => naming.test(attribute) && !others.has(attribute) && !covered.has(attribute))
          .map((attribute) => `${name}.${attribute}`),
      )
    expect(unknown).toEqual([])
  })
})
