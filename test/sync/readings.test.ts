import sharp from 'sharp'
import { expect, test } from 'vitest'
import { listReadingsToFetch, noteReceipt } from '#main/store/records/files/receipt-readings'
import { capture } from '#test/support/captures'
import { recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { startReplica } from '#test/support/sync/replica'

const remote = await instanceOfFile({ settings: { OUTLAY_READ_RECEIPTS: false } })

const system = { user_id: 0, origin: 'system', request_id: null, if_match: null } as const
const said = [{ field: 'total', value: '1234', currency: 'BRL', probability: 0.97, fills: true, source: 'pixels' }]

test(
  'what the remote read from a receipt comes to a replica by the hash of the file, at once or at a later exchange',
  { timeout: 240_000 },
  async () => {
    const { id } = await recordExpense(remote, remote.member, { amount: 12.34, description: 'Lunch', occurred_at: '2026-04-02' })
    const attach = async (seed: number): Promise<string> => {
      const background = { r: seed, g: 200, b: 200 }
      const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background } })
        .jpeg()
        .toBuffer()
      const { id: capture_id } = await capture({ token: remote.member.token, url: remote.url }, { bytes, name: `${seed}.jpg` })
      expect((await remote.member.api.send('POST', '/captures/attach', { expense_id: id, capture_ids: [capture_id] })).status).toBe(201)
      return (await remote.member.api.get(`/expenses/${id}/readings`)).body.readings.at(-1).file
    }
    const read = (sha256: string) =>
      remote.app.store.transact(system, (tx) =>
        noteReceipt(tx, { sha256, state: 'read', tries: 1, engine: 'test', fields: JSON.stringify(said) }),
      )
    const readingsOf = async ({ api }: Pick<Person, 'api'>): Promise<Json[]> => (await api.get(`/expenses/${id}/readings`)).body.readings
    const [first, second] = [await attach(1), await attach(2)]
    await read(first)
    const replica = await startReplica(remote.url, remote.analyst, { settings: { OUTLAY_READ_RECEIPTS: true } })
    try {
      await replica.sync()
      expect(await readingsOf(replica)).toMatchObject([
        { file: first, state: 'read', fields: said },
        { file: second, state: 'waiting' },
      ])
      const seenBy = async ({ api }: Person) => (await api.send('POST', '/sync/readings', { files: [first, second] })).body
      expect(await seenBy(remote.analyst)).toEqual({ readings: [{ file: first, engine: 'test', fields: said }] })
      expect(await seenBy(remote.stranger)).toEqual({ readings: [] })
      await read(second)
      await replica.sync()
      expect(await readingsOf(replica)).toEqual(await readingsOf(remote.analyst))
      // Nothing is asked for any more.
      expect(await listReadingsToFetch(replica.app.store.reader, { limit: 10, mostTries: 10 })).toEqual([])
    } finally {
      await replica.remove()
    }
  },
)
