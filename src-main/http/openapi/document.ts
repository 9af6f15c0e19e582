import type { Route } from '#shared/contract/route'
import { isOpen } from '#shared/domain/permissions'
import { errorsSchema, headersOf, refusals, refusalsOf } from './answers'
import { type Json, hoist, isEmpty, requiredOf, toJson, toSchema } from './json-schema'
import { parametersOf } from './parameters'

/** A route's body with the attributes that its schema requires, plus those that PUT requires. */
function bodyOf(route: Route): Json {
  if (isEmpty(route.body)) return {}
  const schema = toSchema(route.body, 'input')
  const demanded = typeof route.demanded === 'object' ? route.demanded : []
  const required = [...new Set([...requiredOf(schema), ...demanded])]
  const described = withPartyIds(required.length > 0 ? { ...schema, required } : schema)
  return {
    requestBody: { required: required.length > 0, content: { [route.media?.request ?? 'application/json']: { schema: described } } },
  }
}

const partyIds: Readonly<Record<string, Json>> = {
  payer: { payer_id: { type: 'integer', description: 'The organization, in place of `payer`.' } },
  receiver: { receiver_id: { type: 'integer', description: 'The user, in place of `receiver`.' } },
}

/** Allows plain ids in place of party references (supplement, "Party reference"). */
function withPartyIds(schema: Json): Json {
  const properties = toJson(schema.properties ?? {})
  const named = Object.entries(partyIds).filter(([name]) => name in properties)
  if (named.length === 0) return schema
  const required = requiredOf(schema)
  const either = named.filter(([name]) => required.includes(name))
  return {
    ...schema,
    properties: Object.assign({}, properties, ...named.map(([, id]) => id)),
    ...(required.length > 0 && { required: required.filter((name) => !(name in partyIds)) }),
    ...(either.length > 0 && { allOf: either.map(([name]) => ({ anyOf: [{ required: [name] }, { required: [`${name}_id`] }] })) }),
  }
}

function operationOf(route: Route, operationId: string): Json {
  const media = route.media?.response ?? 'application/json'
  const body = route.status === 204 ? {} : { content: { [media]: { schema: toSchema(route.response, 'output') } } }
  const success = { description: 'Success', headers: headersOf(route), ...body }
  return {
    operationId,
    summary: route.summary,
    tags: [route.name.split('.')[0]],
    parameters: parametersOf(route),
    ...bodyOf(route),
    responses: {
      [route.status]: success,
      ...(route.other_status === undefined
        ? {}
        : { [route.other_status]: { ...success, description: 'A repeat: what was made before, unchanged.' } }),
      ...refusalsOf(route),
    },
    ...(isOpen(route.action) ? { security: [] } : {}),
  }
}

const introduction = `Every request carries a \`User-Agent\`. Dates and datetimes are ISO 8601 in UTC; amounts are plain numbers in major
units of their ISO 4217 currency, never rounded. Files are sent by a form to the \`host\` of \`GET /uploads/new\`.`

/** An OpenAPI 3.1 document of all routes, from the schemas that validate requests (supplement 4). */
export function describeApi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes)
    for (const [index, path] of [route.path, ...(route.aliases ?? [])].entries()) {
      const item = (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {})
      item[route.method.toLowerCase()] = operationOf(route, index === 0 ? route.name : `${route.name}.alias${index}`)
    }
  const schemas: Json = { Errors: errorsSchema }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Outlay API', version, description: introduction, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    paths,
    components: {
      responses: refusals,
      securitySchemes: { token: { type: 'http', scheme: 'basic', description: 'The API token as the username, any password.' } },
    },
  }
  const described = hoist(document, schemas)
  return { ...described, components: { ...toJson(described.components), schemas } }
}
