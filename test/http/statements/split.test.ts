import { expect, test } from 'vitest'
import { registerCard } from '#test/support/cards'
import { newExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { ofxOf, uploadStatement } from '#test/support/statements/upload'

const acme = await instanceOfFile()
const home = `/organizations/${acme.organization_id}`

/** A line of BRL 61.13 on a new card of the member. */
async function oneLine(): Promise<Json> {
  const card = await registerCard(acme, acme.member)
  const bytes = ofxOf([{ day: '2026-06-03', amount: '-61.13', name: 'HOTEL ATLAS', id: `S${card.id}` }])
  await uploadStatement(acme, acme.member, { card_id: card.id, bytes })
  return (await acme.member.api.get(`${home}/statement_lines?q[corporative_card_id_eq]=${card.id}`)).body.statement_lines[0]
}

const partOf = ({ id }: Json, amount: number, more: object = {}) => newExpense(acme, { amount, statement_line_id: id, ...more })
const send = ({ api }: Person, bodies: readonly object[], atomic = true) =>
  api.send('POST', '/batch', { atomic, operations: bodies.map((body) => ({ method: 'POST', path: '/expenses', body })) })
const matchesOf = async ({ id }: Json): Promise<Json[]> =>
  (await acme.manager.api.get(`${home}/statement_matches?q[statement_line_id_eq]=${id}`)).body.statement_matches
const countExpenses = async () => (await acme.manager.api.get('/expenses')).body.count

test('a line becomes several expenses in one request, which all belong to it, and one request takes them back', async () => {
  const line = await oneLine()
  const { body } = await send(acme.member, [partOf(line, 40.11), partOf(line, 21.02)])
  expect(body.results).toMatchObject(
    [40.11, 21.02].map((amount) => ({
      status: 201,
      body: { amount, corporative_card_id: line.corporative_card_id, paid_on: '2026-06-03T00:00:00Z', supplier_name: 'HOTEL ATLAS' },
    })),
  )
  const ids = body.results.map((result: Json) => result.body.id)
  const matches = await matchesOf(line)
  expect(matches.map(({ expense_id }) => expense_id).toSorted()).toEqual(ids.toSorted())
  // The suggested expense of the line is one of them.
  const open = async () => (await acme.member.api.get('/pre_expenses')).body.pre_expenses.map(({ id }: Json) => id)
  expect(await open()).not.toContain(line.pre_expense_id)
  const operations = [
    ...matches.map(({ id }) => ({ method: 'DELETE', path: `${home}/statement_matches/${id}` })),
    ...ids.map((id: number) => ({ method: 'DELETE', path: `/expenses/${id}` })),
  ]
  const { results } = (await acme.member.api.send('POST', '/batch', { atomic: true, operations })).body
  expect(results.map(({ status }: Json) => status)).toEqual([204, 204, 204, 204])
  expect(await matchesOf(line)).toEqual([])
  expect(await open()).toContain(line.pre_expense_id)
})

test('expenses that come to more than the line are refused together, to the cent, and leave nothing', async () => {
  const line = await oneLine()
  const before = await countExpenses()
  const { results } = (await send(acme.member, [partOf(line, 40.11), partOf(line, 21.03)])).body
  expect(results).toMatchObject([
    { status: 424 },
    { status: 422, body: { errors: { amount: ['is more than is left of the card line: 21.02 BRL'] } } },
  ])
  expect([await countExpenses(), await matchesOf(line)]).toEqual([before, []])
  // Less than the line is a tip or a fee; another currency cannot be compared.
  for (const part of [partOf(line, 55), partOf(line, 5), partOf(line, 99, { currency: 'USD' })])
    expect((await acme.member.api.send('POST', '/expenses', part)).status).toBe(201)
  expect(await acme.member.api.send('POST', '/expenses', partOf(line, 1.14))).toMatchObject({
    ...{ status: 422, body: { errors: { amount: ['is more than is left of the card line: 1.13 BRL'] } } },
  })
})

test('a line that the caller does not see is refused like one that is missing', async () => {
  const line = await oneLine()
  const refused = { status: 422, body: { errors: { statement_line_id: ['is invalid'] } } }
  for (const [person, part] of [
    [acme.analyst, partOf(line, 1)],
    [acme.member, partOf({ id: 987_654 }, 1)],
  ] as const)
    expect(await person.api.send('POST', '/expenses', part)).toMatchObject(refused)
  expect(await matchesOf(line)).toEqual([])
  const { member, manager } = acme
  const made = await manager.api.send('POST', '/expenses', partOf(line, 61.13, { receiver: { id: member.user_id, type: 'User' } }))
  expect([made.status, await matchesOf(line)]).toMatchObject([201, [{ expense_id: made.body.id, user: { id: member.user_id } }]])
})
