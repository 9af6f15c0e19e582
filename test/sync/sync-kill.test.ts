import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { runProgram } from '#test/support/built-program'
import { isBuilt } from '#test/support/built-server'
import { inForm } from '#test/support/form'
import { endStarted } from '#test/support/processes/started'
import { countStates, readRows } from '#test/support/sync/sync-pair'
import {
  type Acknowledged,
  type RemoteProcess,
  type ReplicaProcess,
  makeReplica,
  nothingAcknowledged,
  startRemote,
  startWriting,
} from '#test/support/sync/sync-processes'

/** `npm run torture -- kills` kills a thousand times, and with as many replicas as that takes. */
const isTorture = process.env.TORTURE === 'kills'
const kills = isTorture ? Number(process.env.TORTURE_COUNT ?? 1000) : inForm(3, 40)
/** The suite does not wait for a busy machine: what does not fit is left to the long form. */
const budgetMs = isTorture ? Infinity : 20_000
const killsPerReplica = isTorture ? 50 : 40
// So many that the first exchange is made the base by a thread of its own.
const imported = isTorture ? 3000 : 1200

/** As many write on each side at the same time, so that their writes share commits. */
const writersPerSide = 3

/** Who is killed, in turns: mostly the exchange, and the remote, and who serves the replica while its user writes. The first three are of each. */
const victims = ['remote', 'replica', 'exchange', 'exchange', 'exchange', 'remote', 'exchange', 'exchange'] as const

/** What was done, and where it was when it was killed. */
interface Figures {
  kills: number
  readonly byVictim: Record<string, number>
  /** Kills of an exchange that had begun to speak with the remote and had not ended. */
  inTheMiddle: number
  firstSync: number
}

/** How long an exchange takes from its first byte, so that kills fall anywhere in it. */
let spanMs = 200
/** A machine that is busy is not waited for. */
const maxSpanMs = isTorture ? 2000 : 300

/** Starts an exchange and kills someone in the middle of it. Answers whether the exchange came to its end all the same. */
async function exchangeAndKill(
  { remote, replica, figures }: { remote: RemoteProcess; replica: ReplicaProcess; figures: Figures },
  victim: (typeof victims)[number],
): Promise<boolean> {
  const running = replica.sync()
  const begun = await Promise.race([remote.proxy.traffic().then(() => true), running.ended.then(() => false)])
  await Promise.race([sleep(Math.random() * spanMs), running.ended])
  const isUnderWay = begun && running.child.exitCode === null
  if (victim === 'exchange') running.child.kill('SIGKILL')
  else await (victim === 'remote' ? remote : replica).kill()
  figures.kills += 1
  figures.byVictim[victim] = (figures.byVictim[victim] ?? 0) + 1
  if (isUnderWay) figures.inTheMiddle += 1
  const { code, stderr, result } = await running.ended
  if (victim === 'remote') await remote.start()
  if (victim === 'replica') await replica.start()
  if (code === 0) spanMs = Math.min(maxSpanMs, 0.7 * spanMs + 0.3 * Number(result.ms))
  // A remote that is gone is told in one line; nothing else ends an exchange badly.
  else if (victim === 'remote') expect(stderr.trim().split('\n')).toHaveLength(1)
  else expect({ code, stderr }).toEqual({ code: null, stderr: '' })
  return code === 0
}

/**
 * Writes on both sides while exchanges are killed, for so many kills; the first exchange is of all that the remote has. Gives
 * up when the test has run out of time.
 */
