import { fromMinor } from '#shared/domain/money'
import {
  type Attribute,
  type Attributes,
  type ColumnName,
  type ColumnValue,
  type ColumnsOf,
  type ListedKind,
  type NamesWith,
  columnOf,
} from './attributes'
import type { RecordDefinition } from './definition'

const separator = ', '

/** A list in its column's form. */
function toListColumn(list: ReadonlyArray<string | number>): string | null {
  return list.length === 0 ? null : list.join(separator)
}

/** The values of a list's column: ids of tags and users are numbers. */
export function fromListColumn(of: ListedKind, text: string | null): Array<string | number> {
  const parts = text === null ? [] : text.split(separator)
  return of === 'tags' || of === 'users' ? parts.map(Number) : parts
}

/** Conversions between attribute values and columns that are the same for every record. */

const plainKinds = ['text', 'number', 'count', 'flag', 'instant', 'choice', 'record', 'list'] as const
type PlainKind = (typeof plainKinds)[number]

/** Attributes that requests contain in their stored form, except booleans. */
type PlainNames<A extends Attributes> = NamesWith<A, { readonly kind: PlainKind }>

const isPlain = ({ kind }: Attribute) => plainKinds.some((plain) => plain === kind)

/** The values of a list in requests and representations. */
export type Listed<A> = A extends { readonly kind: 'list'; readonly of: 'tags' | 'users' } ? readonly number[] : readonly string[]
type Flagged<A, V> = A extends { readonly kind: 'flag' }
  ? Exclude<V, number> | boolean
  : A extends { readonly kind: 'list' }
    ? Listed<A>
    : V
type Shown<A extends Attributes, K extends keyof A & string> = Flagged<A[K], ColumnValue<A[K]>>

/** Parsed values of plain attributes in a request. */
export type PlainInput<A extends Attributes> = { readonly [K in PlainNames<A>]?: Shown<A, K> | undefined }
type PlainColumns<A extends Attributes> = { [K in PlainNames<A> as ColumnName<K, A[K]>]: ColumnValue<A[K]> }

type Initial =
  | { readonly kind: 'text'; readonly writes?: 'optional' | 'extension' }
  | { readonly kind: 'number' | 'count' | 'record' | 'flag' | 'list' }
  | { readonly isNullable: true }
  | { readonly initial: string }
type Needed<A extends Attributes> = Exclude<PlainNames<A>, NamesWith<A, Initial>>

/** Columns that are empty in a new record, because only separate actions write them. */
type LaterColumns<A extends Attributes> = {
  [K in keyof ColumnsOf<A> as K extends keyof PlainColumns<A> ? never : null extends ColumnsOf<A>[K] ? K : never]: null
}

/** The shown plain attributes of a record. */
export function plainAttributes<A extends Attributes>(attributes: A): Array<readonly [name: PlainNames<A>, attribute: Attribute]> {
  const plain = Object.entries(attributes).filter(([, attribute]) => isPlain(attribute) && !attribute.isHidden)
  return plain as Array<[PlainNames<A>, Attribute]>
}

function toColumn({ kind }: Attribute, value: unknown): unknown {
  if (kind === 'flag' && typeof value === 'boolean') return Number(value)
  return kind === 'list' && Array.isArray(value) ? toListColumn(value) : value
}

/** The columns of the given plain attributes. */
export function toColumns<A extends Attributes>(attributes: A, input: PlainInput<A>): Partial<PlainColumns<A>> {
  const given: Readonly<Record<string, unknown>> = input
  const columns = Object.entries(attributes)
    .filter(([name, attribute]) => isPlain(attribute) && given[name] !== undefined)
    .map(([name, attribute]) => [columnOf(name, attribute), toColumn(attribute, given[name])])
  return Object.fromEntries(columns) as Partial<PlainColumns<A>>
}

/** The columns of a new record: given plain attributes, defaults, and later ones, empty. */
export function newColumns<A extends Attributes>(
  attributes: A,
  input: PlainInput<A> & { readonly [K in Needed<A>]: Shown<A, K> },
): PlainColumns<A> & LaterColumns<A> {
  return { ...emptyColumns(attributes), ...toColumns(attributes, input) } as PlainColumns<A> & LaterColumns<A>
}

const empty = new WeakMap<Attributes, Readonly<Record<string, unknown>>>()

