import { z } from 'zod'
import {
  type Attribute as RecordAttribute,
  type Attributes as RecordAttributes,
  type NamesWith,
  attributesWith,
} from '#shared/records/attributes'
import { type Listed, type PlainInput, plainAttributes } from '#shared/records/columns'
import type { RecordDefinition } from '#shared/records/definition'
import { type Attribute, extension, optional, required } from './attributes'
import * as fields from './fields'
import { identityShape, imageEntry, instantText, partyObject } from './representations'
import type { AttributeKind } from './route'

/** Schemas of requests, representations and lists, from a record's definition. */

const integer = (min: number, max: number) => z.int('invalid').min(min, 'invalid').max(max, 'invalid').nullable()

interface RequestSchemas {
  readonly text: ReturnType<typeof fields.optionalText>
  readonly number: ReturnType<typeof fields.number>
  readonly count: ReturnType<typeof integer>
  readonly flag: typeof fields.flag
  readonly instant: typeof fields.instant
  readonly amount: typeof fields.amount
  readonly currency: typeof fields.currency
  readonly party: ReturnType<typeof fields.party>
  readonly record: typeof fields.optionalId
  readonly tags: typeof fields.tags
  readonly ids: ReturnType<typeof fields.ids>
  readonly image: typeof fields.image
  readonly list: z.ZodArray<z.ZodType>
}

type OrNull<A, S extends z.ZodType> = A extends { readonly isNullable: true } ? z.ZodNullable<S> : S

type RequiredText = { readonly kind: 'text'; readonly writes: 'required' }

type RequestSchema<A extends RecordAttribute> = A extends RequiredText
  ? ReturnType<typeof fields.requiredText>
  : A extends { readonly kind: 'list' }
    ? z.ZodType<Listed<A>>
    : A extends { readonly kind: 'choice'; readonly values: infer V extends readonly string[] }
      ? OrNull<A, ReturnType<typeof fields.oneOf<V>>>
      : A extends { readonly kind: infer K extends keyof RequestSchemas }
        ? OrNull<A, RequestSchemas[K]>
        : never

/** The writable attributes of a record, with their schemas. */
export type WritableOf<A extends RecordAttributes> = {
  readonly [K in NamesWith<A, { readonly writes: string }>]: Attribute<
    RequestSchema<A[K]>,
    A[K] extends { readonly writes: 'required' } ? true : false
  >
}

const treatments = { required, optional, extension }

/** The writable attributes of a record. */
export function writableOf<const A extends RecordAttributes>(attributes: A): WritableOf<A> {
  const writable = attributesWith(attributes, 'writes').map(([name, attribute]) => [
    name,
    treatments[attribute.writes ?? 'extension'](nullableOf(attribute, requestSchema(attribute))),
  ])
  return Object.fromEntries(writable) as WritableOf<A>
}

function nullableOf({ isNullable }: RecordAttribute, schema: z.ZodType): z.ZodType {
  return isNullable ? schema.nullable() : schema
}

function requestSchema(attribute: RecordAttribute): z.ZodType {
  switch (attribute.kind) {
    case 'text':
      return textSchema(attribute)
    case 'number':
      return fields.number(attribute)
    case 'count':
      return integer(attribute.min, attribute.max)
    case 'choice':
      return fields.oneOf(attribute.values)
    case 'party':
      return fields.party(attribute.of)
    case 'record':
      return fields.optionalId
    case 'ids':
      return fields.ids(attribute.most)
    case 'list':
      return fields.list(attribute)
    case 'flag':
    case 'instant':
    case 'amount':
    case 'currency':
    case 'tags':
    case 'image':
      return fields[attribute.kind]
  }
}

function textSchema({ longest, matches, writes }: RecordAttribute & { readonly kind: 'text' }): z.ZodType {
  if (writes !== 'required') return fields.optionalText(longest)
  const text = fields.requiredText(longest)
  return matches ? text.pipe(z.string().regex(matches, 'invalid')) : text
}

interface ShownSchemas {
  readonly text: z.ZodNullable<z.ZodString>
  readonly number: z.ZodNullable<z.ZodNumber>
  readonly count: z.ZodNullable<z.ZodInt>
  readonly flag: z.ZodBoolean
  readonly instant: typeof instantText
  readonly amount: z.ZodNumber
  readonly currency: z.ZodString
  readonly party: typeof partyObject
  readonly record: z.ZodNullable<z.ZodInt>
  readonly tags: z.ZodString
  readonly ids: z.ZodArray<z.ZodInt>
  readonly image: z.ZodArray<typeof imageEntry>
}

type ShownList<A> = A extends { readonly of: 'tags' | 'users' } ? z.ZodArray<z.ZodInt> : z.ZodArray<z.ZodString>

type ShownSchema<A extends RecordAttribute> = A extends RequiredText
  ? z.ZodString
  : A extends { readonly kind: 'tags'; readonly isList: true }
    ? z.ZodArray<z.ZodString>
    : A extends { readonly kind: 'list' }
      ? ShownList<A>
      : ChoiceOrOther<A>
type ChoiceOrOther<A extends RecordAttribute> = A extends { readonly kind: 'choice'; readonly values: infer V extends readonly string[] }
  ? OrNull<A, z.ZodEnum<{ [K in V[number]]: K }>>
  : A extends { readonly kind: infer K extends keyof ShownSchemas }
    ? OrNull<A, ShownSchemas[K]>
    : never

