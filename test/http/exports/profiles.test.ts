import { readSheet } from 'read-excel-file/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ExportProfileRepresentation } from '#shared/contract/organization-records/export-profiles'
import type { DatevLayout, TableLayout } from '#shared/domain/exports/layout'
import { datevFields, datevHeader, datevLandmarks } from '#test/support/datev-fields'
import { exportAs, settledExport } from '#test/support/exports'
import { type Instance, startInstance } from '#test/support/instance'
import { approvedExpense } from '#test/support/settlements'

let instance: Instance
beforeEach(async () => {
  instance = await startInstance()
})
afterEach(() => instance.remove())

const layout: TableLayout = {
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
async function addProfile(changes: Partial<TableLayout> | DatevLayout = {}): Promise<number> {
  const body = { name: 'Ledger', layout: JSON.stringify('kind' in changes ? changes : { ...layout, ...changes }) }
  const { status, body: made } = await instance.manager.api.send<ExportProfileRepresentation>('POST', home(), body)
  expect(status).toBe(201)
  return made.id
}

const write = async (profile_id: number) =>
  new TextDecoder('windows-1252').decode((await exportAs(instance.analyst, { format: 'profile', profile_id })).bytes).split('\r\n')

test('an own format has its columns, signs, codes and constants, and no cell runs as a formula', async () => {
  const day = '2026-03-02T10:00:00Z'
  await approvedExpense(instance, { amount: 1234.5, description: 'Café; 5 €', tags: 'Travel', occurred_at: day })
  await approvedExpense(instance, { amount: 2, description: '=1+1', occurred_at: day })
  expect(await write(await addProfile())).toEqual([
    'Datum;Betrag;Gegenkonto;Konto;Text',
    '02.03.2026;1234,50;1740;4660;"Café; 5 €"',
    "02.03.2026;2,00;1740;4900;'=1+1",
    '',
  ])
  const receiver =
    (await instance.analyst.api.get<{ expenses: Array<{ receiver: { name: string } }> }>('/expenses')).body.expenses[0]?.receiver.name ?? ''
  const codes = { tag: {}, claimant: { [receiver]: 'K7' } }
  const columns: TableLayout['columns'] = [{ kind: 'code', name: 'Cost centre', of: 'claimant' }]
  expect(await write(await addProfile({ codes, columns, hasHeader: false, isQuoted: true }))).toEqual(['"K7"', '"K7"', ''])
})

describe('bookings for DATEV with accounts of the organization', () => {
  const own: DatevLayout = {
    ...{ kind: 'datev', adviser: '29098', client: '55003', first_month: 7, account_digits: 5 },
    codes: { tag: { Travel: '46600', Hotel: '46700' }, claimant: { 'mel.member@example.org': '700123' } },
    otherwise: { tag: '49000', claimant: '17400' },
  }
  const written = async (profile_id: number) => {
    const { bytes } = await exportAs(instance.analyst, { format: 'datev', profile_id })
    return bytes
      .toString('latin1')
      .split('\r\n')
      .map((line) => line.split(';'))
  }

  test('follow the published fields, with the account of each tag and the creditor of each claimant', async () => {
    const record = (amount: number, tags: string, occurred_at: string) =>
      approvedExpense(instance, {
        amount,
        currency: 'EUR',
        tags,
        occurred_at,
        description: `${'Überlandfahrt „Süd" '.repeat(4)}`,
        supplier_name: '=Taxi',
      })
    await record(1234.5, 'Travel, Hotel', '2025-12-31')
    await record(20, 'Meals', '2026-06-30T23:00:00Z')
    await approvedExpense(instance, { amount: 0.01, currency: 'EUR', tags: '', occurred_at: '2026-01-01' }, instance.manager)
    const [header = [], names = [], ...bookings] = await written(await addProfile(own))
    for (const [place, pattern] of datevHeader) expect(header[place - 1]).toMatch(pattern)
    expect([header[10], header[11], header[12], header[13], header[14], header[15]]).toEqual([
      '29098',
      '55003',
      '20250701',
      '5',
      '20251231',
      '20260630',
    ])
    expect(names).toHaveLength(125)
    for (const [place, name] of [...datevFields, ...datevLandmarks]) expect(names[place - 1]).toBe(name)
    const rows = bookings.slice(0, -1)
    for (const row of rows) {
      expect(row).toHaveLength(125)
      for (const [place, , pattern] of datevFields) expect(row[place - 1]).toMatch(pattern)
      expect(row.filter((cell, index) => cell !== '' && !datevFields.some(([place]) => place === index + 1))).toEqual([])
    }
    const money = (row: readonly string[]) => [row[0], row[6], row[7], row[9]]
    expect(rows.map(money).toSorted()).toEqual([
      ['0,01', '49000', '17400', '0101'],
      ['1234,50', '46600', '700123', '3112'],
      ['20,00', '49000', '700123', '3006'],
    ])
  })

  test('are of one fiscal year, and of a profile for DATEV', async () => {
    const { api } = instance.analyst
    const profile_id = await addProfile(own)
    for (const occurred_at of ['2026-06-30', '2026-07-01']) await approvedExpense(instance, { currency: 'EUR', occurred_at })
    const { body } = await api.send('POST', '/exports', { format: 'datev', profile_id })
    expect(await settledExport(api, body)).toMatchObject({ state: 'failed', message: expect.stringMatching(/fiscal year/) })
    for (const asked of [
      { format: 'profile', profile_id },
      { format: 'datev', profile_id: await addProfile() },
    ])
      expect((await api.send('POST', '/exports', asked)).body.errors).toHaveProperty('profile_id')
    const asked = { organization_id: instance.organization_id, layout: JSON.stringify(own) }
    expect((await api.send<{ lines: string[] }>('POST', '/exports/preview', asked)).body.lines[1]).toMatch(
      /^12,50;"S";"EUR";;;;49000;700123;;3006;"OUTLAY-\d+"/,
    )
  })

  test('are refused with accounts that DATEV does not take', async () => {
    const bad = [
      { adviser: '999' },
      { client: '0' },
      { first_month: 13 },
      { account_digits: 9 },
      { codes: { tag: { Travel: '466000' }, claimant: {} } },
      { otherwise: { tag: 'x', claimant: '1' } },
    ]
    for (const change of bad) {
      const body = { name: 'Ledger', layout: JSON.stringify({ ...own, ...change }) }
      expect((await instance.manager.api.send('POST', home(), body)).status).toBe(422)
    }
  })
})

test('a layout that cannot be written is refused, and one is seen on real rows before it is kept', async () => {
  const { api } = instance.manager
  const refused = async (body: object) => (await api.send('POST', home(), { name: 'Ledger', ...body })).body.errors
  const wrong: TableLayout['columns'] = [{ kind: 'attribute', name: 'X', attribute: 'password' }]
  for (const bad of ['{', '{}', JSON.stringify({ ...layout, columns: [] }), JSON.stringify({ ...layout, columns: wrong })])
    expect(Object.keys(await refused({ layout: bad }))).toEqual(['layout'])
  await approvedExpense(instance, { amount: 7, description: 'Taxi', tags: 'Travel' })
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

test('the day on which a late expense is booked is a date in workbooks and own formats', async () => {
  const { status } = await instance.admin.api.send('POST', `/organizations/${instance.organization_id}/closings`, { name: '2024-01' })
  expect(status).toBe(201)
  await approvedExpense(instance, { amount: 2, occurred_at: '2024-01-05' })
  const columns: TableLayout['columns'] = [{ kind: 'attribute', name: 'Booked', attribute: 'booked_on' }]
  expect(await write(await addProfile({ columns }))).toEqual(['Booked', '01.02.2024', ''])
  const [names = [], row = []] = await readSheet((await exportAs(instance.analyst, { format: 'xlsx' })).bytes)
  expect(row[names.indexOf('booked_on')]).toEqual(new Date('2024-02-01T00:00:00Z'))
})
