import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountabilityListOptions } from '#shared/contract/accountabilities'
import { parseFilter, parseSort } from '#shared/contract/filters'
import { Connection } from '#main/store/core/connection'
import { type Connections, closeDatabase, openDatabase } from '#main/store/core/database'
import { listAccountabilities, listJoinedElsewhere, listJoinedOf } from '#main/store/records/settlements/accountability-reader'
import { Reader } from '#main/store/core/store'
import { type Instance, startInstance } from '#test/support/instance'

let instance: Instance
let connections: Connections
let queries: string[] = []
beforeAll(async () => {
  instance = await startInstance()
  await instance.close()
  connections = await openDatabase(instance.folder, { isOwner: true })
  const { raw } = connections.reader
  const prepare = raw.prepare.bind(raw)
  raw.prepare = (text: string) => {
    queries.push(text)
    return prepare(text)
  }
})
afterAll(async () => {
  await closeDatabase(connections, { isOwner: true })
  return instance.remove()
})

async function plansOf(work: (reader: Reader) => Promise<unknown>): Promise<string[]> {
  queries = []
  await work(new Reader(new Connection(connections.reader.raw)))
  // Whether its table is short, and an index serves it, is asked before the list is read.
  const own = queries.filter((text) => text.includes('accountabilit') && !/^(explain|select 1 from "\w+" limit 1 offset)/.test(text))
  expect(own.length).toBeGreaterThan(0)
  return own.flatMap((text) => {
    const plan = connections.writer.raw.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
    return plan.all(...Array.from({ length: text.split('?').length - 1 }, () => null)).map(({ detail }) => detail)
  })
}

const isFullScan = (detail: string) => /^SCAN (accountabilities|accountability_expenses|expenses)\b/.test(detail)

function list(user_id: number, q: Record<string, unknown>) {
  const parsed = parseFilter(accountabilityListOptions, q)
  const sort = parseSort(accountabilityListOptions, undefined)
  if (parsed.kind === 'invalid' || !sort) throw new Error(JSON.stringify(parsed))
  const { filter } = parsed
  return plansOf((reader) => listAccountabilities(reader, user_id, { filter, sort, limit: 30, offset: 0 }))
}

test.each([{}, { status_eq: 'opened' }])('a column of the board is read along its index, in its order: %j', async (q) => {
  const plans = await list(instance.manager.user_id, { payer_id_eq: instance.organization_id, ...q })
  expect(plans.filter((detail) => isFullScan(detail) || detail.includes('TEMP B-TREE'))).toEqual([])
  expect(plans.some((detail) => /^SEARCH accountabilities USING .*accountabilities_/.test(detail))).toBe(true)
})

test.each(['manager', 'member', 'stranger'] as const)('all that the %s may see is found by indexes', async (person) => {
  for (const q of [{}, { status_eq: 'finished' }, { receiver_id_eq: 1 }])
    expect((await list(instance[person].user_id, q)).filter(isFullScan)).toEqual([])
})

test('the report of an expense is found by indexes', async () => {
  const plans = [
    ...(await plansOf((reader) => listJoinedElsewhere(reader, { expense_ids: [1, 2], accountability_id: 1 }))),
    ...(await plansOf((reader) => listJoinedOf(reader, { payer_id: 1, receiver_id: 1 }))),
  ]
  expect(plans.filter(isFullScan)).toEqual([])
})
