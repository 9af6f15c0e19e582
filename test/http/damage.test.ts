import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import { startInstance } from '#test/support/instance'

test('damaged rows that a check finds are shown only to the admin, until a check finds nothing', async () => {
  const instance = await startInstance()
  try {
    const { id } = await recordExpense(instance, instance.member, { amount: 12 })
    // Who is no member may have an organization that the admin is not in charge of.
    const { admin, manager, member } = instance
    const damageFor = async (person: typeof admin) => (await person.api.get('/recoveries')).body.damage
    await instance.app.verifier.verify()
    expect(await damageFor(admin)).toBeNull()
    const change = (by: number) => {
      const raw = new Database(join(instance.folder, 'outlay.db'))
      raw
        .prepare('UPDATE expenses SET amount_minor = amount_minor + ?, amount_scaled = amount_scaled + ? * 100 WHERE id = ?')
        .run(by, by, id)
      raw.close()
    }
    change(100)
    await instance.app.verifier.verify()
    expect(await damageFor(admin)).toEqual({
      found_at: expect.stringMatching(/^\d{4}-/),
      problems: [expect.stringContaining('A row of expenses with ids 0 to 15 is not as Outlay wrote it')],
    })
    for (const person of [manager, member, instance.stranger]) expect(await damageFor(person)).toBeNull()
    change(-100)
    await instance.app.verifier.verify()
    expect(await damageFor(admin)).toBeNull()
  } finally {
    await instance.remove()
  }
})
