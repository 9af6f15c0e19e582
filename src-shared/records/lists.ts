import type { ListedKind } from '#shared/records/attributes'

const separator = ', '

/** A list in its column's form. */
export function toListColumn(list: ReadonlyArray<string | number>): string | null {
  return list.length === 0 ? null : list.join(separator)
}

/** The values of a list's column: ids of tags and users are numbers. */
export function fromListColumn(of: ListedKind, text: string | null): Array<string | number> {
  const parts = text === null ? [] : text.split(separator)
  return of === 'tags' || of === 'users' ? parts.map(Number) : parts
}
