import { fromMinor } from '#shared/domain/money'
import {
  type Attribute,
  type Attributes,
  type ColumnName,
  type ColumnsOf,
  type ColumnValue,
  type ListedKind,
  type NamesWith,
  columnOf,
} from '#shared/records/attributes'
import type { RecordDefinition } from '#shared/records/definition'
import { fromListColumn, toListColumn } from '#shared/records/lists'

/** Between the values of attributes and the columns of rows: what is the same for every record. */

const plainKinds = ['text', 'number', 'count', 'flag', 'instant', 'choice', 'record', 'list'] as const
type PlainKind = (typeof plainKinds)[number]

/** Attributes that requests carry as they are stored, truth values aside. */
type PlainNames<A extends Attributes> = NamesWith<A, { readonly kind: PlainKind }>

const isPlain = ({ kind }: Attribute) => plainKinds.some((plain) => plain === kind)

/** What a list holds, as requests and representations carry it. */
export type Listed<A> = A extends { readonly kind: 'list'; readonly of: 'tags' | 'users' } ? readonly number[] : readonly string[]
type Flagged<A, V> = A extends { readonly kind: 'flag' }
  ? Exclude<V, number> | boolean
  : A extends { readonly kind: 'list' }
    ? Listed<A>
    : V
type Shown<A extends Attributes, K extends keyof A & string> = Flagged<A[K], ColumnValue<A[K]>>

/** Values of plain attributes, as requests give them once they are parsed. */
export type PlainInput<A extends Attributes> = { readonly [K in PlainNames<A>]?: Shown<A, K> | undefined }
type PlainColumns<A extends Attributes> = { [K in PlainNames<A> as ColumnName<K, A[K]>]: ColumnValue<A[K]> }

type Initial =
  | { readonly kind: 'text'; readonly writes?: 'optional' | 'extension' }
  | { readonly kind: 'number' | 'count' | 'record' | 'flag' | 'list' }
  | { readonly isNullable: true }
  | { readonly initial: string }
/** The plain attributes without which there is no new record. */
type Needed<A extends Attributes> = Exclude<PlainNames<A>, NamesWith<A, Initial>>

/** Columns that are empty in a new record until an act of their own writes them. */
type LaterColumns<A extends Attributes> = {
  [K in keyof ColumnsOf<A> as K extends keyof PlainColumns<A> ? never : null extends ColumnsOf<A>[K] ? K : never]: null
}

/** The plain attributes of a record that representations show. */
export function plainAttributes<A extends Attributes>(attributes: A): Array<readonly [name: PlainNames<A>, attribute: Attribute]> {
  const plain = Object.entries(attributes).filter(([, attribute]) => isPlain(attribute) && !attribute.isHidden)
  return plain as Array<[PlainNames<A>, Attribute]>
}

function toColumn({ kind }: Attribute, value: unknown): unknown {
  if (kind === 'flag' && typeof value === 'boolean') return Number(value)
  return kind === 'list' && Array.isArray(value) ? toListColumn(value) : value
}

/** The columns of the plain attributes that are given. */
export function toColumns<A extends Attributes>(attributes: A, input: PlainInput<A>): Partial<PlainColumns<A>> {
  const given: Readonly<Record<string, unknown>> = input
  const columns = Object.entries(attributes)
    .filter(([name, attribute]) => isPlain(attribute) && given[name] !== undefined)
    .map(([name, attribute]) => [columnOf(name, attribute), toColumn(attribute, given[name])])
  return Object.fromEntries(columns) as Partial<PlainColumns<A>>
}

/** The columns of a new record: the plain attributes as given, else as they begin, and those that are written later, empty. */
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

/** The columns that an attribute is stored in. */
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

/** Attributes as representations show them; those of one kind of record only there. */
export type ShownAttributes<A extends Attributes> = { [K in Exclude<ShownNames<A>, OfKind<A>>]: ShownOf<A, K> } & {
  [K in ShownNames<A> & OfKind<A>]?: ShownOf<A, K>
}

const apart = ['party', 'tags', 'ids', 'image'] as const

/** Reads what representations show of an attribute out of a row; `onlyOfKind`: of rows of this kind alone. */
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

/** The attributes of a row as representations show them: all but parties, tags, linked records, pictures and what is embedded. */
export function toShown<A extends Attributes>(attributes: A, row: Readonly<ColumnsOf<A>>): ShownAttributes<A> {
  const cells: Readonly<Record<string, unknown>> = row
  const shown: Record<string, unknown> = {}
  for (const { name, onlyOfKind, read } of readingsOf(attributes))
    if (onlyOfKind === undefined || cells.kind === onlyOfKind) shown[name] = read(cells)
  return shown as ShownAttributes<A>
}

type PartyNames<A extends Attributes> = Exclude<NamesWith<A, { readonly kind: 'party' }>, NamesWith<A, { readonly isHidden: true }>>
/** The parties of a record that representations show, each as `P`. */
export type ShownParties<A extends Attributes, P> = { [K in PartyNames<A>]: A[K] extends { readonly isNullable: true } ? P | null : P }

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

/** Visits the parties of a row: users and organizations by id. */
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
/** The counts of a record, as its columns and its representations have them. */
export type Counts<C extends Counted> = { readonly [N in C[number] as `${N}_count`]: number }

interface Identity {
  readonly id: number
  readonly uid: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}
/** The part of a definition that decides what of a record is shown. */
export interface ShownDefinition<A extends Attributes, C extends Counted> {
  readonly attributes: A
  readonly counts?: C
}
type Cells = Readonly<Record<string, unknown>>
type ShowParty<P> = (of: ShownParty['of'], id: number) => P

/** What is shown of the records of a definition that are of one kind. */
interface Shape {
  /** Every name, with nothing under it: to copy and fill it costs less than to give an object its names one by one, part by part. */
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

/** A record as representations show it; its tags, what it embeds and its links aside. `show`: a party as representations show it. */
export function toShownRecord<A extends Attributes, C extends Counted, P>(
  definition: ShownDefinition<A, C>,
  row: Identity & Readonly<ColumnsOf<A>> & Counts<C>,
  show: ShowParty<P>,
): Identity & ShownAttributes<A> & ShownParties<A, P> & Counts<C> {
  const cells: Cells = row
  const { blank, fields } = shapeOf(definition, cells.kind)
  const shown: Record<string, unknown> = { ...blank }
  for (const { name, read } of fields) shown[name] = read(cells, show)
  // The fields are those of these types.
  return shown as Identity & ShownAttributes<A> & ShownParties<A, P> & Counts<C>
}

/** The value of an attribute as representations and the audit trail show it: amounts in major units, flags as truth values. */
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
