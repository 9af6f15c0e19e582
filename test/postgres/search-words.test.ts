import { expect, test } from 'vitest'
import { reindexExpense } from '#main/store/records/expenses/expense-search'
import { notifier } from '#main/jobs/notifications'
import { isOnPostgres } from '#test/support/databases/database-of'
import { recordExpense } from '#test/support/expenses'
import { startInstance } from '#test/support/instance'

test.skipIf(!isOnPostgres)('the words of a new expense are those of the stored one', async () => {
  const instance = await startInstance()
  try {
    const { store } = instance.app
    const expense = { description: 'Café da manhã', location: 'São Paulo', supplier_name: 'Padaria Álvaro', tags: ['Viagem'] }
    const { id } = await recordExpense(instance, instance.member, expense)
    const read = async () => {
      const query = store.reader.db.selectFrom('expense_search').selectAll().where('rowid', '=', id)
      return query.executeTakeFirstOrThrow()
    }
    const atFirst = await read()
    expect(JSON.stringify(atFirst)).toContain('viagem')
    await store.transact(notifier, async (tx) => reindexExpense(tx, id))
    expect(await read()).toEqual(atFirst)
  } finally {
    await instance.remove()
  }
})
