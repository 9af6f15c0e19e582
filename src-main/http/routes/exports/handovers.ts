import type { Row } from '#db/schema'
import { exportBody } from '#shared/contract/instance/exports'
import { type ChangedRow, type Handover, handoverRoutes, handoversAtATime } from '#shared/contract/instance/handovers'
import { DomainError, forbidden, invalid, notFound } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { listChangedHandovers } from '#main/store/records/handovers/handed-over'
import { findHandover, findHandoverById, listHandovers, listHandoversOf } from '#main/store/records/handovers/handovers'
import { getVisibleExpense } from '#main/use-cases/access/get-visible-expense'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { findLayout } from '#main/use-cases/export-profiles/export-profiles'
import { fromMinor } from '#shared/domain/money'
import { countWritten } from '#main/use-cases/exports/booked-expenses'
import { scopeOf } from '#main/use-cases/exports/run-export'
import type { Booking } from '#main/use-cases/handovers/booked-then'
import { leftOutOf } from '#main/use-cases/handovers/record-handover'
import { type ChangedExpense, isChangedSince, readChangedExpenses } from '#main/use-cases/handovers/changed-rows'
import { getHandover } from '#main/use-cases/handovers/get-handover'
import { type Context, type Endpoint, query } from '../../endpoint'
import { exportUrl } from '../../representations/file-links'
import { loadPeople, toUserParty } from '../../representations/people'
import { type ExportContext, exporting } from './exports'

const toMoney = (booking: Booking | null) =>
  booking && { amount: fromMinor(booking.amount_minor, booking.currency), currency: booking.currency }

function toChange({ row: { expense }, handed: { version, current_version }, then, now }: ChangedExpense): ChangedRow {
  const change = expense.deleted_at === null ? 'changed' : 'deleted'
  return {
    expense_id: expense.id,
    description: expense.description,
    version,
    current_version,
    change,
    booked: toMoney(then),
    now: toMoney(now),
  }
}

/** The uids of the handovers that these correct, by id. */
async function correctedBy({ reader }: Pick<Context, 'reader'>, rows: ReadonlyArray<Pick<Row<'handovers'>, 'corrects_id'>>) {
  const uids = new Map<number | null, string>()
  for (const { corrects_id } of rows)
    if (corrects_id !== null && !uids.has(corrects_id)) uids.set(corrects_id, (await findHandoverById(reader, corrects_id))?.uid ?? '')
  return uids
}

/** Recorded handovers; only the user who made a file gets it, while it exists. */
async function showRecorded(context: ExportContext, rows: ReadonlyArray<Row<'handovers'>>): Promise<Handover[]> {
  const { caller, deps } = context
  const people = await loadPeople(context, { user_ids: rows.map(({ user_id }) => user_id) })
  const corrected = await correctedBy(context, rows)
  const changed = await listChangedHandovers(
    context.reader,
    rows.map(({ id }) => id),
  )
  const show = async (row: Row<'handovers'>): Promise<Handover> => {
    const { uid: id, user_id, created_at, row_count, corrects_id, format, file_name, bytes, sha256, title } = row
    const file = user_id === caller.user_id ? await deps.exports.findFile(id) : undefined
    return {
      id,
      format,
      file_name,
      state: 'finished',
      created_at,
      finished_at: created_at,
      done: row_count,
      total: row_count,
      bytes,
      sha256,
      left_out: leftOutOf(row),
      message: null,
      title,
      url: file ? exportUrl(context, { id, file_name }) : null,
      user: toUserParty(people, user_id),
      corrects: corrected.get(corrects_id) ?? null,
      is_changed: changed.has(row.id),
    }
  }
  return Promise.all(rows.map(show))
}

async function showHandover(context: ExportContext, key: { organization_id: number; id: string }): Promise<Handover> {
  const { caller, deps, locale } = context
  const found = await getHandover({ reader: context.reader, ...deps }, { ...key, user_id: caller.user_id })
  if (found.kind === 'recorded') {
    const [shown] = await showRecorded(context, [found.handover])
    if (shown) return shown
  }
  const people = await loadPeople(context, { user_ids: [caller.user_id] })
  const { title, corrects } = found.kind === 'open' ? found.task : { title: null, corrects: null }
  const open = await deps.exports.show({ id: key.id, user_id: caller.user_id }, locale)
  const url = open.state === 'finished' ? exportUrl(context, open) : null
  return { ...open, url, title, corrects, is_changed: false, user: toUserParty(people, caller.user_id) }
}

