import { expect, test } from 'vitest'
import { inForm } from '#test/support/form'
import { type Direction, type FaultyProxy, startProxy } from '#test/support/sync/faulty-proxy'
import { type Instance, startInstance } from '#test/support/instance'
import {
  type Entered,
  type ReplicaInstance,
  countStates,
  enterExpense,
  findEntered,
  readRows,
  startReplica,
  whole,
} from '#test/support/sync/sync-pair'

/** `npm run torture -- cuts` cuts at every byte; otherwise at all of the first and at some of the rest. */
const isTorture = process.env.TORTURE === 'cuts'
/** Where a run that was ended goes on. */
const from = Number(process.env.TORTURE_FROM ?? 0)
const everyFirst = isTorture ? Infinity : inForm(2, 12)
const steps = inForm(6, 30)
/** After so many cuts a new pair begins: what is measured is the cut, not how both sides grow. */
const cutsPerPair = 250

interface Bench {
  readonly remote: Instance
  readonly proxy: FaultyProxy
  readonly replica: ReplicaInstance
  readonly entered: Array<Pick<Entered, 'uid' | 'name'>>
  remove(): Promise<void>
}

async function build(): Promise<Bench> {
  const proxy = await startProxy()
  const remote = await startInstance({ settings: { OUTLAY_ALLOWED_HOSTS: [proxy.host] } })
  proxy.retarget(remote.url)
  const replica = await startReplica({ url: proxy.url, token: remote.manager.token })
  await replica.sync()
  const remove = async () => {
    await replica.remove()
    await proxy.close()
    await remote.remove()
  }
  return { remote, proxy, replica, entered: [], remove }
}

/** Something to push, something to pull, and receipts both ways. */
async function enterOnBoth({ remote, replica, entered }: Bench, name: string): Promise<void> {
  const { organization_id } = remote
  entered.push(await enterExpense(replica.api, { organization_id, name: `${name}-replica` }))
  entered.push(await enterExpense(remote.admin.api, { organization_id, name: `${name}-remote` }))
}

/** Both sides hold each expense once, with its comment, its tag and its whole file, and nothing waits for a person. */
async function expectApplied({ remote, replica, entered }: Bench, since: number): Promise<void> {
  for (const one of entered.slice(since))
    for (const { folder } of [remote, replica]) expect(await findEntered(folder, one)).toEqual(whole(one))
  expect(Object.keys(countStates(replica.folder))).toEqual(['settled'])
}

/** One exchange that is cut after so many bytes, and one after the line is whole again. Answers whether it came to the cut. */
async function cutOnce(bench: Bench, direction: Direction, after: number): Promise<boolean> {
  const { proxy, replica, entered } = bench
  const since = entered.length
  await enterOnBoth(bench, `${direction}-${after}`)
  proxy.set({ cut: { direction, after, how: after % 2 === 0 ? 'reset' : 'close' } })
  const cut = await replica.sync()
  const { isCut } = proxy
  if (isCut && cut.ended.kind !== 'synced') expect((await replica.state()).last_error).toEqual(expect.stringMatching(/./))
  proxy.heal()
  expect((await replica.sync()).ended).toEqual({ kind: 'synced', error: null })
  await expectApplied(bench, since)
  return isCut
}

async function expectSame({ remote, replica }: Bench): Promise<void> {
  expect(await readRows(replica.folder)).toEqual(await readRows(remote.folder))
  for (const { app } of [remote, replica]) expect(app.store.problems()).toEqual([])
}

test.each(['up', 'down'] as const)(
  'an exchange that is cut after any number of bytes %s is made up for by the next, each operation once',
  { timeout: isTorture ? 6 * 3_600_000 : 300_000 },
  async (direction) => {
    let cuts = 0
    let bench = await build()
    try {
      // How much one exchange is: what the steps are measured by.
      bench.proxy.set({})
      await enterOnBoth(bench, `${direction}-measured`)
      await bench.replica.sync()
      const stride = isTorture ? 1 : Math.ceil(bench.proxy.passed[direction] / steps)
      // Exchanges differ by some bytes: one that was over before the cut does not say that all are.
      for (let after = from, over = 0; over < (isTorture ? 40 : 1); after += after < everyFirst ? 1 : stride) {
        if (await cutOnce(bench, direction, after)) cuts += 1
        else over += 1
        if (after % cutsPerPair !== cutsPerPair - 1) continue
        await expectSame(bench)
        await bench.remove()
        bench = await build()
      }
      await expectSame(bench)
      if (isTorture) console.log(`${cuts} cuts, one after every byte ${direction}`)
      if (from === 0) expect(cuts).toBeGreaterThan(steps / 2)
    } finally {
      await bench.remove()
    }
  },
)
