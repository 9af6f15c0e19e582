import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '#main/app'
import { systemClock } from '#main/clock'
import { readSettings } from '#main/config/settings'
import { cardNumberOf, newCard } from '#test/support/cards'
import { type Api, type Instance, type Json, apiOf, startInstance } from '#test/support/instance'

const number = cardNumberOf('453900112233998')
const grouped = number.replace(/(....)(?=.)/g, '$1 ')
const dashed = grouped.replaceAll(' ', '-')
const lines: string[] = []
const responses: string[] = []

let instance: Instance
let reopened: Awaited<ReturnType<typeof createApp>>
let api: Api
/** The folder of an instance that is started again, by a program whose every log line is caught. */
beforeAll(async () => {
  instance = await startInstance()
  await instance.close()
  const settings = { ...readSettings(instance.folder, {}), OUTLAY_LOG: 'debug' as const }
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  reopened = await createApp({ data_folder: instance.folder, settings, web_folder: null, clock: systemClock, log })
  await reopened.server.listen({ host: '127.0.0.1', port: 0 })
  const address = reopened.server.server.address()
  api = apiOf(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, instance.member.token)
})
afterAll(async () => {
  await reopened.close()
  await instance.remove()
})

async function send(path: string, body: Json, headers: Record<string, string> = {}, method = 'POST') {
  const response = await api.send(method, path, body, headers)
  responses.push(JSON.stringify(response.body), JSON.stringify([...response.headers]))
  return response
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

test('the full number is stored nowhere, said nowhere and written to no log', async () => {
  const card = newCard(instance, { number: grouped })
  const key = { 'idempotency-key': 'card-once' }
  const first = await send('/corporative_cards', card, key)
  expect(first.status).toBe(201)
  expect((await send('/corporative_cards', card, key)).headers.get('idempotency-replayed')).toBe('true')
  const again = await send('/corporative_cards', newCard(instance, { number: dashed }), { 'idempotency-key': 'again' })
  expect(again.status).toBe(201)
  expect((await send('/corporative_cards', { ...card, number: `${number}12345` })).status).toBe(422)
  for (const spelling of [number, grouped, dashed]) {
    const named = await send('/corporative_cards', { ...card, name: `Mine ${spelling}` })
    expect([named.status, named.body.name.slice(-4)]).toEqual([201, number.slice(-4)])
  }
  for (const atomic of [true, false]) {
    const operations = [{ method: 'POST', path: '/corporative_cards', body: { ...card, number } }]
    expect((await send('/batch', { atomic, operations }, { 'idempotency-key': `batch-${atomic}` })).status).toBe(200)
  }
  const path = `/corporative_cards/${first.body.id}`
  expect((await send(path, { number, name: 'Other' }, { 'idempotency-key': 'patch' }, 'PATCH')).status).toBe(200)
  expect((await send(path, `{"number": "${number}"`, {}, 'PATCH')).status).toBe(400)
  expect((await send(`/corporative_cards/${number}`, undefined, {}, 'GET')).status).toBe(404)
  for (const shown of ['/corporative_cards', '/activities']) await send(shown, undefined, {}, 'GET')

  const spellings = [number, grouped, dashed]
  const files = await filesBelow(instance.folder)
  expect(files.some((file) => file.endsWith('-wal'))).toBe(true)
  for (const file of files) {
    const bytes = await readFile(file)
    for (const spelling of spellings) expect(bytes.includes(spelling), `${file} holds the number`).toBe(false)
  }
  expect(lines.length).toBeGreaterThan(5)
  const said = [...lines, ...responses].join('\n')
  for (const spelling of spellings) expect(said.includes(spelling)).toBe(false)
})

test('nor is a plain hash of the number or of a request, which could be found by trying', async () => {
  const rows = await reopened.store.reader.db.selectFrom('idempotency_keys').selectAll().execute()
  const { number_hmac } = await reopened.store.reader.db.selectFrom('corporative_cards').selectAll().executeTakeFirstOrThrow()
  const plain = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(rows.length).toBeGreaterThan(3)
  const path = '/api/v1/corporative_cards'
  const guesses = [plain(JSON.stringify(['POST', path, {}, newCard(instance, { number: grouped })])), plain(number)]
  for (const { request_hash } of rows) expect(guesses).not.toContain(request_hash)
  expect(guesses).not.toContain(number_hmac)
})