/** Handovers (extension): files of expenses sent to accounting, and later changes. */
export const handoverEndpoints: Endpoint[] = [
  exporting(handoverRoutes.list, async (context, { params: { organization_id }, query: { before } }) => {
    const last = before === undefined ? undefined : await findHandover(context.reader, { organization_id, uid: before })
    const asked = { organization_id, before: before === undefined ? undefined : (last?.id ?? 0), limit: handoversAtATime }
    return { handovers: await showRecorded(context, await listHandovers(context.reader, asked)) }
  }),
  exporting(handoverRoutes.create, async (context, { params: { organization_id }, body: { again = false, corrects = null, ...asked } }) => {
    const { caller, deps, locale, reader, uid: id } = context
    const corrected = corrects === null ? undefined : await findHandover(reader, { organization_id, uid: corrects })
    if (corrects !== null && !corrected) throw invalid('corrects', 'invalid')
    const handover = { organization_id, again, corrects }
    // A correction has the format of the handover that it corrects.
    const profile_id = asked.profile_id ?? (corrected && exportBody.parse(JSON.parse(corrected.asked)).profile_id)
    const layout = await findLayout(reader, { format: asked.format, profile_id }, caller.user_id)
    await deps.exports.add(asked, { id, user_id: caller.user_id, locale, handover, layout })
    return showHandover(context, { organization_id, id })
  }),
  exporting(
    handoverRoutes.count,
    async ({ reader, caller: { user_id } }, { params: { organization_id }, body: { again = false, ...asked } }) =>
      countWritten(reader, { scope: scopeOf(asked, user_id), format: asked.format, handover: { organization_id, again, corrects: null } }),
  ),
  exporting(handoverRoutes.show, (context, { params }) => showHandover(context, params)),
  query(handoverRoutes.changes, async ({ reader, caller }, { params: { organization_id, id: uid }, query: { after } }) => {
    await getVisibleOrganization(reader, { id: organization_id, user_id: caller.user_id, action: 'handovers.list' })
    const handover = await findHandover(reader, { organization_id, uid })
    if (!handover) throw notFound()
    const changes: ChangedRow[] = []
    const as = { user_id: caller.user_id, withReceipts: false, after_id: after }
    for await (const change of readChangedExpenses(reader, handover, as)) {
      if (changes.length === handoversAtATime) return { body: { changes, next: changes.at(-1)?.expense_id ?? null } }
      changes.push(toChange(change))
    }
    return { body: { changes, next: null } }
  }),
  exporting(handoverRoutes.destroy, async ({ reader, caller: { user_id }, deps }, { params }) => {
    const found = await getHandover({ reader, ...deps }, { ...params, user_id })
    if (found.kind === 'recorded') throw new DomainError({ kind: 'not_possible', code: 'export.handed_over' })
    await deps.exports.remove({ id: params.id, user_id }, { keepsRecorded: true })
  }),
  query(handoverRoutes.ofExpense, async (context, { params: { expense_id: id } }) => {
    const { reader, caller } = context
    const { expense, relation } = await getVisibleExpense(reader, { id, user_id: caller.user_id })
    // A title shows a reviewer's filter, which may name other people.
    if (!may('handovers.list', { role: relation.role })) throw forbidden()
    const rows = await listHandoversOf(reader, id)
    const people = await loadPeople(context, { user_ids: rows.map(({ user_id }) => user_id) })
    const corrected = await correctedBy(context, rows)
    const newest = rows[0]
    const isChanged = newest !== undefined && (await isChangedSince(reader, expense, { handover_id: newest.id, user_id: caller.user_id }))
    const handovers = rows.map(({ uid, created_at, user_id, title, file_name, corrects_id, expense_version: version }, index) => ({
      id: uid,
      created_at,
      title,
      file_name,
      version,
      is_changed: index === 0 && isChanged,
      user: toUserParty(people, user_id),
      corrects: corrected.get(corrects_id) ?? null,
    }))
    return { body: { handovers } }
  }),
]
