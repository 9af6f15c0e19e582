import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ExportProfileRepresentation } from '#shared/contract/organization-records/export-profiles'
import type { Layout } from '#shared/domain/exports/layout'
import { recordExpense } from '#test/support/expenses'
import { exportAs } from '#test/support/exports'
import { type Instance, startInstance } from '#test/support/instance'

let instance: Instance
beforeEach(async () => {
  instance = await startInstance()
})
afterEach(() => instance.remove())

const layout: Layout = {
  ...{ separator: ';', decimal: ',', days: 'dd.mm.yyyy', encoding: 'windows-1252', isQuoted: false, hasHeader: true },
  columns: [
    { kind: 'attribute', name: 'Datum', attribute: 'occurred_at' },
    { kind: 'attribute', name: 'Betrag', attribute: 'amount' },
    { kind: 'constant', name: 'Gegenkonto', text: '1740' },
    { kind: 'code', name: 'Konto', of: 'tag' },
    { kind: 'attribute', name: 'Text', attribute: 'description' },
  ],
  codes: { tag: { Travel: '4660' }, claimant: {} },
  otherwise: '4900',
}

const home = () => `/organizations/${instance.organization_id}/export_profiles`
async function addProfile(changes: Partial<Layout> = {}): Promise<number> {
  const body = { name: 'Ledger', layout: JSON.stringify({ ...layout, ...changes }) }
  const { status, body: made } = await instance.manager.api.send<ExportProfileRepresentation>('POST', home(), body)
  expect(status).toBe(201)
  return made.id
}

const write = async (profile_id: number) =>
  new TextDecoder('windows-1252').decode((await exportAs(instance.analyst, { format: 'profile', profile_id })).bytes).split('\r\n')

test('an own format has its columns, signs, codes and constants, and no cell runs as a formula', async () => {
  const day = '2026-03-02T10:00:00Z'
  await recordExpense(instance, instance.member, { amount: 1234.5, description: 'Café; 5 €', tags: 'Travel', occurred_at: day })
  await recordExpense(instance, instance.member, { amount: 2, description: '=1+1', occurred_at: day })
  expect(await write(await addProfile())).toEqual([
    'Datum;Betrag;Gegenkonto;Konto;Text',
    '02.03.2026;1234,50;1740;4660;"Café; 5 €"',
    "02.03.2026;2,00;1740;4900;'=1+1",
    '',
  ])
  const receiver = (await instance.analyst.api.get<{ expenses: Array<{ receiver: { name: string } }> }>('/expenses')).body.expenses[0]?.receiver.name ?? ''
  const codes = { tag: {}, claimant: { [receiver]: 'K7' } }
  const columns: Layout['columns'] = [{ kind: 'code', name: 'Cost centre', of: 'claimant' }]
  expect(await write(await addProfile({ codes, columns, hasHeader: false, isQuoted: true }))).toEqual(['"K7"', '"K7"', ''])
})

test('a layout that cannot be written is refused, and one is seen on real rows before it is kept', async () => {
  const { api } = instance.manager
  const refused = async (body: object) => (await api.send('POST', home(), { name: 'Ledger', ...body })).body.errors
  const wrong: Layout['columns'] = [{ kind: 'attribute', name: 'X', attribute: 'password' }]
  for (const bad of ['{', '{}', JSON.stringify({ ...layout, columns: [] }), JSON.stringify({ ...layout, columns: wrong })])
    expect(Object.keys(await refused({ layout: bad }))).toEqual(['layout'])
  await recordExpense(instance, instance.member, { amount: 7, description: 'Taxi', tags: 'Travel' })
  const asked = { organization_id: instance.organization_id, layout: JSON.stringify(layout) }
  const { body } = await api.send<{ lines: string[] }>('POST', '/exports/preview', asked)
  expect(body.lines).toHaveLength(2)
  expect(body.lines[1]).toMatch(/;7,00;1740;4660;Taxi$/)
  expect((await instance.stranger.api.send<{ lines: string[] }>('POST', '/exports/preview', asked)).body.lines?.slice(1) ?? []).toEqual([])
})

test('nobody exports by a profile of an organization whose expenses they do not review', async () => {
  const profile_id = await addProfile()
  for (const person of [instance.member, instance.stranger])
    expect((await person.api.send('POST', '/exports', { format: 'profile', profile_id })).body.errors).toHaveProperty('profile_id')
  expect((await instance.analyst.api.send('POST', '/exports', { format: 'profile' })).status).toBe(422)
  expect((await instance.member.api.get(home())).status).toBe(403)
  expect((await instance.analyst.api.send('POST', home(), { name: 'x', layout: JSON.stringify(layout) })).status).toBe(403)
})
