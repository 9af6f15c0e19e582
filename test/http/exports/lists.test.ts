import readXlsxFile, { readSheet } from 'read-excel-file/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { type OtherList, otherLists } from '#shared/domain/exports/exported-lists'
import { openAccountability } from '#test/support/accountabilities'
import { registerCard } from '#test/support/cards'
import { recordExpense } from '#test/support/expenses'
import { exportAs as exportAndKeep } from '#test/support/exports'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { recordMoney } from '#test/support/settlements'

let organization: string
const made = async (path: string, body: object): Promise<Json> => {
  const response = await instance.admin.api.send('POST', path, body)
  if (response.status !== 201) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
  return response.body
}
const instance = await instanceOfFile()
beforeAll(async () => {
  organization = `/organizations/${instance.organization_id}`
  await recordMoney(instance, '/reimbursements', { amount: 12.34, currency: 'EUR', description: '=cmd|1', tags: ['Taxi', 'Two, words'] })
  await recordMoney(instance, '/reimbursements', { amount: 5000, currency: 'JPY' })
  await recordMoney(instance, '/advancements', { amount: 80, currency: 'EUR' })
  await recordMoney(instance, '/advancement_devolutions', { amount: 20, currency: 'EUR' })
  const expense = await recordExpense(instance, instance.member, { amount: 7.5, currency: 'EUR' })
  await openAccountability(instance, instance.member, { title: 'Trip to Bonn', expense_ids: [expense.id] })
  await instance.member.api.send('POST', '/pre_expenses', { description: 'Ride', amount: 3, currency: 'EUR' })
  await registerCard(instance, instance.admin, { name: 'Blue' })
  const { id: tag_id } = (await instance.admin.api.get(`${organization}/tags`)).body.tags[0]
  await made(`${organization}/suppliers`, { name: 'Bahn', tax_number: 'DE812', tag_id })
  await made(`${organization}/policies`, {
    name: 'Meals',
    weight: 'note',
    condition: 'amount_over',
    amount: 50,
    currency: 'EUR',
    tag_ids: [tag_id],
  })
})

/** Where the API lists the same records, for the admin. */
const addresses: Readonly<Record<Exclude<OtherList, 'activities'>, string>> = {
  ...{ reimbursements: '/reimbursements', advancements: '/advancements', advancement_devolutions: '/advancement_devolutions' },
  ...{ accountabilities: '/accountabilities', pre_expenses: '/pre_expenses', corporative_cards: '/corporative_cards' },
  ...{ memberships: ':o/members', tags: ':o/tags', suppliers: ':o/suppliers', statement_lines: ':o/statement_lines' },
  ...{ closings: ':o/closings', policies: ':o/policies', approval_rules: ':o/approval_rules', stand_ins: ':o/stand_ins' },
}
/** Nobody may have more than twenty. */
async function exportAs(person: Person, asked: object) {
  const exported = await exportAndKeep(person, asked)
  await person.api.send('DELETE', `/exports/${exported.made.id}`)
  return exported
}
const rowsOf = (bytes: Buffer): Json[] => JSON.parse(bytes.toString('utf8'))

