import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { eraseDetails } from '#main/store/audit/seal-writer'
import { listSeals } from '#main/store/audit/seal-reader'
import { auditKeyFile, readOrMakeAuditKey } from '#main/use-cases/audit/audit-key'
import { sealNext } from '#main/use-cases/audit/seal-next'
import { attach } from '#test/support/attach'
import { allSealed, startSealed, unpackedPack, verified } from '#test/support/audit'
import { recordExpense } from '#test/support/expenses'
import { startInstance } from '#test/support/instance'
import { pdfFile, pngFile, tiffFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'
import { folderOfFile } from '#test/support/of-file'

const scratch = folderOfFile('outlay-audit-')
const instance = await startSealed(3)
afterAll(() => instance.remove())

const nobody = { user_id: 0, origin: 'system', request_id: null, if_match: null }

test('every entry gets a seal, in a chain of its organization and in one of no organization, and all agree', async () => {
  const { problems, chains } = await verified(instance)
  expect(problems).toEqual([])
  expect(chains.map(({ organization_id, waiting }) => ({ organization_id, waiting }))).toEqual([
    { organization_id: 0, waiting: 0 },
    { organization_id: instance.organization_id, waiting: 0 },
  ])
  const rows = await instance.app.store.reader.db.selectFrom('activities').select('id').execute()
  expect(chains.reduce((sum, { entries }) => sum + entries, 0)).toBe(rows.length)
  expect(chains[1]?.files).toBe(3)
})

test('the key is for its owner alone', () => {
  expect(statSync(join(instance.folder, auditKeyFile)).mode & 0o777).toBe(0o600)
})

test('seals cannot be changed or deleted by the program', async () => {
  for (const text of [
    "UPDATE audit_seals SET root = ''",
    'DELETE FROM audit_seals',
    "UPDATE audit_parts SET sha256 = ''",
    'DELETE FROM audit_parts',
  ])
    await expect(instance.app.store.transact(nobody, (tx) => tx.write(text, []))).rejects.toThrow('append-only')
})

test('what is written while it seals is sealed in its order', async () => {
  await Promise.all(Array.from({ length: 40 }, () => recordExpense(instance, instance.member)))
  await allSealed(instance.app.store)
  expect((await verified(instance)).problems).toEqual([])
})

test('details about a person can be erased, and nothing else; the seals stay valid', async () => {
  const { store } = instance.app
  const found = await store.reader.db
    .selectFrom('activities')
    .select(['id', 'details'])
    .where('event', '=', 'organization_invite_member')
    .execute()
  const [first] = found
  expect(first?.details).toContain('guest0@example.org')
  const erased = await store.transact(nobody, (tx) => eraseDetails(tx, [first?.id ?? 0]))
  expect(erased).toBe(1)
  const { problems, chains } = await verified(instance)
  expect(problems).toEqual([])
  expect(chains[1]?.erased).toBe(1)
  const expense = await store.reader.db
    .selectFrom('activities')
    .select('id')
    .where('event', '=', 'expense_created')
    .executeTakeFirstOrThrow()
  expect(await store.transact(nobody, (tx) => eraseDetails(tx, [expense.id]))).toBe(0)
  await expect(store.transact(nobody, (tx) => tx.write("UPDATE activities SET details = '[]' WHERE id = ?", [expense.id]))).rejects.toThrow(
    'append-only',
  )
})

test('a head that was seen and is no longer in the chain is found', async () => {
  const seals = await listSeals(instance.app.store.reader, { organization_id: instance.organization_id, after: 0, limit: 100 })
  const known = seals.map(({ head, organization_id }) => ({ head, organization_id }))
  expect((await verified(instance, { heads: known })).problems).toEqual([])
  const { problems } = await verified(instance, { heads: [{ head: 'ab'.repeat(32) }] })
  expect(problems.map(({ code }) => code)).toEqual(['head'])
})

test('the pack is verified by its own script, with nothing but Node and an empty environment', async () => {
  const pack = await unpackedPack(instance, join(scratch, 'pack'))
  const elsewhere = join(scratch, 'elsewhere')
  await cp(pack, elsewhere, { recursive: true })
  const printed = execFileSync('env', ['-i', process.execPath, 'verify.mjs'], { cwd: elsewhere, encoding: 'utf8' })
  expect(printed).toContain('Everything agrees.')
  expect(printed).toContain('1 erased')
})

test('a receipt whose file is replaced before the seal is sealed with each file that it had', async () => {
  const quiet = await startInstance({ settings: { OUTLAY_SEAL_MS: 3_600_000 } })
  try {
    const { app, member, folder } = quiet
    const { id } = await recordExpense(quiet, member)
    const receipt = await attach(member.api, id, 'first')
    const files = [await pngFile('first'), pdfFile('second.pdf'), await tiffFile('third.tiff')]
    for (const file of files.slice(1))
      await member.api.send('PATCH', `/expenses/${id}/attachments/${receipt.id}`, { file: await uploadFile(member, file) })
    await sealNext(app.store, { key: await readOrMakeAuditKey(folder), clock: systemClock })
    const parts = await app.store.reader.db
      .selectFrom('audit_parts')
      .select('sha256')
      .where('sha256', 'is not', null)
      .orderBy('activity_id')
      .execute()
    expect(parts.map(({ sha256 }) => sha256)).toEqual(files.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex')))
    expect((await verified(quiet)).problems).toEqual([])
  } finally {
    await quiet.remove()
  }
})
