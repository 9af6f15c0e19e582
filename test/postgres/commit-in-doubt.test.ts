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
    const url = new URL((await databaseOf(folder)) ?? '')
    const far = Number(url.port)
    client = new pg.Client({ connectionString: url.href })
    await client.connect()
    await client.query('CREATE TABLE probe (value text PRIMARY KEY)')
    line = createServer((near) => (isDown ? near.destroy() : relay(near, far))).listen(0, '127.0.0.1')
    await once(line, 'listening')
    const { port } = line.address() as AddressInfo
    url.port = String(port)
    store = await Store.open(folder, { clock: systemClock, isOwner: false, database_url: url.href })
  })
  afterAll(async () => {
    await store.close()
    await client.end()
    line.close()
    await dropDatabaseOf(folder)
  })

  function relay(near: Socket, port: number): void {
    const far = connect(port, '127.0.0.1')
    const cut = () => void [near, far].map((one) => one.destroy())
    for (const one of [near, far]) one.on('error', cut).on('close', cut)
    far.pipe(near)
    near.on('data', (bytes) => {
      const now = bytes.includes('COMMIT\0') ? fate : 'answered'
      if (now === 'answered') return void far.write(bytes)
      fate = 'answered'
      isDown = staysDown
      far.unpipe(near)
      near.destroy()
      if (now === 'is lost') return
      near.removeListener('close', cut)
      far.write(bytes)
    })
  }

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
test.skipIf(!isOnPostgres)('a commit that a crash undid is answered as no change, also where another transaction has got its number', async () => {
  const cluster = await startPostgres({ isDurable: true, settings: ['wal_writer_delay = 10s'] })
  const { line, url } = await startLine(cluster.url, async (isCommit) => {
    if (!isCommit || !isArmed) return true
    isArmed = false
    const [writer] = await ask(`SELECT backend_xid::text AS number FROM pg_stat_activity WHERE application_name = 'outlay writes'`)
    await cluster.restart()
    const { number } = writer ?? {}
    for (let taken; taken !== number;) {
      const [other] = await ask(`INSERT INTO probe (value) VALUES ('other ' || pg_current_xact_id()) RETURNING pg_current_xact_id()::text AS number`)
      taken = other?.number
      if (Number(taken) > Number(number)) throw new Error('The number was not given again.')
    }
    return false
  })
  let isArmed = false
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
})

/** A line to a database. `passes`: whether what is sent goes on; where it does not, the line is cut. */
async function startLine(address: string, passes: (isCommit: boolean) => Promise<boolean>): Promise<{ line: Server; url: string }> {
  const url = new URL(address)
  const port = Number(url.port)
  const line = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const cut = () => void [near, far].map((one) => one.destroy())
    for (const one of [near, far]) one.on('error', cut)
    far.pipe(near)
    near.on('close', () => far.destroy())
    near.on('data', (bytes) => {
      const isCommit = bytes.includes('COMMIT\0')
      if (isCommit) far.unpipe(near)
      void passes(isCommit).then((goesOn) => {
        if (!goesOn) return cut()
        if (isCommit) far.pipe(near)
        far.write(bytes)
      })
    })
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  url.port = String((line.address() as AddressInfo).port)
  return { line, url: url.href }
}
