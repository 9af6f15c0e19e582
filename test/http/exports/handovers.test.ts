import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChangedRow, Handover, HandoverOfExpense } from '#shared/contract/instance/handovers'
import { moveExpense } from '#test/support/expenses'
import { type Instance, type Person, apiOf, startInstance } from '#test/support/instance'
import { leaveInFiles } from '#test/support/databases/jobs'
import { plainLayout } from '#test/support/layouts'
import { restart } from '#test/support/restart'
import { approvedExpense } from '#test/support/settlements'

let instance: Instance
beforeEach(async () => {
  instance = await startInstance()
})
afterEach(() => instance.remove())

const home = () => `/organizations/${instance.organization_id}/handovers`

async function settled({ api }: Pick<Person, 'api'>, id: string): Promise<Handover> {
  return vi.waitFor(
    async () => {
      const { body } = await api.get<Handover>(`${home()}/${id}`)
      if (body.state === 'waiting' || body.state === 'running') throw new Error(`It is still ${body.state}.`)
      return body
    },
    { timeout: 60_000, interval: 20 },
  )
}

async function handOver(person: Person, asked: object = {}): Promise<Handover> {
  const { status, body } = await person.api.send<Handover>('POST', home(), { format: 'json', ...asked })
  expect(status).toBe(201)
  return settled(person, body.id)
}

const amountsOf = async ({ url }: Handover): Promise<number[]> => {
  const rows: Array<{ approved_amount: number }> = JSON.parse(await (await fetch(url ?? '')).text())
  return rows.map(({ approved_amount }) => approved_amount)
}
/** Approves an approved expense again, at another amount. */
async function approveAgain(id: number | undefined, approved_amount: number): Promise<void> {
  await moveExpense(instance.manager, Number(id), { status: 'analyzing' })
  await moveExpense(instance.manager, Number(id), { status: 'approved', approved_amount, approved_amount_currency: 'BRL' })
}
const changesOf = async (id: string) => (await instance.manager.api.get<{ changes: ChangedRow[] }>(`${home()}/${id}/changes`)).body.changes
const markedOf = async ({ api }: Pick<Person, 'api'>) => {
  const { handovers } = (await api.get<{ handovers: Handover[] }>(home())).body
  return handovers.filter(({ is_changed }) => is_changed).map(({ id }) => id)
}
const handoversOf = async (person: Person, id: number | undefined) =>
  (await person.api.get<{ handovers: HandoverOfExpense[] }>(`/expenses/${id ?? 0}/handovers`)).body.handovers

test('expenses are handed over once, and again only when that is asked for', async () => {
  const first = await approvedExpense(instance, { amount: 1 })
  const made = await handOver(instance.manager, { title: 'November' })
  expect(made).toMatchObject({ state: 'finished', done: 1, title: 'November', corrects: null, message: null })
  expect(await amountsOf(made)).toEqual([1])
  const { sha256 } = made
  await approvedExpense(instance, { amount: 2 })
  expect(await amountsOf(await handOver(instance.manager))).toEqual([2])
  expect(await handOver(instance.manager)).toMatchObject({ state: 'failed', message: expect.stringMatching(/^Nothing to hand over/) })
  expect(await amountsOf(await handOver(instance.manager, { again: true }))).toEqual([1, 2])
  const { body } = await instance.analyst.api.get<{ handovers: Handover[] }>(home())
  expect(body.handovers.map(({ done, url }) => [done, url])).toEqual([
    [2, null],
    [1, null],
    [1, null],
  ])
  expect(body.handovers[2]).toMatchObject({ id: made.id, sha256, user: { id: instance.manager.user_id } })
  expect((await handoversOf(instance.analyst, Number(first.id))).map(({ id }) => id)).toEqual([body.handovers[0]?.id, made.id])
})

test('what has changed since is listed, and sent as a correction once', async () => {
  const ids: number[] = []
  for (const amount of [1, 2, 3, 4]) ids.push(Number((await approvedExpense(instance, { amount })).id))
  const [same, other, gone, moved] = ids
  const made = await handOver(instance.manager)
  expect(await changesOf(made.id)).toEqual([])
  const untouched = await approvedExpense(instance, { amount: 9 })
  await handOver(instance.manager, { ids: [Number(untouched.id)] })
  expect(await markedOf(instance.analyst)).toEqual([])
  // That what was booked is paid is no change.
  await moveExpense(instance.manager, Number(moved), { status: 'liquidated' })
  expect(await markedOf(instance.analyst)).toEqual([])
  await approveAgain(other, 1.5)
  expect((await instance.manager.api.send('DELETE', `/expenses/${gone}`)).status).toBe(204)
  expect((await changesOf(made.id)).map(({ expense_id, change }) => [expense_id, change])).toEqual([
    [other, 'changed'],
    [gone, 'deleted'],
  ])
  expect(await markedOf(instance.analyst)).toEqual([made.id])
  expect((await handoversOf(instance.analyst, other))[0]?.is_changed).toBe(true)
  expect((await handoversOf(instance.analyst, same))[0]?.is_changed).toBe(false)
  const correction = await handOver(instance.manager, { corrects: made.id })
  expect(correction).toMatchObject({ state: 'finished', corrects: made.id, done: 2 })
  expect(await amountsOf(correction)).toEqual([1.5, 0])
  expect(await changesOf(made.id)).toEqual([])
  expect(await changesOf(correction.id)).toEqual([])
  expect(await markedOf(instance.analyst)).toEqual([])
  expect(await handOver(instance.manager, { corrects: made.id })).toMatchObject({ state: 'failed' })
})