type OfKind<A, S extends z.ZodType> = A extends { readonly onlyOfKind: string } ? z.ZodOptional<S> : S

/** The shown attributes of a record, with their schemas. */
export type ShownShape<A extends RecordAttributes> = {
  readonly [K in Exclude<keyof A & string, NamesWith<A, { readonly isHidden: true }>>]: OfKind<A[K], ShownSchema<A[K]>>
}

/** The shown attributes of a record, without embedded records and counts. */
export function shownShape<const A extends RecordAttributes>(attributes: A): ShownShape<A> {
  const shown = Object.entries(attributes).flatMap(([name, attribute]) => {
    const schema = nullableOf(attribute, shownSchema(attribute))
    return attribute.isHidden ? [] : [[name, attribute.onlyOfKind === undefined ? schema : schema.optional()]]
  })
  return Object.fromEntries(shown) as ShownShape<A>
}

function shownSchema(attribute: RecordAttribute): z.ZodType {
  switch (attribute.kind) {
    case 'text':
      return attribute.writes === 'required' ? z.string() : z.string().nullable()
    case 'number':
      return z.number().nullable()
    case 'count':
    case 'record':
      return z.int().nullable()
    case 'choice':
      return z.enum(attribute.values)
    case 'flag':
      return z.boolean()
    case 'instant':
      return instantText
    case 'amount':
      return z.number()
    case 'party':
      return partyObject
    case 'ids':
      return z.array(z.int())
    case 'list':
      return z.array(attribute.of === 'tags' || attribute.of === 'users' ? z.int() : z.string())
    case 'image':
      return z.array(imageEntry)
    case 'tags':
      return attribute.isList ? z.array(z.string()) : z.string()
    case 'currency':
      return z.string()
  }
}

type Counted = NonNullable<RecordDefinition['counts']>
type CountsShape<C extends Counted> = { readonly [N in C[number] as `${N}_count`]: z.ZodInt }

/** The representation of a record: identity, attributes and counts, without embedded records. */
export function recordShape<const A extends RecordAttributes, const C extends Counted = readonly []>({
  attributes,
  counts,
}: {
  readonly attributes: A
  readonly counts?: C
}): typeof identityShape & ShownShape<A> & CountsShape<C> {
  const shown = (counts ?? []).map((name) => [`${name}_count`, z.int()])
  return { ...identityShape, ...shownShape(attributes), ...(Object.fromEntries(shown) as CountsShape<C>) }
}

const comparedAs = {
  text: 'text',
  choice: 'text',
  currency: 'text',
  flag: 'flag',
  instant: 'instant',
  amount: 'amount',
  count: 'integer',
  record: 'integer',
  party: 'integer',
} as const satisfies Readonly<Record<Exclude<RecordAttribute['kind'], 'number' | 'tags' | 'ids' | 'image' | 'list'>, AttributeKind>>
type Compared = keyof typeof comparedAs

type FilterName<K extends string, A> = A extends { readonly kind: 'party' } ? `${K}_id` : K
/** The attributes by which a record's lists are filtered and sorted, with their kinds. */
type FilteredOf<A extends RecordAttributes> = {
  readonly [K in NamesWith<A, { readonly isFiltered: true }> as FilterName<K, A[K]>]: A[K] extends {
    readonly kind: infer C extends Compared
  }
    ? (typeof comparedAs)[C]
    : never
}

const isCompared = (kind: string): kind is Compared => Object.hasOwn(comparedAs, kind)

/** Throws if the definition names an attribute that cannot be compared. */
function filteredOf<const A extends RecordAttributes>(attributes: A): FilteredOf<A> {
  const filtered = attributesWith(attributes, 'isFiltered').map(([name, { kind }]) => {
    if (!isCompared(kind)) throw new Error(`Lists cannot be filtered by ${name}.`)
    return [kind === 'party' ? `${name}_id` : name, comparedAs[kind]]
  })
  return Object.fromEntries(filtered) as FilteredOf<A>
}

/** How a list of records is filtered and sorted: by identity, dates and the definition's attributes. */
export function listedBy<const A extends RecordAttributes>(attributes: A) {
  return { id: 'integer', ...filteredOf(attributes), created_at: 'instant', updated_at: 'instant' } as const
}

/** A record's plain attributes in another server's representation; missing ones have the values of a new record. `instant` parses instants. */
export function plainShape<const A extends RecordAttributes>(attributes: A, instant: z.ZodType<string>) {
  const shape = plainAttributes(attributes).map(([name, attribute]) => [name, plainSchema(attribute, instant)])
  return Object.fromEntries(shape) as { readonly [K in keyof PlainInput<A>]-?: z.ZodType<Exclude<PlainInput<A>[K], undefined>> }
}

function plainSchema(attribute: RecordAttribute, instant: z.ZodType<string>): z.ZodType {
  const shown = attribute.kind === 'instant' ? instant : shownSchema(attribute)
  if (attribute.kind === 'choice' && attribute.initial !== undefined) return shown.default(attribute.initial)
  const isDemanded = attribute.writes === 'required' || attribute.kind === 'instant' || attribute.kind === 'choice'
  if (isDemanded && !attribute.isNullable) return shown
  if (attribute.kind !== 'flag' || attribute.isNullable) return shown.nullable().default(null)
  return shown.nullish().transform((value) => value ?? false)
}
