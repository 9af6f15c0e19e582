import { z } from 'zod'
import { supplier } from '#shared/records/supplier'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import type { ListOptions } from '../route'

/** A supplier of an organization (extension of the contract). */
export const supplierRepresentation = z.object(recordShape(supplier)).meta({ id: 'Supplier' })
export type SupplierRepresentation = z.infer<typeof supplierRepresentation>

const list = { order: 'created_at', attributes: listedBy(supplier.attributes) } as const satisfies ListOptions

/** The endpoints of suppliers. */
export const supplierRoutes = organizationRecordRoutes({
  table: supplier.table,
  one: 'a supplier',
  many: 'suppliers',
  attributes: writableOf(supplier.attributes),
  representation: supplierRepresentation,
  list,
  actions: { list: 'suppliers.list', show: 'suppliers.list', write: 'suppliers.write' },
})
