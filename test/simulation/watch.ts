import { select } from './rows'
import type { World } from './world'
import type { Seat } from './seat'

/** So many deletions of a table at once are believed without a person, or this part of it. */
const believed = 20
const believedPart = 0.05

/** What a replica looks like before an exchange, for telling what the exchange did. */
export interface Before {
  readonly expenses: number
  readonly isAllowed: boolean
  readonly scopes: string
}

export async function lookAt({ site }: Seat): Promise<Before> {
  const [row] = await select(site, 'SELECT count(*) AS count FROM expenses WHERE deleted_at IS NULL')
  const states = await select(site, `SELECT key, value FROM sync_state WHERE key IN ('allowed', 'pulled')`)
  const pulled = states.find(({ key }) => key === 'pulled')
  return {
    expenses: Number(row?.count ?? 0),
    isAllowed: states.some(({ key }) => key === 'allowed'),
    scopes: scopesOf(String(pulled?.value ?? '{}')),
  }
}

function scopesOf(text: string): string {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && 'scopes' in value ? String(value.scopes) : ''
}

/** What must hold at every moment, not only when all is quiet; what does not, in words. */
export async function watchSeat(world: World, seat: Seat, before: Before): Promise<string[]> {
  const after = await lookAt(seat)
  const found: string[] = []
  const gone = before.expenses - after.expenses
  if (!before.isAllowed && before.scopes === after.scopes && gone > Math.max(believed, before.expenses * believedPart))
    found.push(`${seat.name}: ${gone} of ${before.expenses} expenses went without a person`)
  found.push(...(await findEarlyChildren(seat)))
  if (before.scopes === after.scopes && !world.ledger.hasUpheaval) found.push(...(await findFlicker(seat)))
  return found
}

/** What depends on an operation that did not come through waits beside it. */
async function findEarlyChildren({ site, name }: Seat): Promise<string[]> {
  const rows = await select(
    site,
    `SELECT child.op_id, child.state, parent.state AS reason FROM sync_journal AS child, json_each(child.depends_on) AS needed
     JOIN sync_journal AS parent ON parent.op_id = needed.value
     WHERE child.state IN ('pending', 'sent') AND parent.state IN ('conflict', 'rejected', 'parked', 'quarantined')`,
  )
  return rows.map((row) => `${name}: ${row.op_id} is ${row.state} though what it depends on is ${row.reason}`)
}

/** Whoever has made an expense sees it from then on, whatever is on its way. */
async function findFlicker({ site, name }: Seat): Promise<string[]> {
  const rows = await select(
    site,
    `SELECT op_id, state, json_extract(made.value, '$.uid') AS uid FROM sync_journal, json_each(minted) AS made
     WHERE state IN ('pending', 'sent', 'acknowledged', 'settled') AND json_extract(made.value, '$.table') = 'expenses'
     AND NOT EXISTS (SELECT 1 FROM expenses WHERE expenses.uid = json_extract(made.value, '$.uid'))`,
  )
  return rows.map((row) => `${name}: the expense ${row.uid} is out of sight while ${row.op_id} is ${row.state}`)
}
