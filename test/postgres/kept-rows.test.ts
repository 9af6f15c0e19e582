import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { type Servers, startServers } from '#test/support/databases/servers'
import { apiOf } from '#test/support/instance'

const place = 'what servers keep of one database'

describe.skipIf(!isOnPostgres)('what servers keep of a database', () => {
  let servers: Servers
  let client: pg.Client
  beforeAll(async () => {
    const url = (await databaseOf(place)) ?? ''
    client = new pg.Client({ connectionString: url })
    await client.connect()
    servers = await startServers(url, { count: 2 })
  })
  afterAll(async () => {
    await servers.close()
    await client.end()
    await dropDatabaseOf(place)
  })
  const organization = () => `/organizations/${servers.init.organization_id}`

  test('is never older than what the other server has acknowledged', async () => {
    const { body: made } = await servers
      .api(0)
      .send('POST', '/expenses', {
        payer: { id: servers.init.organization_id, type: 'Organization' },
        ...{ amount: 12.5, occurred_at: '2026-03-04', description: 'Taxi' },
      })
    for (let turn = 0; turn < 30; turn += 1) {
      const [writer, reader] = [servers.api(turn % 2), servers.api((turn + 1) % 2)]
      const [name, description] = [`Acme ${turn}`, `Taxi ${turn}`]
      expect((await writer.send('PATCH', organization(), { name })).status).toBe(200)
      expect((await reader.get(organization())).body).toMatchObject({ name })
      expect((await writer.send('PATCH', `/expenses/${made.id}`, { description })).status).toBe(200)
      const shown = await reader.get(`/expenses/${made.id}`)
      expect(shown.body).toMatchObject({ description })
      const listed = await reader.get('/expenses')
      expect(listed.body.expenses[0]).toMatchObject({ description })
    }
  })

  test('is not older than what was changed by hand', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      await servers.api(0).get(organization())
      await client.query(`UPDATE organizations SET name = 'By hand ${turn}'`)
      expect((await servers.api(0).get(organization())).body.name).toBe(`By hand ${turn}`)
    }
  })

  test('lets nobody in who was removed at the other server', async () => {
    const token = await servers.api(0).send('POST', '/user/tokens', { description: 'Another' })
    expect(token.status).toBe(201)
    const other = apiOf(servers.list[1]?.url ?? '', token.body.token)
    expect((await other.get(organization())).status).toBe(200)
    expect((await servers.api(0).send('DELETE', `/user/tokens/${token.body.id}`)).status).toBeLessThan(300)
    expect((await other.get(organization())).status).toBe(401)
  })

  test('is read again in a transaction that has changed it', async () => {
    const operations = [0, 1, 2].flatMap((turn) => [
      { method: 'PATCH', path: organization(), body: { name: `In a batch ${turn}` } },
      { method: 'PATCH', path: organization(), body: { name: `In a batch ${turn}, again` } },
    ])
    const { body } = await servers.api(0).send('POST', '/batch', { operations })
    expect(body.results.map(({ body: one }: { body: { name: string } }) => one.name)).toEqual(operations.map((one) => one.body.name))
  })
})
