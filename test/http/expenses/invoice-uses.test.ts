import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { findBlob } from '#main/store/records/files/blob-reader'
import { listAttachmentsOf } from '#main/store/records/files/attachment-reader'
import { offerStoredFile } from '#main/use-cases/sync/record-sync-upload'
import { addParticipant } from '#main/store/records/conversations/participant-writer'
import { toExpenseParent } from '#main/use-cases/access/parents'
import { capture, listProcessed } from '#test/support/captures'
import { newExpense } from '#test/support/expenses'
import { type Instance, type Person, apiOf, startInstance } from '#test/support/instance'
import { cancellation, goodsInvoice, makeKey, municipalService } from '#test/support/invoices'
import { startReplica } from '#test/support/sync/replica'
import { restart } from '#test/support/restart'
import { uploadFile } from '#test/support/upload'

let instance: Instance
beforeAll(async () => {
  instance = await startInstance()
})
afterAll(() => instance.remove())

let invoices = 0
/** The number of an invoice that no other test has. */
function newNumber(): string {
  invoices += 1
  return String(7000 + invoices)
}

async function attachXml(person: Pick<Person, 'api'>, expense_id: number, xml: string): Promise<number> {
  const file = await uploadFile(person, { bytes: Buffer.from(xml), name: 'invoice.xml', type: 'application/xml' })
  const { status, body } = await person.api.send('POST', `/expenses/${expense_id}/attachments`, { file })
  expect(status).toBe(201)
  return body.id
}

async function recordWith(person: Person, xml: string): Promise<number> {
  const { status, body } = await person.api.send('POST', '/expenses', newExpense(instance))
  expect(status).toBe(201)
  await attachXml(person, body.id, xml)
  return body.id
}

const idsOf = (body: { invoice_uses: ReadonlyArray<{ expense: { id: number } }> }) =>
  body.invoice_uses.map(({ expense }) => expense.id)
const others = async ({ api }: Pick<Person, 'api'>, id: number) => idsOf((await api.get(`/expenses/${id}/invoice_uses`)).body)
const uses = async ({ api }: Pick<Person, 'api'>, key: string) =>
  idsOf((await api.get(`/invoice_uses?invoice_key=${encodeURIComponent(key)}`)).body)

describe('an invoice on two expenses', () => {
  test('is reported where it was captured first and attached from the inbox', async () => {
    const xml = goodsInvoice({ number: newNumber() })
    const first = await recordWith(instance.member, xml)
    const { member, url } = instance
    const { id } = await capture({ token: member.token, url }, { bytes: Buffer.from(xml), name: 'invoice.xml' })
    const second = (await member.api.send('POST', '/expenses', newExpense(instance))).body.id
    await listProcessed(member)
    const attached = await member.api.send('POST', '/captures/attach', { expense_id: second, capture_ids: [id] })
    expect(attached.status).toBe(201)
    expect(await others(member, second)).toEqual([first])
  })

  test('stays reported when a replica carries out the attachment again', async () => {
    const { member, app } = instance
    const number = newNumber()
    const first = await recordWith(member, goodsInvoice({ number }))
    const second = await recordWith(member, goodsInvoice({ number, name: 'Cantina' }))
    const actor = { user_id: member.user_id, origin: 'sync', request_id: null, if_match: null }
    await app.store.transact(actor, async (tx) => {
      const [attachment] = await listAttachmentsOf(tx, [first])
      const blob = attachment && (await findBlob(tx, attachment.sha256))
      if (blob) await offerStoredFile(tx, blob, { file_name: 'invoice.xml', base_url: 'http://localhost' })
    })
    expect(await others(member, second)).toEqual([first])
  })

  test('is reported on both, and by its key, with the whole expense', async () => {
    const number = newNumber()
    const first = await recordWith(instance.member, goodsInvoice({ number }))
    expect(await others(instance.member, first)).toEqual([])
    // Not the same bytes: the same invoice.
    const second = await recordWith(instance.member, goodsInvoice({ number, name: 'Cantina' }))
    expect(await others(instance.member, first)).toEqual([second])
    expect(await others(instance.member, second)).toEqual([first])
    const { status, body } = await instance.member.api.get(`/invoice_uses?invoice_key=${makeKey({ number })}`)
    expect(status).toBe(200)
    expect(body.invoice_uses[0]).toMatchObject({
      invoice_key: makeKey({ number }),
      expense: { id: second, receiver: { id: instance.member.user_id }, attachments_count: 1 },
    })
    expect(idsOf(body)).toEqual([second, first])
  })

  test('an NFS-e without an access key is known by issuer, number and code', async () => {
    const number = newNumber()
    const first = await recordWith(instance.member, municipalService({ number }))
    const second = await recordWith(instance.member, municipalService({ number }, 'ns2:'))
    expect(await others(instance.member, second)).toEqual([first])
  })

  test('a deleted attachment or expense is none', async () => {
    const number = newNumber()
    const ids = [await recordWith(instance.member, goodsInvoice({ number }))]
    ids.push((await instance.member.api.send('POST', '/expenses', newExpense(instance))).body.id)
    const attachment = await attachXml(instance.member, ids[1] ?? 0, goodsInvoice({ number }))
    ids.push(await recordWith(instance.member, goodsInvoice({ number })))
    expect(await uses(instance.member, makeKey({ number }))).toEqual([...ids].reverse())
    await instance.member.api.send('DELETE', `/expenses/${ids[1]}/attachments/${attachment}`)
    await instance.member.api.send('DELETE', `/expenses/${ids[2]}`)
    expect(await uses(instance.member, makeKey({ number }))).toEqual([ids[0]])
  })

  test('the same file twice on one expense is no repeat', async () => {
    const number = newNumber()
    const id = await recordWith(instance.member, goodsInvoice({ number }))
    await attachXml(instance.member, id, goodsInvoice({ number }))
    expect(await others(instance.member, id)).toEqual([])
  })
})

