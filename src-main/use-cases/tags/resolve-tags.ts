import type { Row } from '#db/schema'
import { type FieldError, DomainError, invalid } from '#shared/domain/errors'
import { type TagNames, maxTagName, tagKey } from '#shared/domain/tags'
import { findTagByKey, listRestrictedUserIds, splitKnownTagNames } from '#main/store/records/organizations/tag-reader'
import { insertTag } from '#main/store/records/organizations/tag-writer'
import type { Tx } from '#main/store/core/store'

/** Whether a request names exactly the tags that a record has: its own representation sent back. */
export function isSameTags(given: TagNames, names: readonly string[]): boolean {
  return typeof given === 'string' ? given === names.join(', ') : JSON.stringify(given) === JSON.stringify(names)
}

/**
 * The tags with these names in an organization. A missing one is created, unless the organization allows only existing ones; a restricted tag may be
 * used by its users only (supplement 2, "Tags"). Throws under `tags`.
 */
export function resolveTags(tx: Tx, organization: Row<'organizations'>, given: TagNames): Promise<Row<'tags'>[]> {
  return resolveChangedTags(tx, organization, { given, kept: [] })
}

/**
 * Like {@link resolveTags}, for a record with tags: someone with permission set the `kept` ones, so a restriction does not stop others from changing
 * the rest.
 */
export async function resolveChangedTags(
  tx: Tx,
  organization: Row<'organizations'>,
  { given, kept }: { given: TagNames; kept: readonly string[] },
): Promise<Row<'tags'>[]> {
  const keptKeys = new Set(kept.map(tagKey))
  const names = typeof given === 'string' ? await splitKnownTagNames(tx, given, { organization_id: organization.id }) : given
  const tags: Row<'tags'>[] = []
  const errors: FieldError[] = []
  for (const name of names) {
    const found = await findTagByKey(tx, { organization_id: organization.id, name_key: tagKey(name) })
    if (!found && name.length > maxTagName) throw invalid('tags', 'too_long', { limit: maxTagName })
    if (!found && organization.restricted_tags) errors.push({ code: 'unknown_tag', params: { name } })
    else if (!found) tags.push(await insertTag(tx, { organization_id: organization.id, name, group_name: null }))
    else {
      const allowed = keptKeys.has(found.name_key) ? [] : await listRestrictedUserIds(tx, found.id)
      if (allowed.length > 0 && !allowed.includes(tx.actor.user_id)) errors.push({ code: 'restricted_tag', params: { name } })
      else tags.push(found)
    }
  }
  if (errors.length > 0) throw new DomainError({ kind: 'invalid', fields: { tags: errors } })
  return tags
}
