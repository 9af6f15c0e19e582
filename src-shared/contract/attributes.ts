import { z } from 'zod'

/** How create and PUT treat a writable attribute (contract section 1, "Update semantics"). */
export interface Attribute<S extends z.ZodType = z.ZodType, C extends boolean = boolean> {
  readonly schema: S
  /** Whether create requires it. */
  readonly create_demands: C
  /** Whether PUT requires it; extensions of the contract are never required. */
  readonly put_demands: boolean
}

/** An attribute that create and PUT both require. */
export const required = <S extends z.ZodType>(schema: S): Attribute<S, true> => ({ schema, create_demands: true, put_demands: true })
/** An attribute that PUT requires and create does not. */
export const optional = <S extends z.ZodType>(schema: S): Attribute<S, false> => ({ schema, create_demands: false, put_demands: true })
/** An attribute that is never required: an extension of the contract, or of a resource without PATCH. */
export const extension = <S extends z.ZodType>(schema: S): Attribute<S, false> => ({ schema, create_demands: false, put_demands: false })

/** The writable attributes of a resource by name. */
export type Attributes = Readonly<Record<string, Attribute>>

type CreateShape<A extends Attributes> = {
  [K in keyof A]: A[K]['create_demands'] extends true ? A[K]['schema'] : z.ZodOptional<A[K]['schema']>
}
type ChangeShape<A extends Attributes> = { [K in keyof A]: z.ZodOptional<A[K]['schema']> }

/** The body of create. Unknown attributes are ignored. */
export function createBody<const A extends Attributes>(attributes: A): z.ZodObject<CreateShape<A>> {
  const entries = Object.entries(attributes).map(([name, { schema, create_demands }]) => [
    name,
    create_demands ? schema : schema.optional(),
  ])
  return z.object(Object.fromEntries(entries) as CreateShape<A>)
}

/** The body of PUT and PATCH: any attributes; PUT also requires {@link demandedByPut}. */
export function changeBody<const A extends Attributes>(attributes: A): z.ZodObject<ChangeShape<A>> {
  const entries = Object.entries(attributes).map(([name, { schema }]) => [name, schema.optional()])
  return z.object(Object.fromEntries(entries) as ChangeShape<A>)
}

/** The attributes that PUT requires; null counts as a value if the attribute is nullable. */
export function demandedByPut(attributes: Attributes): readonly string[] {
  return Object.entries(attributes)
    .filter(([, { put_demands }]) => put_demands)
    .map(([name]) => name)
}

/** Makes something for each name. */
export function perName<const N extends string, T>(names: readonly N[], make: (name: N) => T): { [name in N]: T } {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as { [name in N]: T }
}
