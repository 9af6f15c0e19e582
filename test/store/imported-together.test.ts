import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ImportOutcome, importExpenses } from '#main/use-cases/expenses/import-expenses'
import type { ImportedExpense } from '#main/use-cases/expenses/read-imported-values'
import { type Instance, startInstance } from '#test/support/instance'

let instance: Instance
beforeEach(async () => {
  instance = await startInstance()
})
afterEach(() => instance.remove())

function rowOf(line: number, changes: Partial<ImportedExpense> = {}): ImportedExpense {
  return {
    line,
    receiver_name: `Claimant ${line % 7}`,
    tag_names: [['second', 'first'], ['first'], []][line % 3] ?? [],
    occurred_at: '2026-01-02',
    amount: `${line}.25`,
    description: `Row ${line}`,
    external_id: `row-${line}`,
    ...changes,
  }
}

async function importAll(rows: readonly ImportedExpense[]): Promise<ImportOutcome[]> {
  const actor = { user_id: instance.admin.user_id, origin: 'cli', request_id: null, if_match: null }
  const options = { organization_id: instance.organization_id, currency: 'BRL' }
  const outcomes: ImportOutcome[] = []
  for await (const outcome of importExpenses(instance.app.store, actor, { rows, ...options })) outcomes.push(outcome)
  return outcomes
}

/** All that an import leaves of each row, in the order of the rows. */
async function storedOf(lines: readonly number[]) {
  const { db } = instance.app.store.reader
  const expenses = await db.selectFrom('expenses').selectAll().where('external_id', 'is not', null).orderBy('id').execute()
  const logged = await db.selectFrom('change_log').selectAll().where('table_name', '=', 'expenses').orderBy('seq').execute()
  expect(expenses.map(({ external_id }) => external_id)).toEqual(lines.map((line) => `row-${line}`))
  expect(logged.map(({ record_id }) => record_id)).toEqual(expenses.map(({ id }) => id))
  for (const [index, expense] of expenses.entries()) {
    const row = rowOf(lines[index] ?? 0)
    const { id } = expense
    expect(expense).toMatchObject({ amount_minor: Number(row.amount) * 100, description: row.description, activities_count: 1, version: 1 })
    expect(logged[index]).toMatchObject({ record_uid: expense.uid, operation: 'insert', version: 1, user_id: expense.receiver_id })
    const tags = await db
      .selectFrom('expense_tags')
      .innerJoin('tags', 'tags.id', 'tag_id')
      .select(['name', 'position'])
      .where('expense_id', '=', id)
      .orderBy('position')
      .execute()
    expect(tags.map(({ name }) => name)).toEqual([...row.tag_names])
    const trail = await db.selectFrom('activities').selectAll().where('subject_type', '=', 'Expense').where('subject_id', '=', id).execute()
    expect(trail.map(({ event, user_id }) => [event, user_id])).toEqual([['expense_created', instance.admin.user_id]])
    expect(trail[0]?.details).toContain(`"to":${row.amount}`)
    const receiver = await db
      .selectFrom('users')
      .select(['first_name', 'last_name'])
      .where('id', '=', expense.receiver_id)
      .executeTakeFirst()
    expect(`${receiver?.first_name} ${receiver?.last_name}`).toBe(row.receiver_name)
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('each row that is stored with others has its own tags, claimant, entry of the trail and change', async () => {
  const outcomes = await importAll(upTo(47).map((line) => rowOf(line)))
  expect(outcomes.map(({ kind }) => kind)).toEqual(upTo(47).map(() => 'imported'))
  await storedOf(upTo(47))
})

test('a row that is refused leaves no trace, and takes none of its neighbours with it', async () => {
  const { db } = instance.app.store.reader
  const [known] = await db.selectFrom('users').selectAll().where('id', '=', instance.member.user_id).execute()
  const name = `${known?.first_name} ${known?.last_name}`
  // Two members of one name: found out while the row is being written.
  await importAll([rowOf(100, { receiver_name: name, receiver_email: 'other@example.com' })])
  await importAll([rowOf(100)])
  const refused = [5, 26, 40]
  const outcomes = await importAll(
    upTo(47).map((line) => rowOf(line, refused.includes(line) ? { receiver_name: name, tag_names: ['of the refused'] } : {})),
  )
  expect(outcomes.flatMap(({ kind }, index) => (kind === 'refused' ? [index + 1] : []))).toEqual(refused)
  const count = await db.selectFrom('expenses').select('external_id').where('external_id', 'is not', null).execute()
  expect(count).toHaveLength(1 + 47 - refused.length)
  expect(await db.selectFrom('tags').select('name').where('name', '=', 'of the refused').execute()).toEqual([])
})

test('a row with the identity of one that waits to be stored is not stored again', async () => {
  const outcomes = await importAll([rowOf(1), rowOf(2), rowOf(1), rowOf(3)])
  expect(outcomes.map(({ kind }) => kind)).toEqual(['imported', 'imported', 'skipped', 'imported'])
  await storedOf([1, 2, 3])
})
