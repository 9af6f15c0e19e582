import type { z } from 'zod'
import type { closingRoutes } from '#shared/contract/organization-records/closings'
import { monthOf } from '#shared/domain/closing/months'
import { DomainError, invalid } from '#shared/domain/errors'
import { keepRates } from '#shared/domain/reports/kept-rates'
import { closing } from '#shared/records/closing'
import { newColumns, toColumns } from '#shared/records/columns'
import { listClosedMonths } from '#main/store/records/organizations/closed-months'
import { listRateSheets } from '#main/store/records/organizations/exchange-rate-reader'
import {
  deleteOrganizationRecord,
  insertOrganizationRecord,
  updateOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import type { OrganizationRecord } from '../organization-records/plain-organization-record'

/** Closed months: closed after they end, reopened with a reason, and kept as a record of both. */
export const closingRecord: OrganizationRecord<'closings', z.output<typeof closingRoutes.create.body>> = {
  table: 'closings',
  action: 'closings.write',
  assertValid: async (tx, { organization_id, row, input: { name, reopening } }) => {
    if (row) {
      if (name !== undefined && name !== row.name) throw invalid('name', 'is_fixed')
      if (row.reopening !== null && reopening !== undefined && reopening !== row.reopening) throw invalid('reopening', 'already_reopened')
      return
    }
    if (name === undefined || name >= monthOf(tx.now)) throw invalid('name', 'not_over')
    if (reopening !== undefined && reopening !== null) throw invalid('reopening', 'not_closed')
    if ((await listClosedMonths(tx, organization_id)).has(name)) throw invalid('name', 'taken')
  },
  insert: async (tx, organization_id, input) =>
    insertOrganizationRecord(tx, closing, {
      ...newColumns(closing.attributes, input),
      user_id: tx.actor.user_id,
      organization_id,
      rates: keepRates(await listRateSheets(tx, organization_id), input.name),
    }),
  update: (tx, row, input) => {
    const changes = toColumns(closing.attributes, input)
    const isReopening = changes.reopening !== undefined && changes.reopening !== row.reopening
    const details = isReopening ? [{ attribute: 'name', from: row.name, to: row.name } as const] : []
    return updateOrganizationRecord(tx, closing, { row, changes, details })
  },
  remove: async (tx, row) => {
    if (row.reopening === null) throw new DomainError({ kind: 'not_possible', code: 'reopen_first', params: { month: row.name } })
    await deleteOrganizationRecord(tx, closing, row)
  },
}
