import { z } from 'zod'

const jsonObject = z.record(z.string(), z.unknown())
/** A JSON object of the document. */
export type Json = z.infer<typeof jsonObject>

/** Reads a value of which only this is known: it is a JSON object. */
export function toJson(value: unknown): Json {
  return jsonObject.parse(value)
}

/** A schema as JSON Schema: of requests what may be sent (`input`), of responses what comes (`output`). */
export function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      // A field says by its `type` what a client is to send, unless it is described by what it says itself.
      if (jsonSchema.type !== undefined) delete jsonSchema.anyOf
      // Answers may get further attributes (supplement, "Versioning").
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return json
}

/** The attributes that a schema of an object demands. */
export function requiredOf({ required }: Json): string[] {
  return z.array(z.string()).default([]).parse(required)
}

/** Whether a route takes or returns nothing there. */
export function isEmpty(schema: z.ZodType): boolean {
  return schema instanceof z.ZodUnknown || schema instanceof z.ZodNull
}

/** Moves the named schemas that JSON Schema puts with each use into `schemas`, the document's components. */
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
