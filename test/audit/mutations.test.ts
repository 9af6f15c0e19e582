import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import type { BlobStore } from '#main/files/blob-store'
import { createBlobStore } from '#main/files/blob-store'
import { listChains, listSeals } from '#main/store/audit/seal-reader'
import type { Tx } from '#main/store/core/store'
import { findAuditKey } from '#main/use-cases/audit/audit-key'
import { verifyPack } from '../../src-main/use-cases/audit/pack/verify.mjs'
import { type Check, type KnownHead, verifyTrail } from '#main/use-cases/audit/verify-trail'
import { startSealed, unpackedPack, verified } from '#test/support/audit'
import { mutateDatabase, mutateFile } from '#test/support/audit-mutations'
import { dropGuards } from '#test/support/databases/without-guards'
import type { Instance } from '#test/support/instance'
import { Random } from '#test/simulation/random'
import { inForm } from '#test/support/form'
import { folderOfFile } from '#test/support/of-file'

/** `MUTATIONS=10000 SEED=1 npx vitest run test/audit/mutations.test.ts`: so many of the database, and so many of the pack. */
const count = Number(process.env.MUTATIONS ?? inForm(40, 150))
const chance = new Random(Number(process.env.SEED ?? 1))
const timeout = 60_000 + count * 400
const nobody = { user_id: 0, origin: 'system', request_id: null, if_match: null }

/** Long runs print how far they are: what a stopped one found still counts. */
function report(subject: string, made: number, survivors: readonly string[]) {
  if (process.env.MUTATIONS && made % 500 === 0) process.stderr.write(`${subject}: ${made - survivors.length} of ${made} found\n`)
}

let instance: Instance
let pack: string
let heads: KnownHead[]
let trusted: string[]
let blobs: BlobStore
const scratch = folderOfFile('outlay-mutations-')
beforeAll(async () => {
  instance = await startSealed(6)
  const { reader } = instance.app.store
  const seals = await Promise.all(
    (await listChains(reader)).map((organization_id) => listSeals(reader, { organization_id, after: 0, limit: 1_000 })),
  )
  heads = seals.flatMap((chain) => chain.slice(-1).map(({ head, organization_id }) => ({ head, organization_id })))
  trusted = [(await findAuditKey(instance.folder))?.public_key ?? '']
  blobs = createBlobStore(instance.folder, { randomId: () => systemClock.uid() })
  pack = await unpackedPack(instance, join(scratch, 'pack'))
  await instance.app.store.transact(nobody, async (tx) => dropGuards(tx))
})
afterAll(() => instance.remove())

class Undo extends Error {}

/** What a verification finds after a change that is then undone; undefined where the database itself refuses the change. */
async function foundAfter(change: (tx: Tx) => Promise<string>, without?: ReadonlySet<Check>) {
  let found: { what: string; problems: number } | undefined
  const known = without?.has('heads') ? [] : heads
  await instance.app.store
    .transact(nobody, async (tx) => {
      const what = await change(tx).catch(() => undefined)
      if (what === undefined) throw new Undo()
      const report = await verifyTrail(tx, { trusted, heads: known, now: systemClock.now(), ...(without && { without }) })
      found = { what, problems: report.problems.length }
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return found
}

/** Changes the database so many times; answers what a verification did not find. */
async function survivorsOf(wanted: number, without?: ReadonlySet<Check>) {
  const survivors: string[] = []
  let made = 0
  while (made < wanted) {
    const found = await foundAfter((tx) => mutateDatabase(tx, chance), without)
    if (found === undefined) continue
    made += 1
    if (found.problems === 0) survivors.push(found.what)
    if (without === undefined) report('database', made, survivors)
  }
  return survivors
}

test('what is not changed is found to be right', async () => {
  expect((await verified(instance, { heads })).problems).toEqual([])
  expect(verifyPack(pack, { heads: heads.slice(1).map(({ head }) => head) }).problems).toEqual([])
})

test('every change of the database is found', { timeout }, async () => {
  expect(await survivorsOf(count)).toEqual([])
})

test('every change of a file that an entry names is found', { timeout }, async () => {
  const survivors: string[] = []
  for (let at = 0; at < Math.ceil(count / 10); at += 1) {
    const { what, undo } = mutateFile(join(instance.folder, 'blobs'), chance, () => true)
    const { problems } = await verified(instance, { blobs })
    if (problems.length === 0) survivors.push(what)
    undo()
    report('files', at + 1, survivors)
  }
  expect(survivors).toEqual([])
})

test('every change of the pack is found', { timeout }, () => {
  const survivors: string[] = []
  for (let at = 0; at < count; at += 1) {
    const { what, undo } = mutateFile(pack, chance, () => true)
    if (verifyPack(pack).problems.length === 0) survivors.push(what)
    undo()
    report('pack', at + 1, survivors)
  }
  expect(survivors).toEqual([])
})

test('the chain alone finds every change of trail, seals and files, also with a manifest that fits it', { timeout }, () => {
  const survivors: string[] = []
  const skip = new Set(['manifest'])
  const head = heads.at(-1)?.head ?? ''
  for (let at = 0; at < count; at += 1) {
    const { what, undo } = mutateFile(pack, chance, (name) => /^(trail|seals)\.jsonl$|^files/.test(name))
    if (verifyPack(pack, { skip, heads: [head] }).problems.length === 0) survivors.push(what)
    undo()
    report('chain alone', at + 1, survivors)
  }
  expect(survivors).toEqual([])
})

/** A change that two checks find survives only where both are left out. */
const pairs: Partial<Record<Check, readonly Check[]>> = { previous: ['signature'], heads: ['records'], unsealed: ['heads', 'records'] }
/** What only the comparison of records finds shows nothing of the other checks. */
const isOfRecords = (what: string) => what.startsWith('record')

test.each<Check>(['root', 'signature', 'previous', 'heads', 'details', 'unsealed', 'records'])(
  'control: without the check of %s some changes survive',
  { timeout },
  async (check) => {
    const without = new Set<Check>([check, ...(pairs[check] ?? [])])
    let survivors: string[] = []
    for (let round = 0; survivors.length === 0 && round < 100; round += 1)
      survivors = (await survivorsOf(10, without)).filter((what) => isOfRecords(what) === (check === 'records'))
    expect(survivors).not.toEqual([])
  },
)
