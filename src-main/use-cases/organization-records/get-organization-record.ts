import { notFound } from '#shared/domain/errors'
import type { OrganizationRecordTable } from '#shared/records/index'
import type { OrganizationRow } from '#main/store/records/organizations/organization-row'
import type { Reader } from '#main/store/core/store'
import { type OrganizationRecordKey, findOrganizationRecord } from '#main/store/records/organizations/organization-record-reader'

/** A record of an organization; 404 where there is none. */
export async function getOrganizationRecord<T extends OrganizationRecordTable>(
  reader: Reader,
  table: T,
  key: OrganizationRecordKey,
): Promise<OrganizationRow<T>> {
  const row = await findOrganizationRecord(reader, table, key)
  if (!row) throw notFound()
  return row
}
