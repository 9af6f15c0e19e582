import { namedRecords, replaceAt } from '#shared/sync/references'
import { findAlias } from '#main/store/sync/id-aliases'
import type { Reader } from '#main/store/core/store'

const prefix = '/api/v1'

/** A path as batches and the journal write it: relative to {base_url}. */
export function relativePath(path: string): string {
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}

/** The same request with the ids that records have now, in the place of those they were known by before. */
export async function withoutAliases(
  reader: Reader,
  request: { path: string; body: unknown },
): Promise<{ path: string; body: unknown } | undefined> {
  const values: Array<{ at: string; value: number }> = []
  for (const { at, table, id } of namedRecords(request)) {
    const value = await findAlias(reader, table, id)
    if (value !== undefined) values.push({ at, value })
  }
  return values.length === 0 ? undefined : replaceAt(request, values)
}