async function torture({ remote, signal }: { remote: RemoteProcess; signal: AbortSignal }, count: number, figures: Figures): Promise<void> {
  const replica = await makeReplica(remote)
  const noted = nothingAcknowledged()
  const upTo = figures.kills + count
  try {
    // Nobody can write before the first exchange has ended: it is killed until it does, and then once more undisturbed.
    for (let done = 0; done < count / 4; done += 1) {
      signal.throwIfAborted()
      figures.firstSync += 1
      if (await exchangeAndKill({ remote, replica, figures }, done % 5 === 4 ? 'remote' : 'exchange')) break
    }
    expect(await replica.sync().ended).toMatchObject({ code: 0, result: { conflicts: 0, failed: 0 } })
    await replica.start()
    const { organization_id } = remote
    const round = `r${figures.kills}`
    const writers = Array.from({ length: writersPerSide }, (_, number) => [
      startWriting({ name: `${round} replica ${number}`, organization_id, api: () => replica.api(), noted }),
      startWriting({ name: `${round} remote ${number}`, organization_id, api: () => remote.api(), noted }),
    ]).flat()
    const startedAt = performance.now()
    for (let index = 0; figures.kills < upTo && performance.now() - startedAt < budgetMs; index += 1) {
      signal.throwIfAborted()
      await exchangeAndKill({ remote, replica, figures }, victims[index % victims.length] ?? 'exchange')
    }
    for (const writer of writers) await writer.stop()
    await expectAgreement({ remote, replica, noted })
  } finally {
    await replica.remove()
  }
}

async function expectAgreement(input: { remote: RemoteProcess; replica: ReplicaProcess; noted: Acknowledged }): Promise<void> {
  const { remote, replica, noted } = input
  expect(await replica.sync().ended).toMatchObject({ code: 0, result: { conflicts: 0, failed: 0 } })
  // Once more, with nothing left to do: what came is compared with the remote.
  expect(await replica.sync().ended).toMatchObject({ code: 0, result: { pushed: 0, conflicts: 0, failed: 0 } })
  expect(Object.keys(countStates(replica.folder))).toEqual(['settled'])
  expect(await readRows(replica.folder)).toEqual(await readRows(remote.folder))
  const counts = countNames(remote.folder)
  for (const kind of ['expenses', 'comments', 'receipts'] as const) {
    expect([...noted[kind]].filter((name) => counts[kind].get(name) !== 1)).toEqual([])
    // Also of what was not answered there is never more than one.
    expect([...counts[kind]].filter(([, count]) => count > 1)).toEqual([])
  }
  expect([...noted.places].filter(([name, place]) => counts.places.get(name) !== place)).toEqual([])
  for (const { folder } of [remote, replica]) {
    const { code, result } = await runProgram('doctor', '--data', folder)
    expect({ code, result }).toEqual({ code: 0, result: { ok: true, problems: [] } })
  }
}

/** How often each name is there, and where each expense is said to be. */
function countNames(folder: string) {
  const db = new Database(join(folder, 'outlay.db'), { readonly: true })
  const count = (query: string) => new Map(db.prepare<[], [string, number]>(query).raw().all())
  const found = {
    expenses: count('SELECT description, count(*) FROM expenses WHERE deleted_at IS NULL GROUP BY description'),
    comments: count('SELECT content, count(*) FROM comments WHERE deleted_at IS NULL GROUP BY content'),
    receipts: count('SELECT sha256, count(*) FROM attachments WHERE deleted_at IS NULL GROUP BY sha256'),
    places: new Map(db.prepare<[], [string, string]>('SELECT description, location FROM expenses').raw().all()),
  }
  db.close()
  return found
}

afterAll(endStarted)

test.runIf(isBuilt)(
  'whichever process is killed in an exchange, every acknowledged write is applied once and both sides agree',
  { timeout: isTorture ? 6 * 3_600_000 : 300_000 },
  async ({ signal }) => {
    const remote = await startRemote(imported)
    const figures: Figures = { kills: 0, byVictim: {}, inTheMiddle: 0, firstSync: 0 }
    try {
      do {
        await torture({ remote, signal }, Math.min(killsPerReplica, kills - figures.kills), figures)
        if (isTorture) console.log(JSON.stringify(figures))
      } while (isTorture && figures.kills < kills)
      expect(figures.inTheMiddle).toBeGreaterThanOrEqual(inForm(0, figures.kills / 4))
    } finally {
      await remote.remove()
    }
  },
)
