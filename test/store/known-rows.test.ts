import { afterAll, expect, test } from 'vitest'
import { notifier } from '#main/jobs/notifications'
import { updateRecord } from '#main/store/core/record-writer'
import type { Tx } from '#main/store/core/store'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { recordExpense } from '#test/support/expenses'
import { openRaw } from '#test/support/databases/raw'
import { startInstance } from '#test/support/instance'

const instance = await startInstance()
afterAll(() => instance.remove())
const { store } = instance.app

test('a change returns the row as stored, also of a row that is no longer so', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const scope = { organization_id: instance.organization_id }
  const find = async (tx: Tx) => (await findExpense(tx, id)) ?? expect.unreachable()
  const describe = async (tx: Tx, row: Awaited<ReturnType<typeof find>>, description: string) => {
    const changed = await updateRecord(tx, 'expenses', { row, changes: { description, distance: 1.5 }, scope })
    expect(changed).toEqual(await find(tx))
    expect(changed.description).toBe(description)
  }
  await store.transact(notifier, async (tx) => {
    const read = await find(tx)
    await describe(tx, read, 'as read')
    const stale = await find(tx)
    await tx.write('UPDATE expenses SET comments_count = comments_count + 7 WHERE id = ?', [id])
    await describe(tx, stale, 'after another write')
    const kept = await find(tx)
    const undone = tx.savepoint(async () => {
      await describe(tx, await find(tx), 'undone')
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    await describe(tx, kept, 'after a savepoint')
  })
})

test('a change that the database refuses stores nothing', async () => {
  const { id, description } = await recordExpense(instance, instance.member, { description: 'Kept' })
  const refused = store.transact(notifier, async (tx) => {
    const row = (await findExpense(tx, id)) ?? expect.unreachable()
    await updateRecord(tx, 'expenses', { row, changes: { receiver_id: 999_999 }, scope: { organization_id: instance.organization_id } })
  })
  await expect(refused).rejects.toThrow(/foreign key/i)
  expect((await findExpense(store.reader, id))?.description).toBe(description)
})

test('what every request reads is read again after any write to it', async () => {
  const { organization_id: id } = instance
  const name = async (tx: Tx) => (await findOrganization(tx, id))?.name
  const rename = (tx: Tx, to: string) => tx.write('UPDATE organizations SET name = ? WHERE id = ?', [to, id])
  await store.transact(notifier, async (tx) => {
    const first = await name(tx)
    await rename(tx, 'Own')
    expect(await name(tx)).toBe('Own')
    const undone = tx.savepoint(async (step) => {
      await rename(step, 'Undone')
      expect(await name(step)).toBe('Undone')
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(await name(tx)).toBe('Own')
    expect(first).not.toBe('Own')
  })
  const failed = store.transact(notifier, async (tx) => {
    await rename(tx, 'Rolled back')
    expect(await name(tx)).toBe('Rolled back')
    throw new Error('undo')
  })
  await expect(failed).rejects.toThrow('undo')
  await store.transact(notifier, async (tx) => expect(await name(tx)).toBe('Own'))
  const outside = await openRaw(instance)
  await outside.all(`UPDATE organizations SET name = 'From outside' WHERE id = ${id} RETURNING id`)
  await outside.close()
  await store.transact(notifier, async (tx) => expect(await name(tx)).toBe('From outside'))
})
