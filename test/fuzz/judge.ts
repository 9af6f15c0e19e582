import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Json } from '#test/support/instance'
import type { Operation } from './operations'

/** Says what is wrong with an answer: a failure of the server, a status or a body that the document does not know. */
export type Judge = (operation: Operation, answer: { status: number; body: unknown }) => string | undefined

/** Holds answers against an OpenAPI document. */
export function createJudge(document: Json): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', ...document })
  const known = new Map<string, ValidateFunction | 'empty'>()
  const validatorOf = ({ path, method, operation }: Operation, status: number): ValidateFunction | 'empty' | undefined => {
    const declared = operation.responses[status]
    if (declared === undefined) return undefined
    // Most operations share the answers that refuse: each is compiled once.
    const slot: string = declared.$ref ?? `${method} ${path} ${status}`
    const response = declared.$ref ? document.components.responses[declared.$ref.split('/').at(-1)] : declared
    const schema = response.content?.['application/json']?.schema
    const made = known.get(slot) ?? (schema === undefined ? 'empty' : ajv.compile(withAbsoluteReferences(schema)))
    known.set(slot, made)
    return made
  }
  return (operation, { status, body }) => {
    if (status >= 500) return `answered ${status}`
    const validate = validatorOf(operation, status)
    if (validate === undefined) return `answered ${status}, which it does not declare`
    if (validate === 'empty') return body === null ? undefined : `answered ${status} with a body`
    return validate(body) ? undefined : `answered ${status} outside its schema: ${ajv.errorsText(validate.errors)}`
  }
}

function withAbsoluteReferences(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'))
}
