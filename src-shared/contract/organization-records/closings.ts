import { z } from 'zod'
import { closing } from '#shared/records/closing'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import type { ListOptions } from '../route'

/** A closed month of an organization (extension of the contract). `name`: the month; `reopening`: why it was reopened. */
export const closingRepresentation = z.object(recordShape(closing)).meta({ id: 'Closing' })
export type ClosingRepresentation = z.infer<typeof closingRepresentation>

const list = { order: 'created_at', attributes: listedBy(closing.attributes) } as const satisfies ListOptions

/** The endpoints of closed months. */
export const closingRoutes = organizationRecordRoutes({
  table: closing.table,
  one: 'a closed month',
  many: 'closed months',
  attributes: writableOf(closing.attributes),
  representation: closingRepresentation,
  list,
  actions: { list: 'closings.list', show: 'closings.list', write: 'closings.write' },
})
