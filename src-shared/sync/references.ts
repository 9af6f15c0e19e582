import { records } from '#shared/records/index'

/** The table of the `:id` in a path, by the route's name before the verb. */
const tableOfRoute = new Map<string, string>(
  records.flatMap(({ table, routes = [table] }) => routes.map((route) => [route, table] as const)),
)

/** The table of the records that a body's attribute names. */
export const tableOfAttribute: ReadonlyMap<string, string> = new Map(
  records.flatMap(({ references, attributes = {} }) => [
    ...Object.values(references).flatMap(({ to, writtenAs = [] }) => writtenAs.map((name) => [name, to] as const)),
    ...Object.entries(attributes).flatMap(([name, attribute]) => {
      if (attribute.kind === 'ids') return [[name, attribute.to] as const]
      return attribute.kind === 'list' && (attribute.of === 'tags' || attribute.of === 'users') ? [[name, attribute.of] as const] : []
    }),
  ]),
)

/** The table of the records that a shared record's column names. */
export const tableOfColumn: ReadonlyMap<string, string> = new Map(
  records.flatMap(({ references }) => Object.entries(references).map(([column, { to }]) => [column, to] as const)),
)

/** Attributes that end in an id but name no record. */
export const plainIds: ReadonlySet<string> = new Set([
  'external_id',
  'request_id',
  'subject_id',
  'source_id',
  'supplier_tax_id',
  'until_id',
])

/** A place in an operation that names a record by id. */
export interface Named {
  /** `path.1`, `body.expense_ids.0`. */
  readonly at: string
  readonly table: string
  readonly id: number
}

/** The parts of a request that name records. */
export interface Naming {
  readonly route: { readonly name: string; readonly path: string }
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Every record that a command names in its parameters and body. A parameter's place is its position in the route's path. */
export function namedRecords({ route, params, body }: Naming): Named[] {
  const inPath = splitPath(route.path).flatMap((segment, index) => {
    if (!segment.startsWith(':')) return []
    const name = segment.slice(1)
    const table = tableOfParam(route.name, name)
    const id = params[name] ?? ''
    return table !== undefined && isId(id) ? [{ at: `path.${index}`, table, id: Number(id) }] : []
  })
  return [...inPath, ...namedIn(body, 'body')]
}

/** The table of a parameter other than the route's own `:id`, named like a reference's column: `:expense_id`. */
function tableOfParam(route: string, name: string): string | undefined {
  return name === 'id' ? tableOfRoute.get(route.split('.')[0] ?? '') : tableOfColumn.get(name)
}

function splitPath(path: string): string[] {
  return path.split('/').filter(Boolean)
}

function namedIn(value: unknown, at: string): Named[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const attributes: Readonly<Record<string, unknown>> = { ...value }
  return Object.entries(attributes).flatMap(([name, part]): Named[] => {
    const table = tableOfAttribute.get(name)
    if (table === undefined) return []
    const here = `${at}.${name}`
    if (Array.isArray(part)) return part.flatMap((id, index) => (isId(id) ? [{ at: `${here}.${index}`, table, id: Number(id) }] : []))
    if (typeof part === 'object' && part !== null && 'id' in part && isId(part.id))
      return [{ at: `${here}.id`, table, id: Number(part.id) }]
    return isId(part) ? [{ at: here, table, id: Number(part) }] : []
  })
}

function isId(value: unknown): boolean {
  return (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && /^-?\d+$/.test(value))
}

type Values = ReadonlyArray<{ readonly at: string; readonly value: unknown }>

/** Replaces values at these places in a write as text. */
export function replaceAt({ path, body }: { path: string; body: unknown }, values: Values): { path: string; body: unknown } {
  const segments = splitPath(path)
  for (const { index, value } of inPath(values)) segments[index] = String(value)
  return { path: `/${segments.join('/')}`, body: replaceInBody(body, values) }
}

/** Replaces values at these places in a request's parameters and body. */
export function replaceNamed({ route, params, body }: Naming, values: Values): Pick<Naming, 'params' | 'body'> {
  const segments = splitPath(route.path)
  const named = inPath(values).map(({ index, value }) => [segments[index]?.slice(1) ?? '', String(value)] as const)
  return { params: { ...params, ...Object.fromEntries(named) }, body: replaceInBody(body, values) }
}

function inPath(values: Values): Array<{ index: number; value: unknown }> {
  return values.flatMap(({ at, value }) => (at.startsWith('path.') ? [{ index: Number(at.slice('path.'.length)), value }] : []))
}

/** A copy through JSON, which shares nothing with the original. */
function replaceInBody(body: unknown, values: Values): unknown {
  if (body === undefined) return undefined
  const copy: unknown = structuredClone(body)
  for (const { at, value } of values) {
    const [root, ...steps] = at.split('.')
    const last = steps.pop() ?? ''
    if (root !== 'path') setIn(copy, { steps, last, value })
  }
  return copy
}

function setIn(into: unknown, { steps, last, value }: { steps: readonly string[]; last: string; value: unknown }): void {
  let target: unknown = into
  for (const step of steps) target = typeof target === 'object' && target !== null ? Reflect.get(target, step) : undefined
  if (typeof target === 'object' && target !== null && Object.hasOwn(target, last)) Reflect.set(target, last, value)
}
