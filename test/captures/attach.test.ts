import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Capture } from '#shared/contract/captures'
import { listUnnamedBlobs } from '#main/store/queues/forgotten-blobs'
import { pdf } from '#test/files/samples'
import { type Captured, capture, listProcessed } from '#test/support/captures'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Person, apiOf, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { jpgFile } from '#test/support/sample-files'
import { startReplica } from '#test/support/sync/sync-pair'

const instance = await instanceOfFile()

const take = (person: Person, file: Captured) => capture({ token: person.token, url: instance.url }, file)
const invoice = (text: string, query: Record<string, string> = {}): Captured => ({
  bytes: pdf({ height: 40, content: `% ${text}\n0 0 1 rg 0 0 300 600 re f` }),
  name: `${text}.pdf`,
  query,
})
/** One that is made smaller: more than 3,000 pixels wide and 1,000 high. */
async function largePhoto(height = 1040): Promise<Captured> {
  const image = sharp({ create: { width: 3100, height, channels: 3, background: '#b08040' } })
  return { bytes: await image.jpeg().toBuffer(), name: 'photo.jpg' }
}
const attachTo = ({ api }: Pick<Person, 'api'>, expense_id: number, captures: ReadonlyArray<Pick<Capture, 'id'>>) =>
  api.send('POST', '/captures/attach', { expense_id, capture_ids: captures.map(({ id }) => id) })

test('captures become attachments of an expense, with its trail, and are listed no more', async () => {
  const { member } = instance
  const expense = await recordExpense(instance, member)
  const photo = (await largePhoto()).bytes
  const captures = [await take(member, { bytes: photo, name: 'photo.jpg' }), await take(member, invoice('hotel', { note: 'Hotel' }))]
  const { status, body } = await attachTo(member, expense.id, captures)
  expect(status).toBe(201)
  expect(body.attachments).toMatchObject([
    { file_name: 'photo.jpg', content_type: 'image/jpeg', description: null },
    { file_name: 'hotel.pdf', description: 'Hotel' },
  ])
  // Not what came, but what was made of it.
  expect(body.attachments[0].file[0]).toMatchObject({ width: 3000 })
  const shown = await member.api.get(`/expenses/${expense.id}`)
  expect(shown.body).toMatchObject({ attachments_count: 2 })
  const trail = await instance.app.store.reader.db
    .selectFrom('activities')
    .select(['event', 'user_id', 'origin'])
    .where('subject_id', '=', expense.id)
    .where('source_type', '=', 'Attachment')
    .execute()
  const told = { event: 'attachment_created', user_id: member.user_id, origin: 'api' }
  expect(trail).toEqual([told, told])
  expect(await listProcessed(member)).toEqual([])
  expect((await attachTo(member, expense.id, captures)).status).toBe(404)
})

test('one that cannot be attached keeps all from it, and says why', async () => {
  const { member } = instance
  const expense = await recordExpense(instance, member)
  const whole = await take(member, invoice('whole'))
  const half = await take(member, { bytes: (await jpgFile({ width: 1200, height: 800 })).bytes.subarray(0, 9000), name: 'half.jpg' })
  const { status, body } = await attachTo(member, expense.id, [whole, half])
  expect([status, body.errors.message]).toEqual([422, expect.stringMatching(/half\.jpg cannot be attached\..*damaged/)])
  expect((await member.api.get(`/expenses/${expense.id}`)).body.attachments_count).toBe(0)
  expect((await listProcessed(member)).map(({ id }) => id)).toEqual([half.id, whole.id])
})

test('the rules are those of attachments, and captures belong only to their owner', async () => {
  const { member, manager } = instance
  const expense = await recordExpense(instance, manager)
  const mine = await take(member, invoice('mine'))
  expect((await attachTo(member, expense.id, [mine])).status).toBe(404)
  const own = await recordExpense(instance, member)
  expect((await attachTo(manager, own.id, [mine])).status).toBe(404)
  expect((await member.api.send('POST', '/captures/attach', { expense_id: own.id, capture_ids: [] })).body.errors).toEqual({
    capture_ids: ["can't be blank"],
  })
  await member.api.send('DELETE', `/captures/${mine.id}`)
  expect((await attachTo(member, own.id, [mine])).status).toBe(404)
})

