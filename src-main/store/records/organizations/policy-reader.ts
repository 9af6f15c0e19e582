import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Row } from '#db/schema'
import { type Policy, type PolicyVersion, withoutDeletedTags } from '#shared/domain/policies'
import { policyConditions, policyPeriods, policyWeights } from '#shared/domain/policies/terms'
import { type Statement, listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { listTagsByIds } from './tag-reader'

/** Reads few columns, as every write of an expense runs it. */
const listRows = statement<{ organization_id: number }, Pick<Row<'policies'>, 'id' | 'versions'>>(
  (db, p) =>
    db
      .selectFrom('policies')
      .select(['id', 'versions'])
      .where('organization_id', '=', p('organization_id'))
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id'),
  { isKept: true },
)
const listAny = listStatement<number, Pick<Row<'policies'>, 'id' | 'name'>>(
  (db, ids) => db.selectFrom('policies').select(['id', 'name']).where('id', 'in', ids),
  { keptBy: 'id' },
)

const nullableInt = z.int().nullable()
const ids = z.array(z.int())
const words = z.array(z.string())
const versions: z.ZodType<PolicyVersion[]> = z.array(
  z.object({
    number: z.int(),
    holds_from: z.string().nullable(),
    weight: z.enum(policyWeights),
    condition: z.enum(policyConditions),
    amount_minor: nullableInt,
    currency: z.string().nullable(),
    days: nullableInt,
    period: z.enum(policyPeriods).nullable(),
    distance: z.number().nullable(),
    distance_kind: z.enum(['km', 'mi']).nullable(),
    dates: words,
    // For versions stored before these fields existed.
    tax_ids: words.default([]),
    tag_ids: ids,
    claimant_ids: ids,
    currencies: words,
    kinds: words,
  }),
)
/** Every write of an expense reads policies, and they rarely change. */
const parsed = new LRUCache<string, PolicyVersion[]>({ max: 2000 })

/** All versions of a policy, oldest first. */
export function versionsOf({ versions: text }: Pick<Row<'policies'>, 'versions'>): readonly PolicyVersion[] {
  const known = parsed.get(text)
  if (known) return known
  const read = versions.parse(JSON.parse(text))
  parsed.set(text, read)
  return read
}

/** An organization's policies as they judge now, without deleted tags. */
export async function listPolicies(reader: Reader, organization_id: number): Promise<Policy[]> {
  const rows = await reader.all(listRows, { organization_id })
  const policies = rows.map((row) => ({ id: row.id, versions: versionsOf(row) }))
  const asked = new Set(
    policies.flatMap(({ versions: said }) => said.flatMap(({ condition, tag_ids }) => (condition === 'tag_other' ? tag_ids : []))),
  )
  if (asked.size === 0) return policies
  const tags = await listTagsByIds(reader, [...asked])
  const known = new Set(tags.flatMap((tag) => (tag.deleted_at === null ? [tag.id] : [])))
  return policies.map((policy) => withoutDeletedTags(policy, (id) => known.has(id)))
}

/** Reads the policies of an organization. */
export type PolicySource = (organization_id: number) => Promise<readonly Policy[]>

/** Reads each organization's policies once, for a write that needs them several times. */
export function readPoliciesOnce(reader: Reader): PolicySource {
  const known = new Map<number, Promise<readonly Policy[]>>()
  return (organization_id) => {
    const policies = known.get(organization_id) ?? listPolicies(reader, organization_id)
    known.set(organization_id, policies)
    return policies
  }
}

const listEvery: Statement<object, Pick<Row<'policies'>, 'id' | 'versions'>> = statement((db) =>
  db.selectFrom('policies').select(['id', 'versions']).orderBy('id'),
)

/** All versions of every policy by id, including deleted policies. */
export async function listAllVersions(reader: Reader): Promise<Map<number, readonly PolicyVersion[]>> {
  return new Map((await reader.all(listEvery, {})).map((row) => [row.id, versionsOf(row)]))
}

/** The names of policies by id, including deleted ones. */
export async function listPolicyNames(reader: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  return new Map((await reader.allOf(listAny, ids)).map(({ id, name }) => [id, name]))
}