test('only managers hand over; analysts see it, members do not', async () => {
  const { id } = await approvedExpense(instance, { amount: 1 })
  expect((await instance.member.api.get(`/expenses/${String(id)}/handovers`)).status).toBe(403)
  for (const [person, asked, listed] of [
    [instance.member, 403, 403],
    [instance.analyst, 403, 200],
    [instance.stranger, 404, 404],
  ] as const) {
    expect((await person.api.send('POST', home(), { format: 'json' })).status).toBe(asked)
    expect((await person.api.get(home())).status).toBe(listed)
  }
  const made = await handOver(instance.manager)
  expect((await instance.manager.api.send('DELETE', `${home()}/${made.id}`)).status).toBe(422)
  expect((await instance.admin.api.get<Handover>(`${home()}/${made.id}`)).body.url).toBeNull()
  expect((await instance.manager.api.send('POST', home(), { format: 'json', corrects: 'nothing' })).status).toBe(422)
})

test('one that a restart met between its record and its end is not recorded twice', async () => {
  await approvedExpense(instance, { amount: 1 })
  const made = await handOver(instance.manager)
  // Only an earlier version stored the two one after the other.
  await leaveInFiles(instance, { kind: 'exports', id: made.id }, { state: 'waiting', sha256: null, bytes: null })
  const { url, close } = await restart(instance)
  const api = apiOf(url, instance.manager.token)
  expect(await settled({ api }, made.id)).toMatchObject({ state: 'finished', sha256: made.sha256 })
  expect((await api.get<{ handovers: Handover[] }>(home())).body.handovers).toHaveLength(1)
  expect((await fetch((await api.get<Handover>(`${home()}/${made.id}`)).body.url ?? '')).status).toBe(200)
  await close()
})

test('one that is stopped is either not recorded, or says that it is and keeps its file', async () => {
  for (let amount = 1; amount <= 8; amount++) await approvedExpense(instance, { amount })
  for (let turn = 0; turn < 12; turn++) {
    const { id } = (await instance.manager.api.send<Handover>('POST', home(), { format: 'xlsx', again: true })).body
    await new Promise((resolve) => setTimeout(resolve, turn * 4))
    const { status } = await instance.manager.api.send('DELETE', `${home()}/${id}`)
    const show = async () => (await instance.manager.api.get<Handover>(`${home()}/${id}`)).body
    if (status === 204) {
      expect((await show()).state).toBeUndefined()
      continue
    }
    expect(status).toBe(422)
    // Between its record and its end the file moves to its place.
    await expect.poll(async () => (await show()).state).toBe('finished')
    expect((await fetch((await show()).url ?? '')).status).toBe(200)
  }
})

test('a correction is written in the format of what it corrects', async () => {
  const profile = { name: 'Ledger', layout: plainLayout }
  const { id: profile_id } = (
    await instance.manager.api.send('POST', `/organizations/${instance.organization_id}/export_profiles`, profile)
  ).body
  const { id } = await approvedExpense(instance, { amount: 1 })
  const made = await handOver(instance.manager, { format: 'profile', profile_id })
  await approveAgain(Number(id), 0.5)
  const correction = await handOver(instance.manager, { format: 'profile', corrects: made.id })
  expect(await (await fetch(correction.url ?? '')).text()).toBe('Amount\r\n-1,00\r\n0,50\r\n')
})

test('the list shows what was handed over, what was not, and what has changed since', async () => {
  const ids: number[] = []
  for (const amount of [1, 2, 3, 4]) ids.push(Number((await approvedExpense(instance, { amount })).id))
  const [same, other, moved, late] = ids
  const listed = async (handed_over: string) => {
    const { body } = await instance.analyst.api.get(`/expenses?sort=id&q[handed_over]=${handed_over}`)
    return body.expenses.map(({ id }: { id: number }) => id)
  }
  expect([await listed('yes'), await listed('no'), await listed('changed')]).toEqual([[], ids, []])
  await instance.manager.api.send('PATCH', `/expenses/${same}`, { description: 'before it was handed over' })
  const made = await handOver(instance.manager, { ids: [same, other, moved] })
  await instance.manager.api.send('PATCH', `/expenses/${other}`, { tags: 'Travel' })
  await moveExpense(instance.manager, Number(moved), { status: 'liquidated' })
  expect([await listed('yes'), await listed('no')]).toEqual([[same, other, moved], [late]])
  expect(await listed('changed')).toEqual([other])
  expect((await changesOf(made.id)).map(({ expense_id }) => expense_id)).toEqual([other])
  await handOver(instance.manager, { corrects: made.id })
  expect(await listed('changed')).toEqual([])
  expect((await instance.analyst.api.get('/expenses?q[handed_over]=maybe')).status).toBe(422)
  const { body } = await instance.analyst.api.get('/reports/spending?group_by=status&q[handed_over]=no')
  expect(JSON.stringify(body)).toContain('"count":1')
})