function emptyColumns(attributes: Attributes): Readonly<Record<string, unknown>> {
  const known = empty.get(attributes)
  if (known) return known
  const columns = Object.entries(attributes).flatMap(([name, attribute]): Array<[string, unknown]> => {
    if (isPlain(attribute)) return [[columnOf(name, attribute), initialOf(attribute)]]
    return attribute.isNullable || attribute.kind === 'image' ? columnsOf(name, attribute).map((column) => [column, null]) : []
  })
  const made = Object.fromEntries(columns)
  empty.set(attributes, made)
  return made
}

function initialOf(attribute: Attribute): string | number | null {
  if (attribute.isNullable) return null
  if (attribute.kind === 'flag') return 0
  return attribute.kind === 'choice' ? (attribute.initial ?? null) : null
}

/** The columns of an attribute. */
export function columnsOf(name: string, attribute: Attribute): string[] {
  const { kind } = attribute
  if (kind === 'tags' || kind === 'ids') return []
  if (kind === 'amount') return [`${name}_minor`, `${name}_scaled`]
  return [columnOf(name, attribute)]
}

type ShownKind = PlainKind | 'amount' | 'currency'
type ShownNames<A extends Attributes> = Exclude<NamesWith<A, { readonly kind: ShownKind }>, NamesWith<A, { readonly isHidden: true }>>
type ShownValue<A> = A extends { readonly kind: 'amount' } ? (A extends { readonly isNullable: true } ? number | null : number) : never
type ShownOf<A extends Attributes, K extends keyof A & string> = A[K] extends { readonly kind: 'amount' } ? ShownValue<A[K]> : Shown<A, K>
type OfKind<A extends Attributes> = NamesWith<A, { readonly onlyOfKind: string }>

/** Attributes in representations; those of one kind of record only there. */
type ShownAttributes<A extends Attributes> = { [K in Exclude<ShownNames<A>, OfKind<A>>]: ShownOf<A, K> } & {
  [K in ShownNames<A> & OfKind<A>]?: ShownOf<A, K>
}

const apart = ['party', 'tags', 'ids', 'image'] as const

/** Reads an attribute's shown value from a row; `onlyOfKind`: only from rows of this kind. */
interface Reading {
  readonly name: string
  readonly onlyOfKind: string | undefined
  readonly read: (cells: Cells) => unknown
}

const readings = new WeakMap<Attributes, readonly Reading[]>()

function readingsOf(attributes: Attributes): readonly Reading[] {
  const known = readings.get(attributes)
  if (known) return known
  const made = Object.entries(attributes)
    .filter(([, { isHidden, kind }]) => !isHidden && !apart.some((other) => other === kind))
    .map(([name, attribute]) => ({
      name,
      onlyOfKind: attribute.onlyOfKind,
      read: attribute.kind === 'list' ? listReaderOf(name, attribute.of) : readerOf(name, attribute),
    }))
  readings.set(attributes, made)
  return made
}

/** A row's attributes in representations, without parties, tags, linked records, pictures and embedded records. */
export function toShown<A extends Attributes>(attributes: A, row: Readonly<ColumnsOf<A>>): ShownAttributes<A> {
  const cells: Readonly<Record<string, unknown>> = row
  const shown: Record<string, unknown> = {}
  for (const { name, onlyOfKind, read } of readingsOf(attributes))
    if (onlyOfKind === undefined || cells.kind === onlyOfKind) shown[name] = read(cells)
  return shown as ShownAttributes<A>
}

type PartyNames<A extends Attributes> = Exclude<NamesWith<A, { readonly kind: 'party' }>, NamesWith<A, { readonly isHidden: true }>>
/** The shown parties of a record, each as `P`. */
type ShownParties<A extends Attributes, P> = { [K in PartyNames<A>]: A[K] extends { readonly isNullable: true } ? P | null : P }

interface ShownParty {
  readonly name: string
  readonly column: string
  readonly of: 'Organization' | 'User'
}

const shownParties = new WeakMap<Attributes, readonly ShownParty[]>()

function partiesOf(attributes: Attributes): readonly ShownParty[] {
  const known = shownParties.get(attributes)
  if (known) return known
  const made = Object.entries(attributes).flatMap(([name, attribute]) =>
    attribute.kind === 'party' && !attribute.isHidden ? [{ name, column: columnOf(name, attribute), of: attribute.of }] : [],
  )
  shownParties.set(attributes, made)
  return made
}

