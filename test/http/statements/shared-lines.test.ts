import { describe, expect, test } from 'vitest'
import { registerCard } from '#test/support/cards'
import { moveExpense, newExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { ofxOf, uploadStatement } from '#test/support/statements/upload'

const acme = await instanceOfFile()
const { member, manager, analyst } = acme
const home = `/organizations/${acme.organization_id}`

/** Lines of these amounts on a new card of the member, in that order. */
async function linesOf(...amounts: readonly string[]): Promise<Json[]> {
  const card = await registerCard(acme, member)
  const bookings = amounts.map((amount, at) => ({ day: `2026-06-0${at + 1}`, amount, name: 'HOTEL ATLAS', id: `${card.id}-${at}` }))
  await uploadStatement(acme, member, { card_id: card.id, bytes: ofxOf(bookings) })
  const { body } = await member.api.get(`${home}/statement_lines?q[corporative_card_id_eq]=${card.id}&sort=occurred_at`)
  return body.statement_lines
}

/** A line of BRL 60.00 that was USD 12.00 abroad. */
async function lineAbroad(): Promise<Json> {
  const card = await registerCard(acme, member)
  const values = { name: 'HOTEL', occurred_at: '2026-06-01', amount: 60, currency: 'BRL', original_amount: 12, original_currency: 'USD' }
  return (await member.api.send('POST', `${home}/statement_lines`, { ...values, corporative_card_id: card.id, external_id: 'abroad' })).body
}

const match = ({ api }: Person, line: Json, expense: Json) =>
  api.send('POST', `${home}/statement_matches`, { statement_line_id: line?.id, expense_id: expense.id })
const make = (line: Json, amount: number, more: object = {}) =>
  member.api.send('POST', '/expenses', newExpense(acme, { amount, statement_line_id: line?.id, ...more }))
const edit = (id: number, changes: object) => member.api.send('PATCH', `/expenses/${id}`, changes)
const remove = ({ api }: Person, id: number) => api.send('DELETE', `/expenses/${id}`)
const matchesOf = async (line: Json): Promise<Json[]> =>
  (await manager.api.get(`${home}/statement_matches?q[statement_line_id_eq]=${line?.id}`)).body.statement_matches
const isOpen = async (line: Json): Promise<boolean> =>
  (await manager.api.get(`${home}/statement_matching?corporative_card_id=${line?.corporative_card_id}`)).body.lines.some(
    ({ id }: Json) => id === line?.id,
  )
const isSuggested = async (line: Json): Promise<boolean> =>
  (await member.api.get('/pre_expenses?per_page=100')).body.pre_expenses.some(({ id }: Json) => id === line?.pre_expense_id)
const read = async (id: number): Promise<Json> => (await analyst.api.get(`/expenses/${id}`)).body
const findings = async (id: number): Promise<Json[]> => (await read(id)).flags.filter(({ condition }: Json) => condition === 'card_line')
const above = (attribute: string, left: string) => ({
  ...{ status: 422, body: { errors: { [attribute]: [`is more than is left of the card line: ${left} BRL`] } } },
})

describe('an expense that is deleted', () => {
  test('leaves its line open and suggested again, in the same write and in the trail', async () => {
    const [line] = await linesOf('-61.13')
    const made = await recordExpense(acme, member, { amount: 61.13 })
    const { body: matched } = await match(manager, line, made)
    expect([await isOpen(line), await isSuggested(line)]).toEqual([false, false])
    expect((await remove(analyst, made.id)).status).toBe(204)
    expect([await matchesOf(line), await isOpen(line), await isSuggested(line)]).toEqual([[], true, true])
    const { activities } = (await acme.admin.api.get('/activities?per_page=20')).body
    const ended = activities.filter(({ subject }: Json) => subject.type === 'StatementMatch' && subject.id === matched.id)
    expect(ended).toMatchObject([{ user: { id: analyst.user_id } }, { user: { id: manager.user_id } }])
    expect((await make(line, 61.13)).status).toBe(201)
  })

  test('and was made of the suggested one leaves that in the list again', async () => {
    const [line] = await linesOf('-61.13')
    const payer = { id: acme.organization_id, type: 'Organization' }
    const { body: made } = await member.api.send('POST', `/pre_expenses/${line?.pre_expense_id}/convert`, { payer, amount: 61.13 })
    expect(await isSuggested(line)).toBe(false)
    await remove(member, made.id)
    expect([await matchesOf(line), await isSuggested(line)]).toEqual([[], true])
  })

  test('leaves the other part of a split line, and the suggestion is taken until that is gone too', async () => {
    const [line] = await linesOf('-61.13')
    const [first, second] = [(await make(line, 40.11)).body, (await make(line, 21.02)).body]
    await remove(member, first.id)
    expect((await matchesOf(line)).map(({ expense_id }) => expense_id)).toEqual([second.id])
    expect(await isSuggested(line)).toBe(false)
    await remove(member, second.id)
    expect([await isOpen(line), await isSuggested(line)]).toEqual([true, true])
  })

  test('and is settled is refused, and keeps its match', async () => {
    const [line] = await linesOf('-61.13')
    const { body: made } = await make(line, 61.13)
    const approval = { approved_amount: 61.13, approved_amount_currency: 'BRL' }
    for (const status of ['approved', 'liquidated']) await moveExpense(manager, made.id, { ...approval, status })
    expect((await remove(manager, made.id)).status).toBe(422)
    expect([(await matchesOf(line)).length, await isOpen(line)]).toEqual([1, false])
  })
})

describe('expenses of a line', () => {
  test('come to no more than the line, however they get there', async () => {
    const [line] = await linesOf('-61.13')
    expect(await make(line, 61.14)).toMatchObject(above('amount', '61.13'))
    const { body: first } = await make(line, 40.11)
    const other = await recordExpense(acme, member, { amount: 21.03 })
    expect(await match(manager, line, other)).toMatchObject(above('expense_id', '21.02'))
    const operations = [{ method: 'POST', path: `${home}/statement_matches`, body: { statement_line_id: line?.id, expense_id: other.id } }]
    expect((await manager.api.send('POST', '/batch', { atomic: true, operations })).body.results).toMatchObject([
      above('expense_id', '21.02'),
    ])
    await edit(other.id, { amount: 21.02 })
    expect((await match(manager, line, other)).status).toBe(201)
    expect(await edit(first.id, { amount: 40.12 })).toMatchObject(above('amount', '40.11'))
    expect((await edit(first.id, { amount: 40, description: 'Two nights' })).status).toBe(200)
  })

  test('claim it once, also in its two currencies', async () => {
    const line = await lineAbroad()
    expect((await make(line, 6, { currency: 'USD' })).status).toBe(201)
    expect(await make(line, 30.01)).toMatchObject(above('amount', '30'))
    expect((await make(line, 30)).status).toBe(201)
  })

  test('are not made of a suggested one after another expense has the line, of an approved one neither', async () => {
    const [line] = await linesOf('-61.13')
    const made = await recordExpense(acme, member, { amount: 61.13 })
    await moveExpense(manager, made.id, { status: 'approved', approved_amount: 61.13, approved_amount_currency: 'BRL' })
    expect((await match(member, line, made)).status).toBe(201)
    expect(await isSuggested(line)).toBe(false)
    const [{ id: match_id } = { id: 0 }] = await matchesOf(line)
    await member.api.send('DELETE', `${home}/statement_matches/${match_id}`)
    expect(await isSuggested(line)).toBe(true)
  })

  test('keep their card while one of their lines is left', async () => {
    const [one, two] = await linesOf('-40.00', '-21.13')
    const made = await recordExpense(acme, member, { amount: 61.13 })
    const matches = [(await match(manager, one, made)).body, (await match(manager, two, made)).body]
    expect(await findings(made.id)).toEqual([])
    const filled = { corporative_card_id: one?.corporative_card_id, paid_on: '2026-06-01T00:00:00Z' }
    await manager.api.send('DELETE', `${home}/statement_matches/${matches[0].id}`)
    expect(await read(made.id)).toMatchObject(filled)
    expect(await findings(made.id)).toMatchObject([{ value: 21.13, limit: 61.13, currency: 'BRL' }])
    await manager.api.send('DELETE', `${home}/statement_matches/${matches[1].id}`)
    expect(await read(made.id)).toMatchObject({ corporative_card_id: null, paid_on: null })
    expect(await findings(made.id)).toEqual([])
  })
})

describe('a reviewer finds on an expense', () => {
  test('that its card was charged less than it claims, until it no longer does', async () => {
    const [line] = await linesOf('-61.13')
    const { body: made } = await make(line, 61.13)
    expect(await findings(made.id)).toEqual([])
    await edit(made.id, { amount: 200 })
    expect(await findings(made.id)).toMatchObject([{ value: 61.13, limit: 200, currency: 'BRL', weight: 'note', is_checked: true }])
    const listed = (await analyst.api.get('/expenses?q[flag_conditions]=card_line')).body.expenses
    expect(listed.map(({ id }: Json) => id)).toContain(made.id)
    await edit(made.id, { amount: 55 })
    expect(await findings(made.id)).toEqual([])
  })

  test('that its line is in a currency with which nothing compares it', async () => {
    const [line] = await linesOf('-61.13')
    const { body: made } = await make(line, 99, { currency: 'EUR' })
    expect(await findings(made.id)).toMatchObject([{ is_checked: false, currency: 'BRL' }])
    await edit(made.id, { currency: 'BRL', amount: 61.13 })
    expect(await findings(made.id)).toEqual([])
  })

  test('that its money came back', async () => {
    const [line, back] = await linesOf('-61.13', '61.13')
    const { body: made } = await make(line, 61.13)
    expect((await match(manager, back, made)).status).toBe(201)
    expect(await findings(made.id)).toMatchObject([{ value: 0, limit: 61.13 }])
  })
})

test('a line that needs no expense, as its money came back, is neither suggested nor claimed until its reason is removed', async () => {
  const [line] = await linesOf('-61.13')
  const close = (reason: string | null) => manager.api.send('PATCH', `${home}/statement_lines/${line?.id}`, { reason })
  const made = await recordExpense(acme, member, { amount: 61.13 })
  await close('Cancelled')
  expect(await isSuggested(line)).toBe(false)
  const refused = { status: 422, body: { errors: { statement_line_id: ['has a reason why it needs no expense: Cancelled'] } } }
  expect(await make(line, 61.13)).toMatchObject(refused)
  expect(await match(member, line, made)).toMatchObject(refused)
  await close(null)
  expect(await isSuggested(line)).toBe(true)
  expect((await match(member, line, made)).status).toBe(201)
})

test('a line that is removed takes its suggested expense with it', async () => {
  const [line] = await linesOf('-61.13')
  expect(await isSuggested(line)).toBe(true)
  expect((await manager.api.send('DELETE', `${home}/statement_lines/${line?.id}`)).status).toBe(204)
  expect(await isSuggested(line)).toBe(false)
})
