import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import type { Audience } from '#main/store/sync/audience'
import { sharedRecords } from '#main/store/sync/shared-records'
import { Store } from '#main/store/core/store'
import { visibleActivities } from '#main/store/sync/visible-trail'
import { placeMigrated } from '#test/support/databases/migrated-file'

const audience: Audience = {
  user_id: 2,
  member_of: [1],
  follows: [1],
  holds: [1],
  reviews: [1],
  manages: [1],
  shows_tags: [1],
  invites: [1],
  keeps_webhooks: [1],
  imports: [1],
  hands_over: [1],
  audits: [1],
  scopes: [],
}

test('a page of a snapshot continues where the last one ended, and is not gathered from the whole table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outlay-snapshot-plan-'))
  await placeMigrated(folder)
  const store = await Store.open(folder, { clock: systemClock, isOwner: true })
  try {
    const visible = [
      { table: 'activities', condition: visibleActivities(audience) },
      ...sharedRecords.map(({ table, visible: condition }) => ({ table, condition: condition(audience) })),
    ]
    for (const { table, condition } of visible) {
      const page = sql<{ detail: string }>`explain query plan
        select * from ${sql.table(table)} where ${sql.ref(`${table}.id`)} > 0 and ${condition} order by id limit 200`
      const plan = (await page.execute(store.reader.db)).rows.map(({ detail }) => detail)
      expect({ table, plan }).toEqual({
        table,
        plan: expect.not.arrayContaining([expect.stringMatching(/MULTI-INDEX|TEMP B-TREE FOR ORDER BY/)]),
      })
    }
  } finally {
    await store.close()
    await rm(folder, { recursive: true })
  }
})
