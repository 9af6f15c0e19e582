import type { Row } from '#db/schema'
import { tagKey } from '#shared/domain/tags'
import { recordActivity } from './activity-writer'
import { insertRecord } from './record-writer'
import type { Tx } from './store'

/** Stores a new tag, with its place in the audit trail. */
export function insertTag(tx: Tx, values: { organization_id: number; name: string; group_name: string | null }): Row<'tags'> {
  const { organization_id, name } = values
  const tag = insertRecord(tx, 'tags', { values: { ...values, name_key: tagKey(name) }, scope: { organization_id } })
  recordActivity(tx, { organization_id, subject: { type: 'Tag', id: tag.id }, event: 'tag_created', details: [{ attribute: 'name', from: null, to: name }] })
  return tag
}
