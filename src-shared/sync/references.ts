import { records } from '#shared/records/index'

/** The table whose records a first path segment names. */
const tableOfPath = new Map<string, string>(
  records.flatMap(({ table, segments = [] }) => segments.map((segment) => [segment, table] as const)),
)

/** The table whose records an attribute of a body names. */
export const tableOfAttribute: ReadonlyMap<string, string> = new Map(
  records.flatMap(({ references, link }) => [
    ...Object.values(references).flatMap(({ to, writtenAs = [] }) => writtenAs.map((name) => [name, to] as const)),
    ...(link?.writtenAs === undefined ? [] : [[link.writtenAs, link.to] as const]),
  ]),
)

/** The table whose records a column of a shared record names. */
export const tableOfColumn: ReadonlyMap<string, string> = new Map(
  records.flatMap(({ references }) => Object.entries(references).map(([column, { to }]) => [column, to] as const)),
)

/** Attributes that end in an id and name no record of ours. */
export const plainIds: ReadonlySet<string> = new Set(['external_id', 'request_id', 'subject_id', 'source_id'])

/** A place in an operation where a record is named by its id. */
export interface Named {
  /** `path.1`, `body.expense_ids.0`. */
  readonly at: string
  readonly table: string
  readonly id: number
}

/** Every record that a write names, in its path and in its body. */
export function namedRecords({ path, body }: { path: string; body: unknown }): Named[] {
  const segments = path.split('/').filter(Boolean)
  const inPath = segments.flatMap((segment, index) => {
    const table = tableOfPath.get(segments[index - 1] ?? '')
    return table !== undefined && /^-?\d+$/.test(segment) ? [{ at: `path.${index}`, table, id: Number(segment) }] : []
  })
  return [...inPath, ...namedIn(body, 'body')]
}

function namedIn(value: unknown, at: string): Named[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const attributes: Readonly<Record<string, unknown>> = { ...value }
  return Object.entries(attributes).flatMap(([name, part]): Named[] => {
    const table = tableOfAttribute.get(name)
    if (table === undefined) return []
    const here = `${at}.${name}`
    if (Array.isArray(part))
      return part.flatMap((id, index) => (isId(id) ? [{ at: `${here}.${index}`, table, id: Number(id) }] : []))
    if (typeof part === 'object' && part !== null && 'id' in part && isId(part.id))
      return [{ at: `${here}.id`, table, id: Number(part.id) }]
    return isId(part) ? [{ at: here, table, id: Number(part) }] : []
  })
}

function isId(value: unknown): boolean {
  return (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && /^-?\d+$/.test(value))
}

/** The write with other values at these places. */
export function replaceAt(
  { path, body }: { path: string; body: unknown },
  values: ReadonlyArray<{ at: string; value: unknown }>,
): { path: string; body: unknown } {
  const segments = path.split('/').filter(Boolean)
  // What came as JSON goes as JSON: the copy shares nothing with what was given.
  const copy: unknown = body === undefined ? undefined : structuredClone(body)
  for (const { at, value } of values) {
    const [root, ...steps] = at.split('.')
    const last = steps.pop() ?? ''
    if (root === 'path') segments[Number(last)] = String(value)
    else setIn(copy, { steps, last, value })
  }
  return { path: `/${segments.join('/')}`, body: copy }
}

function setIn(into: unknown, { steps, last, value }: { steps: readonly string[]; last: string; value: unknown }): void {
  let target: unknown = into
  for (const step of steps) target = typeof target === 'object' && target !== null ? Reflect.get(target, step) : undefined
  if (typeof target === 'object' && target !== null && Object.hasOwn(target, last)) Reflect.set(target, last, value)
}
