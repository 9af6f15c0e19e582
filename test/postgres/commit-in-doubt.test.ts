import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import pg from 'pg'
import { systemClock } from '#main/clock'
import { DatabaseAway } from '#main/store/core/database-error'
import { Store } from '#main/store/core/store'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { askDatabase } from '#test/support/databases/repeated-writes'
import { startPostgres } from '../../scripts/postgres.mjs'

const nobody = { user_id: 0, origin: 'test', request_id: null, if_match: null }
const folder = `commit in doubt ${systemClock.uid()}`

/** What becomes of the next COMMIT that passes the line, before the line is cut. */
type Fate = 'answered' | 'arrives' | 'is lost'

describe.skipIf(!isOnPostgres)('a commit whose answer is lost', () => {
  let line: Server
  let store: Store
  let client: pg.Client
  let fate: Fate = 'answered'
  let isDown = false
  /** Whether nobody answers any more once the line was cut. */
  let staysDown = false
  beforeAll(async () => {
    const address = (await databaseOf(folder)) ?? ''
    client = new pg.Client({ connectionString: address })
    await client.connect()
    await client.query('CREATE TABLE probe (value text PRIMARY KEY)')
    const meetFate = () => {
      const now = fate
      fate = 'answered'
      isDown = staysDown && now !== 'answered'
      return Promise.resolve(now)
    }
    const made = await startLine(address, { meetFate, isDown: () => isDown })
    line = made.line
    store = await Store.open(folder, { clock: systemClock, isOwner: false, database_url: made.url })
  })
  afterAll(async () => {
    await store.close()
    await client.end()
    line.close()
    await dropDatabaseOf(folder)
  })

  const write = (value: string) => store.transact(nobody, (tx) => tx.write('INSERT INTO probe (value) VALUES (?)', [value]))
  const isStored = async (value: string) => (await client.query('SELECT 1 FROM probe WHERE value = $1', [value])).rows.length === 1

  test('is answered as a commit if the database made it', async () => {
    fate = 'arrives'
    await write('arrives')
    expect(await isStored('arrives')).toBe(true)
  })

  test('is answered as no change if the database undid it', async () => {
    fate = 'is lost'
    await expect(write('is lost')).rejects.toMatchObject({ outcome: 'unchanged' })
    expect(await isStored('is lost')).toBe(false)
    await write('after it')
  })

  test('leaves open what becomes of it if the database cannot be asked', async () => {
    fate = 'is lost'
    staysDown = true
    const error = await write('not known').catch((reason: unknown) => reason)
    isDown = false
    expect(error).toBeInstanceOf(DatabaseAway)
    expect(error).toMatchObject({ outcome: 'unknown' })
    await write('after that')
    expect(await isStored('after that')).toBe(true)
  })
})

/** With a cluster of its own, which crashes: until a commit reaches the disk, a crash takes the number of its transaction back, and the next one gets it. */
test.skipIf(!isOnPostgres)(
  'a commit that a crash undid is answered as no change, also where another transaction has got its number',
  async () => {
    const cluster = await startPostgres({ isDurable: true, settings: ['wal_writer_delay = 10s'] })
    const meetFate = async (): Promise<Fate> => {
      if (!isArmed) return 'answered'
      isArmed = false
      const [writer] = await ask(`SELECT backend_xid::text AS number FROM pg_stat_activity WHERE application_name = 'outlay writes'`)
      await cluster.restart()
      const { number } = writer ?? {}
      for (let taken; taken !== number;) {
        const [other] = await ask(
          `INSERT INTO probe (value) VALUES ('other ' || pg_current_xact_id()) RETURNING pg_current_xact_id()::text AS number`,
        )
        taken = other?.number
        if (Number(taken) > Number(number)) throw new Error('The number was not given again.')
      }
      return 'is lost'
    }
    let isArmed = false
    const { line, url } = await startLine(cluster.url, { meetFate, isDown: () => false })
    const ask = (text: string) => askDatabase(cluster.url, text)
    const store = await Store.open('crash', { clock: systemClock, isOwner: false, database_url: url })
    try {
      await ask('CREATE TABLE probe (value text PRIMARY KEY)')
      const write = (value: string) => store.transact(nobody, (tx) => tx.write('INSERT INTO probe (value) VALUES (?)', [value]))
      isArmed = true
      await expect(write('undone')).rejects.toMatchObject({ outcome: 'unchanged' })
      expect(isArmed).toBe(false)
      expect(await ask(`SELECT value FROM probe WHERE value = 'undone'`)).toEqual([])
      await write('after it')
    } finally {
      await store.close()
      line.close()
      await cluster.close()
    }
  },
)

/** A line to a database on which commits meet a fate; where it is not to be answered, the connection is cut. `isDown`: whether nobody answers. */
async function startLine(
  address: string,
  { meetFate, isDown }: { meetFate: () => Promise<Fate>; isDown: () => boolean },
): Promise<{ line: Server; url: string }> {
  const url = new URL(address)
  const port = Number(url.port)
  const relay = (near: Socket) => {
    const far = connect(port, '127.0.0.1')
    const cut = () => void [near, far].map((one) => one.destroy())
    for (const one of [near, far]) one.on('error', cut)
    near.on('close', cut)
    far.pipe(near)
    near.on('data', (bytes) => {
      if (!bytes.includes('COMMIT\0')) return void far.write(bytes)
      void meetFate().then((fate) => {
        if (fate === 'answered') return void far.write(bytes)
        far.unpipe(near)
        if (fate === 'is lost') return cut()
        near.removeListener('close', cut)
        near.destroy()
        far.write(bytes)
      })
    })
  }
  const line = createServer((near) => (isDown() ? near.destroy() : relay(near))).listen(0, '127.0.0.1')
  await once(line, 'listening')
  url.port = String((line.address() as AddressInfo).port)
  return { line, url: url.href }
}
