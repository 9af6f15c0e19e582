import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { HandedOver } from '#shared/contract/filters'
import { DomainError } from '#shared/domain/errors'
import { bookedStatuses } from '#shared/domain/exports/bookings'
import { attributesWith } from '#shared/records/attributes'
import { expense } from '#shared/records/expense'
import { elementsOf, listed } from '../../core/dialect'
import type { Reader } from '../../core/store'
import { isReplica } from '../../sync/replica-state'

/** The audit trail's attributes that appear in an export file; a status change alone does not count. */
const said = [
  ...attributesWith(expense.attributes, 'isExported').map(([name]) => name as string),
  ...['receiver_id', 'liquidate_through_advancement', 'corporative_card_id'],
].filter((name) => name !== 'status' && name !== 'external_id')

/** Whether an entry of the trail changes what an export file contains. */
const changesTheBooks = sql<SqlBool>`exists (select 1 from ${elementsOf('activities.details', 'detail')}
  where detail.value ->> 'attribute' in (${sql.join(said.map((name) => sql.lit(name)))}))`

const isHandedOver = sql<SqlBool>`exists (select 1 from handover_rows where handover_rows.expense_id = expenses.id)`

const isBooked = sql<SqlBool>`(expenses.status in (${sql.join(bookedStatuses.map((status) => sql.lit(status)))})
  and expenses.deleted_at is null and expenses.payer_id = handovers.organization_id)`

/**
 * Whether an expense differs from the row `handed` of its last handover. An expense that is no longer booked has changed if it was booked; for a
 * booked one the trail decides.
 */
const isMoved = sql<SqlBool>`(not ${isBooked} or handed.version <> expenses.version)
  and not exists (select 1 from handover_rows as later
    where later.expense_id = handed.expense_id and later.handover_id > handed.handover_id)
  and ((not ${isBooked} and coalesce(handed.booking, '') <> 'null')
    or (${isBooked} and exists (select 1 from activities
      where activities.subject_type = ${sql.lit('Expense')} and activities.subject_id = expenses.id
        and (activities.id > handovers.trail_end or (handovers.trail_end is null and activities.created_at >= handovers.created_at))
        and ${changesTheBooks})))`

const isChangedSince = sql<SqlBool>`exists (select 1 from handover_rows as handed
  join handovers on handovers.id = handed.handover_id
  where handed.expense_id = expenses.id and ${isMoved})`

/** Which of these handovers have expenses that changed since, by the same rule as the filter; read by another process. */
export async function listChangedHandovers(reader: Reader, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await reader.allApart(
    sql<{ id: number }>`select handovers.id from handovers where handovers.id in (${listed(JSON.stringify(ids))})
      and exists (select 1 from handover_rows as handed join expenses on expenses.id = handed.expense_id
        where handed.handover_id = handovers.id and ${isMoved})`.compile(reader.db),
  )
  return new Set(rows.map(({ id }) => id))
}

const expressions = { yes: isHandedOver, no: sql<SqlBool>`not ${isHandedOver}`, changed: isChangedSince }

/**
 * The condition that an expense was handed over, was not, or has changed since. Throws {@link DomainError} on a replica: its remote has the
 * handovers.
 */
export async function handedOverIs(reader: Reader, wanted: HandedOver): Promise<RawBuilder<SqlBool>> {
  if (await isReplica(reader)) throw new DomainError({ kind: 'not_possible', code: 'export.handovers_on_remote' })
  return expressions[wanted]
}