describe('who learns of it', () => {
  test('reviewers see every use; a member sees their own, and nothing reveals another', async () => {
    const number = newNumber()
    const other = await instance.addUser('Otto', 'member')
    const [mine, theirs] = [
      await recordWith(instance.member, goodsInvoice({ number })),
      await recordWith(other, goodsInvoice({ number })),
    ]
    for (const reviewer of [instance.analyst, instance.manager, instance.admin]) {
      expect(await others(reviewer, mine)).toEqual([theirs])
      expect(await uses(reviewer, makeKey({ number }))).toEqual([theirs, mine])
    }
    expect(await others(instance.member, mine)).toEqual([])
    expect(await uses(other, makeKey({ number }))).toEqual([theirs])
    const known = await instance.stranger.api.get(`/invoice_uses?invoice_key=${makeKey({ number })}`)
    const unknown = await instance.stranger.api.get(`/invoice_uses?invoice_key=${makeKey({ number: newNumber() })}`)
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    expect((await other.api.get(`/expenses/${mine}/invoice_uses`)).status).toBe(404)
  })

  test('who takes part in the other expense sees it', async () => {
    const number = newNumber()
    const other = await instance.addUser('Paula', 'member')
    const mine = await recordWith(instance.member, goodsInvoice({ number }))
    const theirs = await recordWith(other, goodsInvoice({ number }))
    await instance.app.store.transact(
      { user_id: other.user_id, origin: 'test', request_id: null, if_match: null },
      async (tx) => {
        const expense = await findExpense(tx, theirs)
        if (expense) await addParticipant(tx, toExpenseParent(expense), instance.member.user_id)
      },
    )
    expect(await others(instance.member, mine)).toEqual([theirs])
  })
})

test('other XML is a plain attachment, and so is the event that cancels an invoice', async () => {
  const [first, second] = [await recordWith(instance.member, cancellation()), await recordWith(instance.member, cancellation())]
  expect(await others(instance.member, second)).toEqual([])
  const plain = await recordWith(instance.member, '<catalog/>')
  expect((await instance.member.api.get(`/expenses/${plain}/attachments`)).body.count).toBe(1)
  expect(first).not.toBe(second)
})

test('a file whose key is wrong is kept, and compared by the key that it has', async () => {
  const key = makeKey({ number: newNumber() })
  const wrong = key.slice(0, -1) + String((Number(key.at(-1)) + 1) % 10)
  const first = await recordWith(instance.member, goodsInvoice({ key: wrong }))
  const second = await recordWith(instance.member, goodsInvoice({ key: wrong }))
  expect(await others(instance.member, second)).toEqual([first])
})

test('a key is asked for', async () => {
  expect((await instance.member.api.get('/invoice_uses')).status).toBe(422)
})

describe('files that were not read when they arrived', () => {
  test('are read at the next start', async () => {
    const number = newNumber()
    const before = await startInstance()
    const ids = [
      await recordWith(before.member, goodsInvoice({ number })),
      await recordWith(before.member, goodsInvoice({ number })),
    ]
    await before.app.store.transact({ user_id: 0, origin: 'test', request_id: null, if_match: null }, async (tx) => {
      await tx.db.updateTable('invoice_keys').set({ is_read: 0, invoice_key: null }).execute()
    })
    const again = await restart(before)
    try {
      const member = { api: apiOf(again.url, before.member.token) }
      await expect.poll(() => others(member, ids[0] ?? 0)).toEqual([ids[1]])
    } finally {
      await again.close()
      await before.remove()
    }
  })

  test('a replica reads those that it fetches', async () => {
    const number = newNumber()
    const first = await recordWith(instance.member, goodsInvoice({ number }))
    const second = await recordWith(instance.member, goodsInvoice({ number, name: 'Cantina' }))
    const replica = await startReplica(instance.url, instance.member)
    try {
      await replica.sync()
      await expect.poll(() => others(replica, first)).toEqual([second])
    } finally {
      await replica.remove()
    }
  })
})