test('the same request with the same key attaches once', async () => {
  const { member } = instance
  const expense = await recordExpense(instance, member)
  const one = await take(member, invoice('once'))
  const send = () =>
    member.api.send('POST', '/captures/attach', { expense_id: expense.id, capture_ids: [one.id] }, { 'idempotency-key': 'once' })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
  expect((await member.api.get(`/expenses/${expense.id}`)).body.attachments_count).toBe(1)
})

test('a file stays as long as a capture needs it', async () => {
  const { member, app } = instance
  const kept = await take(member, await largePhoto(1050))
  await listProcessed(member)
  await member.api.send('DELETE', `/captures/${kept.id}`)
  const actor = { user_id: member.user_id, origin: 'api', request_id: null, if_match: null }
  const row = await app.store.reader.db.selectFrom('captures').selectAll().where('id', '=', kept.id).executeTakeFirstOrThrow()
  expect(row.sha256).not.toBe(row.original_sha256)
  const own = [row.sha256, row.original_sha256].sort()
  const unnamed = async () => {
    const all = await app.store.transact(actor, (tx) => Promise.resolve(listUnnamedBlobs(tx)))
    return all.filter((sha256) => own.includes(sha256)).sort()
  }
  expect(await unnamed()).toEqual([])
  await app.store.transact(actor, async (tx) => {
    await tx.db.updateTable('captures').set({ deleted_at: '2020-01-01T00:00:00Z' }).where('id', '=', kept.id).execute()
  })
  expect(await unnamed()).toEqual(own)
  expect((await member.api.send('PATCH', `/captures/${kept.id}`, { deleted_at: null })).status).toBe(404)
})

test('on a replica captures stay here, and what they become is sent to the remote', async () => {
  const { member } = instance
  const replica = await startReplica({ url: instance.url, token: member.token })
  try {
    await replica.sync()
    const one = await capture({ token: member.token, url: replica.url }, await largePhoto())
    const expense = (await replica.api.send('POST', '/expenses', newExpense(instance))).body
    const attached = await attachTo(replica, expense.id, [one])
    expect(attached.status).toBe(201)
    expect(await member.api.get('/captures').then(({ body }) => body.captures.map(({ id }: Capture) => id))).not.toContain(one.uid)
    await replica.sync()
    expect((await replica.state()).counts).toMatchObject({ conflicts: 0, failed: 0, waiting: 0 })
    const [sent] = (await member.api.get(`/expenses/${expense.id}`)).body.attachments
    expect(sent).toMatchObject({ uid: attached.body.attachments[0].uid, file_name: 'photo.jpg' })
    expect(sent.file[0]).toMatchObject({ width: 3000 })
    expect((await fetch(sent.url)).status).toBe(200)
  } finally {
    await replica.remove()
  }
})

test('captures of an instance that gets a remote are its person’s there too', async () => {
  const local = await startInstance({ database: 'sqlite' })
  try {
    const { id } = await capture({ token: local.admin.token, url: local.url }, invoice('before'))
    const outcome = await local.app.replica.connect({ url: instance.url, token: instance.analyst.token })
    expect(outcome.kind).toBe('connected')
    const { captures } = (await apiOf(local.url, instance.analyst.token).get('/captures')).body
    expect(captures.map((one: Capture) => one.id)).toEqual([id])
    // Nothing of the remote stays, nor its user: so nothing of theirs.
    await local.app.replica.disconnect('remove')
    expect(await local.app.store.reader.db.selectFrom('captures').select('id').execute()).toEqual([])
  } finally {
    await local.remove()
  }
})
