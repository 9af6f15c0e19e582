import { invalid } from '#shared/domain/errors'
import { fromListColumn } from '#shared/records/columns'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findOrganizationRecord } from '#main/store/records/organizations/organization-records'
import type { Reader } from '#main/store/core/store'

/** A list of tags or people in a request. `before`: the stored value, which may name ones that no longer exist. */
interface AskedList {
  readonly attribute: string
  readonly of: 'tags' | 'users'
  readonly before: string | null | undefined
  readonly asked: readonly number[] | undefined
}

/** Throws `invalid` for tags that the organization lacks, and people who are not members. */
export async function assertKnown(
  reader: Reader,
  { organization_id, lists }: { organization_id: number; lists: readonly AskedList[] },
): Promise<void> {
  for (const { attribute, of, before = null, asked = [] } of lists) {
    const kept = fromListColumn(of, before)
    for (const id of asked.filter((one) => !kept.includes(one))) {
      const isKnown =
        of === 'tags'
          ? await findOrganizationRecord(reader, 'tags', { organization_id, id })
          : await findRole(reader, { organization_id, user_id: id })
      if (!isKnown) throw invalid(attribute, of === 'tags' ? 'invalid' : 'not_a_member')
    }
  }
}
