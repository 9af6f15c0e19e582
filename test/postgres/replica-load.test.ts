import { readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request as ask } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { Store } from '#main/store/core/store'
import { addUser } from '#main/use-cases/users/add-user'
import { schemaVersion } from '#main/store/postgres/migrate'
import { type Servers, startServers } from '#test/support/databases/servers'
import type { Json } from '#test/support/instance'
import { type Cluster, startPostgres } from '../../scripts/postgres.mjs'

/** Runs with `npm run torture -- replicas [SECONDS]` only: a thousand replicas for ten minutes. */
const isLong = process.env.TORTURE === 'replicas'
const seconds = Number(process.env.TORTURE_COUNT ?? 600)
const replicas = 1_000
/** Each person has so many devices, which hear of what the others send. */
const devices = 4
/** Each replica sends an expense so often. */
const sendEveryMs = 100_000
const timeout = 3_600_000

/** A simulated replica: its stream of pokes, where it is in the feed, and whose it is. */
interface Simulated {
  readonly url: string
  readonly token: string
  readonly user: number
  cursor: string
  scopes: string
  pulling: Promise<void> | undefined
  isPoked: boolean
}

describe.runIf(isLong)(`${replicas} replicas of two servers`, { timeout }, () => {
  let cluster: Cluster
  let servers: Servers
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const faults = new Map<string, number>()
  const note = (fault: string) => void faults.set(fault, (faults.get(fault) ?? 0) + 1)
  /** When an operation was answered, and when its effect reached a device, which may be sooner. */
  const answered = new Map<string, number>()
  const reached: Array<{ readonly op_id: string; readonly at: number }> = []
  let pulls = 0
  let pushes = 0
  let isOver = false

  beforeAll(async () => {
    cluster = await startPostgres({ isDurable: true })
    servers = await startServers(cluster.url, { count: 2 })
  }, timeout)
  afterAll(async () => {
    agent.destroy()
    await servers.close()
    await cluster.close()
  })

  const call = ({ url, token }: Pick<Simulated, 'url' | 'token'>, method: string, path: string, body?: object) =>
    new Promise<Json>((resolve, reject) => {
      const headers = {
        authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
        'user-agent': 'Outlay replica',
        'content-type': 'application/json',
      }
      const sent = ask(`${url}/api/v1${path}`, { method, headers, agent }, (response) => {
        if (response.statusCode !== 200) note(`${method} ${path.split('?')[0]} ${response.statusCode}`)
        json(response).then(resolve, reject)
      })
      sent.on('error', reject)
      sent.end(body && JSON.stringify(body))
    }).catch((error: Error) => {
      note(`${method} ${path.split('?')[0]} ${error.message}`)
      return {} as Json
    })

  /** The admin and so many members, made at once. */
  async function addUsers(count: number): Promise<string[]> {
    const { user_id, organization_id } = servers.init
    const store = await Store.open('/nonexistent', { clock: systemClock, isOwner: false, database_url: cluster.url })
    const actor = { user_id, origin: 'cli', request_id: null, if_match: null }
    try {
      return await store.transact(actor, async (tx) => {
        const tokens: string[] = []
        for (let one = 0; one < count; one += 1)
          tokens.push((await addUser(tx, { organization_id, name: `Mel ${one}`, email: `mel${one}@example.org`, role: 'member' })).token)
        return tokens
      })
    } finally {
      await store.close()
    }
  }

  async function pull(replica: Simulated): Promise<void> {
    for (let hasMore = true; hasMore && !isOver;) {
      const page = await call(
        replica,
        'GET',
        `/sync/changes?${new URLSearchParams({ cursor: replica.cursor, scopes: replica.scopes, limit: '500' })}`,
      )
      if (page.kind !== 'page') return note(`a pull gave ${page.kind}`)
      pulls += 1
      replica.cursor = page.cursor
      hasMore = page.has_more
      const at = performance.now()
      for (const { op_id } of page.log) if (op_id !== null) reached.push({ op_id, at })
    }
  }
  function poke(replica: Simulated): void {
    replica.isPoked = true
    const run = async () => {
      while (replica.isPoked && !isOver) {
        replica.isPoked = false
        await pull(replica)
      }
      replica.pulling = undefined
    }
    replica.pulling ??= run()
  }
  async function connect(url: string, token: string, user: number): Promise<Simulated> {
    const replica: Simulated = { url, token, user, cursor: '', scopes: '', pulling: undefined, isPoked: false }
    const device = { uid: systemClock.uid(), name: 'Simulated', turn: null }
    await call(replica, 'POST', '/sync/handshake', { protocol: { min: 1, max: 1 }, schema: schemaVersion, device, cursor: null })
    const { cursor, scopes } = await call(replica, 'GET', '/sync/snapshot?limit=1000')
    Object.assign(replica, { cursor, scopes: scopes.join(',') })
    listen(replica)
    return replica
  }
  function listen(replica: Simulated): void {
    const authorization = `Basic ${Buffer.from(`${replica.token}:`).toString('base64')}`
    const stream = ask(`${replica.url}/api/v1/sync/pokes`, {
      headers: { authorization, 'user-agent': 'Outlay replica', accept: 'text/event-stream' },
      agent: false,
    })
    stream.on('response', (response: IncomingMessage) => {
      if (response.statusCode !== 200) note(`a stream was answered with ${response.statusCode}`)
      response.on('data', (chunk: Buffer) => chunk.includes('event: poke') && poke(replica))
      response.on('close', () => isOver || note('a stream ended'))
    })
    stream.on('error', (error) => isOver || note(`a stream failed: ${error.message}`))
    stream.end()
  }
  async function send(replica: Simulated): Promise<void> {
    const op_id = systemClock.uid()
    const body = {
      payer: { id: servers.init.organization_id, type: 'Organization' },
      amount: 12.5,
      occurred_at: '2026-03-04',
      description: 'Taxi',
    }
    const minted = [{ table: 'expenses', id: null, uid: systemClock.uid() }]
    const operation = {
      op_id,
      api_version: 'v1',
      method: 'POST',
      path: '/expenses',
      body,
      refs: [],
      blobs: [],
      minted,
      seen: [],
      after: [],
      base: {},
      mine: {},
      created_at: '2026-03-04T00:00:00Z',
    }
    const { results } = await call(replica, 'POST', '/sync/push', { operations: [operation] })
    if (results?.[0]?.kind !== 'applied') return note(`a push gave ${JSON.stringify(results?.[0])}`)
    answered.set(op_id, performance.now())
    pushes += 1
  }
  const lagsOf = () =>
    reached.flatMap(({ op_id, at }) => {
      const since = answered.get(op_id)
      return since === undefined ? [] : [Math.max(0, at - since)]
    })
  const memory = () =>
    servers.list.map(({ child }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024)

  test('push, are poked and pull, with no error, soon, and in as much memory at the end as before', async () => {
    const tokens = await addUsers(replicas / devices)
    const all: Simulated[] = []
    for (let first = 0; first < replicas; first += 20) {
      const some = Array.from({ length: Math.min(20, replicas - first) }, (_, index) => first + index)
      all.push(
        ...(await Promise.all(
          some.map((one) => connect(servers.list[one % 2]?.url ?? '', tokens[Math.floor(one / devices)] ?? '', Math.floor(one / devices))),
        )),
      )
    }
    const began = performance.now()
    const measured: number[][] = []
    const sending = all.map(async (replica, index) => {
      await sleep((index / all.length) * sendEveryMs)
      while (performance.now() - began < seconds * 1000) {
        await send(replica)
        await sleep(sendEveryMs)
      }
    })
    while (performance.now() - began < seconds * 1000) {
      measured.push(memory())
      await sleep(10_000)
    }
    // What was sent last is on its way.
    while (lagsOf().length < pushes * devices && performance.now() - began < seconds * 1000 + 20_000) await sleep(100)
    isOver = true
    void Promise.all(sending)
    const lags = lagsOf().toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(lags[Math.floor(lags.length * share)] ?? 0)
    const part = (from: number, to: number) => measured.slice(Math.floor(measured.length * from), Math.ceil(measured.length * to))
    const mean = (rows: number[][]) => rows.reduce((sum, row) => sum + row.reduce((a, b) => a + b, 0), 0) / Math.max(1, rows.length)
    const figures = {
      replicas,
      seconds,
      pushes,
      pulls,
      heard: lags.length,
      lag_ms: { p50: at(0.5), p99: at(0.99), most: at(0.9999) },
      memory_mb: { second_quarter: Math.round(mean(part(0.25, 0.5))), last_quarter: Math.round(mean(part(0.75, 1))) },
    }
    console.log(JSON.stringify({ ...figures, faults: Object.fromEntries(faults) }))
    expect(Object.fromEntries(faults)).toEqual({})
    expect(pushes).toBeGreaterThan(0)
    // Every device of the one who sent has it.
    expect(lags.length).toBeGreaterThanOrEqual(pushes * devices)
  })
})
