import type { Tag } from '#shared/contract/tags'
import type { GridSort } from '../../ui/grid/grid-types'
import { containsEveryWord } from '../../ui/values/contains-every-word'

/** The tags whose name or group has every word of a search. */
export function findTags(tags: readonly Tag[], search: string): Tag[] {
  return tags.filter(({ name, group }) => containsEveryWord(`${name} ${group ?? ''}`, search))
}

/** The tags in an order: by name, or by group, where those without one come last. */
export function sortTags(tags: readonly Tag[], { columnId, direction }: GridSort): Tag[] {
  const sign = direction === 'descending' ? -1 : 1
  const byName = (a: Tag, b: Tag) => a.name.localeCompare(b.name)
  const byGroup = (a: Tag, b: Tag) =>
    Number(a.group === null) - Number(b.group === null) || sign * (a.group ?? '').localeCompare(b.group ?? '')
  return tags.toSorted((a, b) => (columnId === 'group' ? byGroup(a, b) || byName(a, b) : sign * byName(a, b)))
}

/** The groups that tags have, each once, in order. */
export function groupsOf(tags: readonly Tag[]): string[] {
  return [...new Set(tags.flatMap(({ group }) => group ?? []))].toSorted((a, b) => a.localeCompare(b))
}

/** The address of review that lists the expenses with a tag. */
export function expensesAddress({ name }: Tag): string {
  return `/review?${new URLSearchParams({ queue: 'all', f: `tag.is.${name}` }).toString()}`
}
