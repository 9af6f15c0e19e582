import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isBuilt } from '#test/support/built-server'
import { runProgram } from '#test/support/built-program'
import { type Instance, startInstance } from '#test/support/instance'
import { type OddServer, startOddServer } from '#test/support/odd-server'
import { type ReplicaInstance, countStates, enterExpense, readRows, startReplica } from '#test/support/sync/sync-pair'

let remote: Instance
let odd: OddServer
let replica: ReplicaInstance

beforeAll(async () => {
  odd = await startOddServer()
  remote = await startInstance({ settings: { OUTLAY_ALLOWED_HOSTS: [odd.host] } })
  odd.passTo(remote.url)
  replica = await startReplica({ url: odd.url, token: remote.manager.token })
  await replica.sync()
})

afterAll(async () => {
  await replica.remove()
  await odd.close()
  await remote.remove()
})

function say(response: ServerResponse, status: number, body: string, type = 'application/json; charset=utf-8'): 'answered' {
  response.writeHead(status, { 'content-type': type }).end(body)
  return 'answered'
}
const json = (response: ServerResponse, body: unknown) => say(response, 200, JSON.stringify(body))
const logIn = '<!doctype html><title>Guest network</title><form><input name="password"></form>'
const only = (part: string, answer: (response: ServerResponse) => 'answered') => (path: string, response: ServerResponse) =>
  path.includes(part) ? answer(response) : 'pass'
const pageWith = (tables: unknown, extra: object = {}) => ({
  ...{ kind: 'page', tables, removed: [], log: [], seq: 1_000_000, cursor: 'x', has_more: false },
  ...extra,
})
/** An answer that never ends. */
function endless(response: ServerResponse): 'answered' {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = `${' '.repeat(1_000_000)}\n`
  const more = () => {
    while (!response.destroyed) if (!response.write(chunk)) return void response.once('drain', more)
  }
  more()
  return 'answered'
}

/** What stands in the way, and how the person is told: stopped until they look at it, or tried again. */
const oddities: ReadonlyArray<readonly [string, (path: string, response: ServerResponse) => 'pass' | 'answered', string, RegExp]> = [
  ['a log-in page with 200', (_path, response) => say(response, 200, logIn, 'text/html'), 'unreadable', /log-in page/],
  ['a log-in page where changes were', only('/sync/changes', (r) => say(r, 200, logIn, 'text/html')), 'unreadable', /log-in page/],
  ['a log-in page where results were', only('/sync/push', (r) => say(r, 200, logIn, 'text/html')), 'unreadable', /log-in page/],
  ['a redirection to a log-in', (_path, response) => say(response, 302, '', 'text/html'), 'unreadable', /302/],
  ['a foreign 404', (_path, response) => say(response, 404, '<h1>nginx</h1>', 'text/html'), 'unreadable', /404/],
  ['a foreign 403', only('/sync/push', (r) => say(r, 403, '<h1>Blocked</h1>', 'text/html')), 'unreadable', /403/],
  ['500 for everything', (_path, response) => say(response, 500, ''), 'offline', /500/],
  ['502 where changes were', only('/sync/changes', (r) => say(r, 502, logIn, 'text/html')), 'offline', /502/],
  ['503 where results were', only('/sync/push', (r) => say(r, 503, '')), 'offline', /503/],
  ['429', only('/sync/push', (r) => say(r, 429, '')), 'offline', /429/],
  ['half a JSON text', only('/sync/changes', (r) => say(r, 200, '{"kind":"page","tables":[')), 'unreadable', /not from Outlay/],
  ['an empty object', only('/sync/changes', (r) => json(r, {})), 'unreadable', /not what it should be/],
  ['an array', only('/sync/handshake', (r) => json(r, [])), 'unreadable', /not what it should be/],
  ['results of another shape', only('/sync/push', (r) => json(r, { results: 7 })), 'unreadable', /not what it should be/],
  [
    'rows that are no rows',
    only('/sync/changes', (r) => json(r, pageWith([{ name: 'expenses', columns: ['id'], rows: [{}] }]))),
    ...(['unreadable', /not what it should be/] as const),
  ],
  [
    'rows shorter than their columns',
    only('/sync/changes', (r) => json(r, pageWith([{ name: 'expenses', columns: ['id', 'uid'], rows: [[1]] }]))),
    ...(['unreadable', /not what it should be/] as const),
  ],
  [
    'rows without their key',
    only('/sync/changes', (r) => json(r, pageWith([{ name: 'expenses', columns: ['uid'], rows: [['x']] }]))),
    ...(['unreadable', /cannot be kept/] as const),
  ],
  [
    'rows that break the rules of the schema',
    only('/sync/changes', (r) => json(r, pageWith([{ name: 'comments', columns: ['id', 'uid'], rows: [['one', null]] }]))),
    ...(['unreadable', /cannot be kept/] as const),
  ],
  ['an answer without an end', only('/sync/changes', endless), 'unreadable', /too large/],
]

test.each(oddities)('%s: nothing is lost, and a person sees why', async (name, answer, kind, message) => {
  const { uid } = await enterExpense(replica.api, { organization_id: remote.organization_id, name })
  const there = await enterExpense(remote.admin.api, { organization_id: remote.organization_id, name: `${name} there` })
  odd.responseLike(answer)
  const { ended } = await replica.sync()
  expect(ended.error).toMatch(message)
  const state = await replica.state()
  expect(state.last_error).toMatch(message)
  if (kind === 'offline') expect(state).toMatchObject({ activity: 'offline', stop: null })
  else expect(state).toMatchObject({ activity: 'stopped', stop: { kind, message: expect.stringMatching(message) } })
  expect((await replica.api.get(`/expenses?q[description_eq]=${encodeURIComponent(name)}`)).body.count).toBe(1)
  odd.behave()
  expect((await replica.sync()).ended).toEqual({ kind: 'synced', error: null })
  expect(await replica.state()).toMatchObject({ activity: 'idle', stop: null, last_error: null, counts: { waiting: 0 } })
  expect(Object.keys(countStates(replica.folder))).toEqual(['settled'])
  const here = await readRows(replica.folder)
  expect(here).toEqual(await readRows(remote.folder))
  expect(here.expenses).toMatchObject({ [uid]: { description: name }, [there.uid]: { description: `${name} there` } })
})

/** One of each kind: what the command line makes of it. */
const told = oddities.filter(([name]) => ['a log-in page with 200', '500 for everything'].includes(name))

test.runIf(isBuilt).each(told)('%s: the command ends with 1 and one line', async (_name, answer, _kind, message) => {
  odd.responseLike(answer)
  const { code, stderr } = await runProgram('sync', '--data', replica.folder)
  odd.behave()
  expect(code).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(message)])
  await replica.sync()
})
