import type { Action } from '#shared/domain/permissions'
import type { OrganizationRecordTable } from '#shared/records/index'
import { columnsOf, newColumns, toColumns } from '#shared/records/columns'
import type { Changes } from '#main/store/core/record-writer'
import {
  type NewOrganizationRow,
  type OrganizationRow,
  type WrittenDefinition,
  deleteOrganizationRecord,
  insertOrganizationRecord,
  updateOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import type { Tx } from '#main/store/core/store'

/** Parsed attribute values of a request. */
type Values = Readonly<Record<string, unknown>>

/** A kind of organization record, for its use cases. `I`: the input for a new one. */
export interface OrganizationRecord<T extends OrganizationRecordTable, I extends Values = Values> {
  readonly table: T
  /** The action that the acting user needs; `createAction` and `destroyAction` if creating or deleting needs another. */
  readonly action: Action
  readonly createAction?: Action
  readonly destroyAction?: Action
  /** Throws {@link DomainError} for invalid values. */
  readonly assertValid?: (
    tx: Tx,
    asked: { readonly organization_id: number; readonly row?: OrganizationRow<T>; readonly input: Partial<I> },
  ) => Promise<void>
  readonly insert: (tx: Tx, organization_id: number, input: I) => Promise<OrganizationRow<T>>
  readonly update: (tx: Tx, row: OrganizationRow<T>, input: Partial<I>) => Promise<OrganizationRow<T>>
  readonly remove: (tx: Tx, row: OrganizationRow<T>) => Promise<void>
}

/** A kind of record whose rows have only its attributes. */
export function plainOrganizationRecord<T extends OrganizationRecordTable>(
  definition: WrittenDefinition<T>,
  action: Action,
): OrganizationRecord<T> {
  const { table, attributes } = definition
  return {
    table,
    action,
    insert: (tx, organization_id, input) => {
      const values = { ...newColumns(attributes, input), organization_id }
      if (!isWhole(definition, values)) throw new Error(`A new record of ${table} lacks a column.`)
      return insertOrganizationRecord(tx, definition, values)
    },
    update: (tx, row, input) => updateOrganizationRecord(tx, definition, { row, changes: toColumns(attributes, input) as Changes<T> }),
    remove: (tx, row) => deleteOrganizationRecord(tx, definition, row),
  }
}

function isWhole<T extends OrganizationRecordTable>(
  { attributes }: WrittenDefinition<T>,
  values: Readonly<Record<string, unknown>>,
): values is NewOrganizationRow<T> {
  const columns = Object.entries(attributes).flatMap(([name, attribute]) => columnsOf(name, attribute))
  return columns.every((column) => values[column] !== undefined)
}
