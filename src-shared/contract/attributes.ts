import { z } from 'zod'

/** How a writable attribute of a resource is treated by create and PUT (contract section 1, "Update semantics"). */
export interface Attribute<S extends z.ZodType = z.ZodType, C extends boolean = boolean> {
  readonly schema: S
  /** Create refuses to do without it. */
  readonly create_demands: C
  /** PUT refuses to do without it; extensions of the contract are never demanded. */
  readonly put_demands: boolean
}

/** An attribute that create and PUT both demand. */
export const required = <S extends z.ZodType>(schema: S): Attribute<S, true> => ({ schema, create_demands: true, put_demands: true })
/** An attribute that create can do without and PUT demands. */
export const optional = <S extends z.ZodType>(schema: S): Attribute<S, false> => ({ schema, create_demands: false, put_demands: true })
/** An attribute that nothing demands: an extension of the contract, or one of a resource that has no PATCH. */
export const extension = <S extends z.ZodType>(schema: S): Attribute<S, false> => ({ schema, create_demands: false, put_demands: false })

/** The writable attributes of a resource by name. */
export type Attributes = Readonly<Record<string, Attribute>>

type CreateShape<A extends Attributes> = {
  [K in keyof A]: A[K]['create_demands'] extends true ? A[K]['schema'] : z.ZodOptional<A[K]['schema']>
}
type ChangeShape<A extends Attributes> = { [K in keyof A]: z.ZodOptional<A[K]['schema']> }

/** What a create takes. Attributes that it does not know are ignored. */
export function createBody<const A extends Attributes>(attributes: A): z.ZodObject<CreateShape<A>> {
  const entries = Object.entries(attributes).map(([name, { schema, create_demands }]) => [
    name,
    create_demands ? schema : schema.optional(),
  ])
  return z.object(Object.fromEntries(entries) as CreateShape<A>)
}

/** What PUT and PATCH take: any of them; what PUT demands beyond that is {@link demandedByPut}. */
export function changeBody<const A extends Attributes>(attributes: A): z.ZodObject<ChangeShape<A>> {
  const entries = Object.entries(attributes).map(([name, { schema }]) => [name, schema.optional()])
  return z.object(Object.fromEntries(entries) as ChangeShape<A>)
}

/** The attributes that a PUT may not leave out; null is a value where the attribute is nullable. */
export function demandedByPut(attributes: Attributes): readonly string[] {
  return Object.entries(attributes)
    .filter(([, { put_demands }]) => put_demands)
    .map(([name]) => name)
}

/** Something for each of these names. */
export function perName<const N extends string, T>(names: readonly N[], make: (name: N) => T): { [name in N]: T } {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as { [name in N]: T }
}