/** Calls back for each party of a row: users and organizations by id. */
export function visitParties<A extends Attributes>(
  attributes: A,
  row: Readonly<ColumnsOf<A>>,
  visit: (of: ShownParty['of'], id: number) => void,
): void {
  const cells: Readonly<Record<string, unknown>> = row
  for (const { column, of } of partiesOf(attributes)) {
    const id = cells[column]
    if (typeof id === 'number') visit(of, id)
  }
}

type Counted = NonNullable<RecordDefinition['counts']>
/** The counts of a record, in columns and representations. */
type Counts<C extends Counted> = { readonly [N in C[number] as `${N}_count`]: number }

interface Identity {
  readonly id: number
  readonly uid: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}
/** The part of a definition that decides what is shown. */
export interface ShownDefinition<A extends Attributes, C extends Counted> {
  readonly attributes: A
  readonly counts?: C
}
type Cells = Readonly<Record<string, unknown>>
type ShowParty<P> = (of: ShownParty['of'], id: number) => P

/** What is shown of a definition's records of one kind. */
interface Shape {
  /** An object with every name and no values: copying and filling it is faster than adding names one by one. */
  readonly blank: Cells
  readonly fields: ReadonlyArray<{ readonly name: string; readonly read: (cells: Cells, show: ShowParty<unknown>) => unknown }>
}

const shapes = new WeakMap<Attributes, Map<unknown, Shape>>()

function shapeOf({ attributes, counts = [] }: ShownDefinition<Attributes, Counted>, kind: unknown): Shape {
  const known = shapes.get(attributes) ?? new Map<unknown, Shape>()
  shapes.set(attributes, known)
  const made = known.get(kind)
  if (made) return made
  const plain = (name: string) => ({ name, read: (cells: Cells) => cells[name] })
  const fields = [
    ...['id', 'uid', 'version'].map(plain),
    ...readingsOf(attributes).filter(({ onlyOfKind = kind }) => onlyOfKind === kind),
    ...partiesOf(attributes).map(({ name, column, of }) => ({
      name,
      read: ({ [column]: id }: Cells, show: ShowParty<unknown>) => (typeof id === 'number' ? show(of, id) : null),
    })),
    ...counts.map((name) => plain(`${name}_count`)),
    ...['created_at', 'updated_at'].map(plain),
  ]
  const blank: Cells = Object.fromEntries(fields.map(({ name }) => [name, null]))
  known.set(kind, { blank, fields })
  return { blank, fields }
}

/** A record in representations, without tags, embedded records and links. `show`: shows a party. */
export function toShownRecord<A extends Attributes, C extends Counted, P>(
  definition: ShownDefinition<A, C>,
  row: Identity & Readonly<ColumnsOf<A>> & Counts<C>,
  show: ShowParty<P>,
): Identity & ShownAttributes<A> & ShownParties<A, P> & Counts<C> {
  const cells: Cells = row
  const { blank, fields } = shapeOf(definition, cells.kind)
  const shown: Record<string, unknown> = { ...blank }
  for (const { name, read } of fields) shown[name] = read(cells, show)
  // The fields have these types.
  return shown as Identity & ShownAttributes<A> & ShownParties<A, P> & Counts<C>
}

/** The value of an attribute in representations and the audit trail: amounts in major units, flags as booleans. */
export function shownValue(name: string, attribute: Attribute, cells: Readonly<Record<string, unknown>>): string | number | boolean | null {
  return readerOf(name, attribute)(cells)
}

function listReaderOf(name: string, of: ListedKind): Reading['read'] {
  return ({ [name]: text }) => fromListColumn(of, typeof text === 'string' ? text : null)
}

function readerOf(name: string, attribute: Attribute): (cells: Cells) => string | number | boolean | null {
  const [column = name] = columnsOf(name, attribute)
  if (attribute.kind === 'amount') {
    const { currency } = attribute
    return (cells) => {
      const [minor, code] = [cells[column], cells[currency]]
      return typeof minor === 'number' && typeof code === 'string' ? fromMinor(minor, code) : null
    }
  }
  if (attribute.kind === 'flag') return ({ [column]: value }) => (typeof value === 'number' ? value === 1 : null)
  return ({ [column]: value }) => (typeof value === 'string' || typeof value === 'number' ? value : null)
}
