import type { Row } from '#db/schema'
import type { OrganizationRecordTable } from '#shared/records/index'
import type { NewRecord } from '../../core/record-writer'

/** The columns of every record of an organization. */
export interface PlacedColumns {
  readonly id: number
  readonly uid: string
  readonly version: number
  readonly organization_id: number
  readonly name: string
  readonly created_at: string
  readonly updated_at: string
}

/** A row of a record of an organization. */
export type OrganizationRow<T extends OrganizationRecordTable> = Row<T> & PlacedColumns & Readonly<Record<string, Cell>>
/** The columns of a new record. */
export type NewOrganizationRow<T extends OrganizationRecordTable> = NewRecord<T> & Pick<PlacedColumns, 'organization_id'>
type Cell = string | number | null

/** Types a row by the columns that all organization records have: the compiler cannot see it through a generic table name. */
export function toOrganizationRow<T extends OrganizationRecordTable>(row: Row<T>): OrganizationRow<T> {
  return row as OrganizationRow<T>
}
