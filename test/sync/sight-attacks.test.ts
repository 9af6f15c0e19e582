import { afterAll, describe, expect, test } from 'vitest'
import type { Api, Json } from '#test/support/instance'
import { untold } from '#test/support/sync/shown-by-rest'
import { startSights } from '#test/support/sight'

const sights = await startSights()
afterAll(() => sights.instance.remove())

describe('what a push names', () => {
  const uid = () => crypto.randomUUID()
  const push = async (api: Api, operation: Json): Promise<Json> => {
    const whole = {
      op_id: uid(),
      api_version: 'v1',
      body: null,
      refs: [],
      blobs: [],
      minted: [],
      seen: [],
      after: [],
      base: {},
      mine: {},
      created_at: untold,
    }
    const { body, status } = await api.send('POST', '/sync/push', { operations: [{ ...whole, ...operation }] })
    expect(body, JSON.stringify([status, body])).toHaveProperty('results')
    const { op_id: _, ...result } = body.results[0]
    return result
  }
  const hidden = async () => {
    const { db } = sights.instance.app.store.reader
    return db.selectFrom('expenses').select(['id', 'uid']).where('description', '=', 'hotel').orderBy('id').execute()
  }

  test('gets the same response if it is hidden and if it is missing', async () => {
    const { api } = sights.people.member ?? sights.instance.member
    const own: Json = (await api.get('/expenses?q[description_eq]=taxi')).body.expenses[0]
    expect(own.description).toBe('taxi')
    const absent = { id: 987_654, uid: uid() }
    for (const record of await hidden()) {
      const attempts = [
        (one: Json) => ({ method: 'DELETE', path: `/expenses/${one.id}`, refs: [{ at: 'path.1', table: 'expenses', uid: one.uid }] }),
        (one: Json) => ({
          method: 'PUT',
          path: `/expenses/${own.id}/status`,
          body: { status: 'pending' },
          seen: [{ table: 'expenses', uid: one.uid, version: 1 }],
        }),
        (one: Json) => ({
          method: 'PATCH',
          path: `/expenses/${own.id}`,
          body: { description: 'mine' },
          base: { description: 'before' },
          mine: { description: 'mine' },
          seen: [{ table: 'expenses', uid: one.uid, version: 1 }],
        }),
        (one: Json) => ({
          method: 'PATCH',
          path: `/expenses/${one.id}`,
          body: {},
          seen: [{ table: 'expenses', uid: one.uid, version: 1 }],
        }),
      ]
      for (const attempt of attempts) expect(await push(api, attempt(record))).toEqual(await push(api, attempt(absent)))
    }
  })
})

test('no one gets a poke for hidden changes', async () => {
  const { member, analyst, foreign } = sights.people
  if (!member || !analyst || !foreign) throw new Error('Someone is missing.')
  const listen = async (token: string) => {
    const stop = new AbortController()
    const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
    const headers = { authorization, 'user-agent': 'tests' }
    const response = await fetch(`${sights.instance.url}/api/v1/sync/pokes`, { headers, signal: stop.signal })
    let heard = 0
    const waiting: Array<() => void> = []
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        heard += decoder.decode(chunk).split('event: poke').length - 1
        for (const next of waiting.splice(0)) next()
      }
    }
    const reading = read().catch(() => undefined)
    const until = async (count: number): Promise<void> => {
      while (heard < count) await new Promise<void>((next) => waiting.push(next))
    }
    await until(1)
    return { until, heard: () => heard, end: () => (stop.abort(), reading) }
  }
  const [quiet, concerned] = [await listen(member.token), await listen(analyst.token)]
  const payer = { id: sights.instance.organization_id, type: 'Organization' }
  const expense = { payer, amount: 1, currency: 'BRL', occurred_at: untold }
  await foreign.api.send('PATCH', '/preferences', { timezone: 'Etc/UTC' })
  await analyst.api.send('POST', '/expenses', { ...expense, description: 'not for members' })
  await concerned.until(2)
  expect(quiet.heard()).toBe(1)
  await member.api.send('POST', '/expenses', { ...expense, description: 'theirs' })
  await quiet.until(2)
  await Promise.all([quiet.end(), concerned.end()])
})
