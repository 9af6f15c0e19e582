import { z } from 'zod'
import { type Predicate, allowedPredicates, handedOverChoices } from '#shared/contract/filters'
import { flagConditions } from '#shared/domain/policies/terms'
import { noFinding, reviewQueues } from '#shared/domain/review-queues'
import type { AttributeKind, ListOptions, Route } from '#shared/contract/route'
import { type Json, isEmpty, toSchema } from './json-schema'

const objectSchema = z.object({ properties: z.record(z.string(), z.unknown()).default({}), required: z.array(z.string()).default([]) })

const comparands: Readonly<Record<AttributeKind, Json>> = {
  integer: { type: 'integer' },
  amount: { type: 'number' },
  instant: { type: 'string' },
  text: { type: 'string' },
  flag: { type: 'boolean' },
}

const flagFilters: Json = {
  queue: { type: 'string', enum: reviewQueues },
  flag_conditions: { type: 'string', enum: [...flagConditions, noFinding] },
  flag_policy_ids: { type: 'integer' },
  booked_month_eq: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
  counted_currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  supplier: { type: 'string' },
  handed_over: { type: 'string', enum: handedOverChoices },
  responsible_is_me: { type: 'boolean', enum: [true] },
}

/** The `q` of a list, filter by filter (supplement, "Filters"), without filters with several values; see {@link listFiltersOf}. */
function filtersOf({ attributes, tagged, searchable, flagged }: ListOptions): Json {
  const properties = Object.entries(attributes).flatMap(([attribute, kind]) =>
    allowedPredicates[kind]
      .filter((predicate) => !isList(predicate))
      .map((predicate) => [`${attribute}_${predicate}`, predicate === 'null' ? { type: 'boolean' } : comparands[kind]]),
  )
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(properties),
      ...(tagged ? { search_tags: { type: 'string' }, has_tag: { type: 'string', enum: ['1', '0', ''] } } : {}),
      ...(searchable ? { search: { type: 'string' } } : {}),
      ...(flagged ? flagFilters : {}),
    },
  }
}

const isList = (predicate: Predicate) => predicate === 'in' || predicate === 'not_in'

/** Filters with several values as separate parameters: OpenAPI cannot describe an array inside an object. */
function listFiltersOf({ attributes }: ListOptions): Json[] {
  return Object.entries(attributes).flatMap(([attribute, kind]) =>
    allowedPredicates[kind]
      .filter(isList)
      .map((predicate) => ({
        name: `q[${attribute}_${predicate}][]`,
        in: 'query',
        required: false,
        schema: { type: 'array', items: comparands[kind] },
        style: 'form',
        explode: true,
      })),
  )
}

const described: Readonly<Record<string, Json>> = {
  page: { schema: { type: 'integer', minimum: 1 }, description: 'The page, from 1.' },
  per_page: { schema: { type: 'integer', minimum: 1 }, description: 'How many on a page: 30 unless told; above 100 means 100.' },
}

function sortOf({ attributes, sortable, order = '-created_at' }: ListOptions): Json {
  const names = Object.keys({ ...attributes, ...sortable })
  return {
    schema: { type: 'string' },
    description: `The order: names separated by commas, \`-\` before one for descending. Of: ${names.join(', ')}. Unless told: \`${order}\`, then the id.`,
  }
}

function describeQuery(route: Route, name: string, schema: unknown): Json {
  if (name === 'q' && route.list) return { schema: filtersOf(route.list), style: 'deepObject', explode: true }
  if (name === 'q') return { schema, style: 'deepObject', explode: true }
  if (name === 'sort' && route.list) return sortOf(route.list)
  return described[name] ?? { schema }
}

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

function headersOf(route: Route): Json[] {
  const language = header('Accept-Language', "The language of texts: `en`, `pt` or `es`; else the user's own.")
  if (route.method === 'GET') return [language, header('If-None-Match', 'The `ETag` of an answer that the caller has.')]
  return [
    language,
    header('If-Match', 'The `ETag` that the caller saw: the write is refused (412) when the record has changed since.'),
    header('Idempotency-Key', 'At most 255 characters: a repeat of the request gets the first answer and changes nothing.'),
  ]
}

/** Path parameters that are not integer ids. */
const named: Readonly<Record<string, Json>> = {
  op_id: { type: 'string', format: 'uuid' },
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
}

/** A route's parameters, without its body. */
export function parametersOf(route: Route): Json[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: named[name] ?? { type: 'integer' },
  }))
  if (isEmpty(route.query)) return [...inPath, ...headersOf(route)]
  const { properties, required } = objectSchema.parse(toSchema(route.query, 'input'))
  const { list } = route
  const isFiltered = list === undefined || Object.keys(list.attributes).length > 0
  const isSorted = isFiltered || list.sortable !== undefined
  const taken = Object.entries(properties).filter(([name]) => (name !== 'q' || isFiltered) && (name !== 'sort' || isSorted))
  const inQuery = taken.map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...describeQuery(route, name, schema),
  }))
  return [...inPath, ...inQuery, ...(route.list ? listFiltersOf(route.list) : []), ...headersOf(route)]
}