describe('every list', () => {
  test.each(otherLists.filter((list) => list !== 'activities'))('exports what it shows: %s', async (list) => {
    const asked = list === 'pre_expenses' ? {} : { organization_id: instance.organization_id }
    const q = list === 'corporative_cards' ? { organization_id_eq: instance.organization_id } : {}
    const person = list === 'pre_expenses' ? instance.member : instance.admin
    const { body } = await person.api.get(
      `${addresses[list].replace(':o', organization)}?${new URLSearchParams(Object.entries(q).map(([name, value]) => [`q[${name}]`, String(value)]))}`,
    )
    const shown = (body[list] as Json[]).map(({ id }) => id)
    const rows = rowsOf((await exportAs(person, { format: 'json', list, ...asked })).bytes)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(shown.toSorted())
    expect((await exportAs(person, { format: 'csv', list, ...asked })).bytes.toString('utf8').split('\r\n').length).toBeGreaterThanOrEqual(
      3,
    )
  })

  test('is a workbook with typed cells and sums, in which nothing runs', async () => {
    const { made: file, bytes } = await exportAs(instance.analyst, { format: 'xlsx', list: 'reimbursements' })
    expect(file).toMatchObject({ done: 2, total: 2, file_name: expect.stringMatching(/^reimbursements-.*\.xlsx$/) })
    expect((await readXlsxFile(bytes)).map(({ sheet }) => sheet)).toEqual(['Reimbursements', 'Totals'])
    const [names = [], ...rows] = await readSheet(bytes)
    const euros = Object.fromEntries(rows.find((row) => row.includes('EUR'))?.map((cell, index) => [String(names[index]), cell]) ?? [])
    expect(euros).toMatchObject({
      ...{ amount: 12.34, currency: 'EUR', description: '=cmd|1', date: new Date('2026-03-04T00:00:00Z'), tags: 'Taxi,"Two, words"' },
      ...{
        receiver: 'Mel Member',
        receiver_email: 'mel.member@example.org',
        organization: expect.any(String),
        responsible_user: expect.any(String),
      },
    })
    expect((await readSheet(bytes, 'Totals')).slice(1)).toEqual([
      ['EUR', 1, 12.34],
      ['JPY', 1, 5000],
    ])
    const csv = (await exportAs(instance.analyst, { format: 'csv', list: 'reimbursements' })).bytes.toString('utf8')
    expect(csv).toContain("'=cmd|1")
  })

  test('takes its own filters, some records, or all but some', async () => {
    const ids = async (asked: object) =>
      rowsOf((await exportAs(instance.analyst, { format: 'json', list: 'reimbursements', ...asked })).bytes).map(({ currency }) => currency)
    const [jpy, eur] = (await instance.analyst.api.get('/reimbursements')).body.reimbursements
    expect(await ids({ q: { currency_eq: 'EUR' } })).toEqual(['EUR'])
    expect(await ids({ ids: [jpy.id] })).toEqual(['JPY'])
    expect(await ids({ except_ids: [jpy.id] })).toEqual(['EUR'])
    expect(await ids({ q: { search_tags: 'Taxi' }, ids: [eur.id] })).toEqual(['EUR'])
    const { bytes } = await exportAs(instance.analyst, { format: 'csv', list: 'reimbursements', q: { currency_eq: 'KWD' } })
    expect(bytes.toString('utf8')).toContain('Nothing matches what was asked for.')
  })

  test('has only what its asker may see', async () => {
    const asked = { format: 'json', list: 'reimbursements' }
    expect(rowsOf((await exportAs(instance.stranger, asked)).bytes)).toEqual([])
    const refused = async (person: typeof instance.member, body: object) =>
      (await person.api.send('POST', '/exports', { format: 'csv', ...body })).status
    const { organization_id } = instance
    expect(await refused(instance.stranger, { list: 'tags', organization_id })).toBe(404)
    expect(await refused(instance.stranger, { list: 'reimbursements', organization_id })).toBe(404)
    expect(await refused(instance.member, { list: 'tags' })).toBe(422)
    expect(await refused(instance.member, { list: 'pre_expenses', organization_id })).toBe(422)
    expect(await refused(instance.member, { list: 'reimbursements', format: 'datev' })).toBe(422)
    expect(await refused(instance.member, { list: 'reimbursements', q: { colour_eq: 1 } })).toBe(422)
    expect(await refused(instance.member, { list: 'colours' })).toBe(422)
  })
})

test('an expense report says what it has, and a supplier its tag', async () => {
  const [report] = rowsOf((await exportAs(instance.member, { format: 'json', list: 'accountabilities' })).bytes)
  expect(report).toMatchObject({ title: 'Trip to Bonn', expenses_count: 1, amount: 7.5, currency: 'EUR', totals: 'EUR 7.50' })
  const { organization_id } = instance
  const [supplier] = rowsOf((await exportAs(instance.member, { format: 'json', list: 'suppliers', organization_id })).bytes)
  expect(supplier).toMatchObject({ name: 'Bahn', tax_number: 'DE812', tag: expect.any(String) })
})

test('the audit trail of a period', async () => {
  const { organization_id } = instance
  const asked = { format: 'json', list: 'activities', organization_id }
  const all = rowsOf((await exportAs(instance.admin, asked)).bytes)
  const [first, last] = [all.at(-3)?.created_at, all.at(2)?.created_at]
  const { made: file, bytes } = await exportAs(instance.admin, { ...asked, q: { created_at_gteq: first, created_at_lteq: last } })
  const within = all.filter(({ created_at }) => String(created_at) >= first && String(created_at) <= last)
  expect(rowsOf(bytes)).toEqual(within)
  expect(file).toMatchObject({ done: within.length })
  const none = await exportAs(instance.admin, { ...asked, q: { created_at_lt: '2000-01-01T00:00:00Z' } })
  expect(rowsOf(none.bytes)).toEqual([])
  expect((await instance.admin.api.send('POST', '/exports', { ...asked, q: { event_eq: 'x' } })).status).toBe(422)
})

test('the audit trail says who did what, newest first, of one organization', async () => {
  const { organization_id } = instance
  const rows = rowsOf((await exportAs(instance.admin, { format: 'json', list: 'activities', organization_id })).bytes)
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted((a, b) => Number(b) - Number(a)))
  expect(rows.find(({ event }) => event === 'supplier_created')).toMatchObject({
    subject_type: 'Supplier',
    changes: expect.stringContaining('name:  → Bahn'),
  })
})
