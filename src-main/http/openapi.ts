import { z } from 'zod'
import type { Route } from '#shared/contract/route'

const jsonObject = z.record(z.string(), z.unknown())
type Json = z.infer<typeof jsonObject>

const objectSchema = z.object({ properties: jsonObject.default({}), required: z.array(z.string()).default([]) })

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
  })
  return json
}

function isEmpty(schema: z.ZodType): boolean {
  return schema instanceof z.ZodUnknown || schema instanceof z.ZodNull
}

function parametersOf(route: Route): Json[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'integer' },
  }))
  if (isEmpty(route.query)) return inPath
  const { properties, required } = objectSchema.parse(toSchema(route.query, 'input'))
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(name === 'q' ? { style: 'deepObject', explode: true } : {}),
  }))
  return [...inPath, ...inQuery]
}

const error = { description: 'Refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } } }

function operationOf(route: Route, operationId: string): Json {
  const success = {
    description: 'Success',
    ...(route.status === 204 ? {} : { content: { 'application/json': { schema: toSchema(route.response, 'output') } } }),
  }
  return {
    operationId,
    summary: route.summary,
    tags: [route.name.split('.')[0]],
    parameters: parametersOf(route),
    ...(isEmpty(route.body)
      ? {}
      : { requestBody: { content: { 'application/json': { schema: toSchema(route.body, 'input') } } } }),
    responses: { [route.status]: success, '4XX': error, 500: error },
    ...(route.open ? { security: [] } : {}),
  }
}

/** Moves the named schemas that JSON Schema puts beside each use into the document's components. */
function hoist(document: Json, schemas: Json): Json {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const { $defs = {}, ...rest } = jsonObject.parse(value)
    for (const [name, schema] of Object.entries(jsonObject.parse($defs))) schemas[name] ??= walk(schema)
    const entries = Object.entries(rest).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, walk(inner)],
    )
    return jsonObject.parse(Object.fromEntries(entries))
  }
  return jsonObject.parse(walk(document))
}

/** OpenAPI 3.1 of everything served, from the same schemas that validate (supplement 4). */
export function describeApi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes)
    for (const [index, path] of [route.path, ...(route.aliases ?? [])].entries()) {
      const item = (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {})
      item[route.method.toLowerCase()] = operationOf(route, index === 0 ? route.name : `${route.name}.alias${index}`)
    }
  const schemas: Json = {
    Errors: { type: 'object', properties: { errors: { type: 'object', additionalProperties: true }, error: { type: 'string' } } },
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Outlay API', version },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'basic', description: 'The API token as the username, any password.' } },
    },
  }
  const described = hoist(document, schemas)
  return { ...described, components: { ...jsonObject.parse(described.components), schemas } }
}
