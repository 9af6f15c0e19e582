import { z } from 'zod'
import { standIn } from '#shared/records/stand-in'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import type { ListOptions } from '../route'

/** A person who stands in for another between two instants (extension of the contract). `name`: the reason. */
export const standInRepresentation = z.object(recordShape(standIn)).meta({ id: 'StandIn' })
export type StandInRepresentation = z.infer<typeof standInRepresentation>

const standInListOptions = { order: 'created_at', attributes: listedBy(standIn.attributes) } as const satisfies ListOptions

/** The endpoints of stand-ins. */
export const standInRoutes = organizationRecordRoutes({
  table: standIn.table,
  one: 'who stands in for a person',
  many: 'people who stand in for others',
  attributes: writableOf(standIn.attributes),
  representation: standInRepresentation,
  list: standInListOptions,
  actions: { list: 'stand_ins.list', show: 'stand_ins.list', write: 'stand_ins.write' },
})
