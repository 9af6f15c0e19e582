import { z } from 'zod'

const jsonObject = z.record(z.string(), z.unknown())
/** A JSON object in the document. */
export type Json = z.infer<typeof jsonObject>

/** Parses a value that must be a JSON object. */
export function toJson(value: unknown): Json {
  return jsonObject.parse(value)
}

/** A schema as JSON Schema: what requests may send (`input`), or what responses contain (`output`). */
export function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      // A field's `type` says what clients send, unless the field describes itself.
      if (jsonSchema.type !== undefined) delete jsonSchema.anyOf
      // Responses may get more attributes (supplement, "Versioning").
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return json
}

/** The required attributes of an object schema. */
export function requiredOf({ required }: Json): string[] {
  return z.array(z.string()).default([]).parse(required)
}

/** Whether a route takes or returns nothing there. */
export function isEmpty(schema: z.ZodType): boolean {
  return schema instanceof z.ZodUnknown || schema instanceof z.ZodNull
}

/** Moves named schemas from each use into `schemas`, the document's components. */
export function hoist(document: Json, schemas: Json): Json {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const { $defs = {}, ...rest } = toJson(value)
    for (const [name, schema] of Object.entries(toJson($defs))) schemas[name] ??= walk(schema)
    const entries = Object.entries(rest).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string' ? [key, inner.replace('#/$defs/', '#/components/schemas/')] : [key, walk(inner)],
    )
    return toJson(Object.fromEntries(entries))
  }
  return toJson(walk(document))
}
