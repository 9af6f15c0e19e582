import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readWitnessed } from '#main/commands/audit'
import type { Check } from '#main/use-cases/audit/verify-trail'
import { allSealed, verified } from '#test/support/audit'
import { withoutGuards } from '#test/support/databases/without-guards'
import { recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { type Receiver, startReceiver } from '#test/support/receiver'

let instance: Instance
let receiver: Receiver
const file = join(tmpdir(), `outlay-witnessed-${process.pid}.jsonl`)
beforeAll(async () => {
  receiver = await startReceiver()
  const witnesses = { OUTLAY_WITNESS_FILE: file, OUTLAY_WITNESS_URL: `${receiver.url}/heads`, OUTLAY_WITNESS_EMAIL: 'auditor@example.org' }
  instance = await startInstance({ settings: { OUTLAY_SEAL_MS: 1, ...witnesses } })
  for (let round = 0; round < 3; round += 1) {
    await recordExpense(instance, instance.member)
    await allSealed(instance.app.store)
  }
})
afterAll(async () => {
  await instance.remove()
  await receiver.close()
  await rm(file, { force: true })
})

async function heads(): Promise<string[]> {
  const seals = await instance.app.store.reader.db.selectFrom('audit_seals').select('head').orderBy('id').execute()
  return seals.map(({ head }) => head)
}

/** What the operator's file has, once all is in it. */
async function readWhole(): ReturnType<typeof readWitnessed> {
  const known = await heads()
  return vi.waitFor(
    async () => {
      const witnessed = await readWitnessed(file)
      expect(witnessed.map(({ head }) => head)).toEqual(known)
      return witnessed
    },
    { timeout: 30_000 },
  )
}

test('every head is appended to the file that the operator names, for the operator alone to read', async () => {
  const witnessed = await readWhole()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await verified(instance, { heads: witnessed })).problems).toEqual([])
})

test('every head is posted to the address that the operator names', async () => {
  const known = await heads()
  const posted = () => receiver.received.flatMap(({ body }) => body.heads.map(({ head }: { head: string }) => head))
  await vi.waitFor(() => expect(posted()).toEqual(known), { timeout: 30_000 })
})

test('the newest head of each chain is mailed, once a day', async () => {
  const outbox = join(instance.folder, 'outbox')
  const mails = await vi.waitFor(
    async () => {
      const names = await readdir(outbox)
      const texts = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
      const found = texts.filter((text) => text.includes('auditor@example.org'))
      expect(found).not.toEqual([])
      return found
    },
    { timeout: 30_000 },
  )
  expect(mails).toHaveLength(1)
})

test('a tail that was cut off is found by the file, whatever is left agrees with itself', async () => {
  const { store } = instance.app
  class Undo extends Error {}
  const nobody = { user_id: 0, origin: 'system', request_id: null, if_match: null }
  const known = await readWhole()
  const cut = store.transact(nobody, async (tx) => {
    await withoutGuards(tx)
    const [{ id } = { id: 0 }] = await tx.writeAll('SELECT max(last_id) AS id FROM audit_seals', [])
    await tx.write('DELETE FROM audit_seals WHERE last_id >= ?', [id])
    await tx.write('DELETE FROM activities WHERE id >= ?', [id])
    const { verifyTrail } = await import('#main/use-cases/audit/verify-trail')
    const trusted = (await tx.writeAll('SELECT DISTINCT public_key FROM audit_seals', [])).map(({ public_key }) => String(public_key))
    const options = { trusted, now: new Date('2026-01-01T00:00:00Z'), without: new Set<Check>(['records']) }
    // A record of which the entries are gone tells, too; the chain alone does not.
    expect((await verifyTrail(tx, { ...options, heads: [] })).problems).toEqual([])
    expect((await verifyTrail(tx, { ...options, heads: known })).problems.map(({ code }) => code)).toEqual(['head'])
    throw new Undo()
  })
  await expect(cut).rejects.toBeInstanceOf(Undo)
})
