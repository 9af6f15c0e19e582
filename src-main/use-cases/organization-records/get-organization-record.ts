import { notFound } from '#shared/domain/errors'
import type { OrganizationRecordTable } from '#shared/records/index'
import type { Reader } from '#main/store/core/store'
import {
  type OrganizationRecordKey,
  findOrganizationRecord,
  seesOrganizationRecord,
} from '#main/store/records/organizations/organization-record-reader'
import type { OrganizationRow } from '#main/store/records/organizations/organization-row'

/** A record of an organization; 404 if it does not exist or this user may not see it. */
export async function getOrganizationRecord<T extends OrganizationRecordTable>(
  reader: Reader,
  table: T,
  { user_id, ...key }: OrganizationRecordKey & { user_id: number },
): Promise<OrganizationRow<T>> {
  const row = await findOrganizationRecord(reader, table, key)
  if (!row || !(await seesOrganizationRecord(reader, table, { id: row.id, user_id }))) throw notFound()
  return row
}

/** Whether a user is the author of a record that has one. */
export function isAuthor(row: object, user_id: number): boolean {
  return 'user_id' in row && row.user_id === user_id
}
