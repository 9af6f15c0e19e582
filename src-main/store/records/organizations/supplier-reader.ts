import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findByNumber = statement<{ organization_id: number; tax_number: string }, Row<'suppliers'>>((db, p) =>
  db
    .selectFrom('suppliers')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('tax_number', '=', p('tax_number'))
    .where('deleted_at', 'is', null),
)

/** The supplier of an organization with this tax number, which is letters and digits alone. */
export function findSupplier(reader: Reader, key: { organization_id: number; tax_number: string }): Promise<Row<'suppliers'> | undefined> {
  return reader.first(findByNumber, key)
}
