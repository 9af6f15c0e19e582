import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { type Servers, startServers } from '#test/support/databases/servers'
import { TestBrowser } from '#test/support/doors/openid-browser'
import { type TestProvider, startProvider } from '#test/support/doors/openid-provider'

const place = 'sign-ins of two servers'
const origin = 'https://outlay.example.org'

describe.skipIf(!isOnPostgres)('two servers on one database', () => {
  let provider: TestProvider
  let servers: Servers
  beforeAll(async () => {
    provider = await startProvider()
    provider.open([`${origin}/sign-in/openid`])
    provider.accounts.set('ada', { email: 'ada@example.org', email_verified: true })
    const settings = { ...provider.settings, OUTLAY_PUBLIC_URL: origin }
    servers = await startServers((await databaseOf(place)) ?? '', { count: 2, settings })
  })
  afterAll(async () => {
    await servers.close()
    await provider.close()
    await dropDatabaseOf(place)
  })
  const urlOf = (index: number) => servers.list[index]?.url ?? ''
  const begin = async (browser: TestBrowser, index: number) =>
    browser.follow(await browser.begin(urlOf(index)), { until: `${origin}/sign-in/openid`, account: 'ada' })

  test('begin and end one sign-in, and take an answer once together', async () => {
    const browser = new TestBrowser()
    const returned = await begin(browser, 0)
    const ends = await Promise.all(Array.from({ length: 16 }, (_, index) => browser.end(urlOf(index % 2), returned)))
    expect(ends.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(ends.filter(({ status }) => status === 422)).toHaveLength(15)
  })

  test('end a sign-in whose server is gone', async () => {
    const browser = new TestBrowser()
    const returned = await begin(browser, 0)
    await servers.list[0]?.stop('SIGKILL')
    expect((await browser.end(urlOf(1), returned)).body.user?.emails).toMatchObject([{ email: 'ada@example.org' }])
    await servers.start(0)
  })
})
