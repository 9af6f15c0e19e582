import type { Attribute, Attributes, AuditedName } from '#shared/records/attributes'
import { type DefinedAttributes, records } from '#shared/records/index'

/** How the audit trail stores an attribute, which decides its words in sentences. */
type AuditedKind =
  | ('amount' | 'text' | 'status' | 'kind' | 'flag' | 'instant' | 'number' | 'role' | 'picture')
  | ('organization' | 'user' | 'users' | 'card' | 'tag' | 'tags' | 'expenses' | 'policy_weight' | 'policy_condition' | 'policy_period')
  | 'approval_rule'

/** Attributes that no definition has: parts of other records, and those that definitions list as written by hand. */
const others = {
  participant_id: 'user',
  file: 'text',
  expiration_date: 'text',
  email: 'text',
  url: 'text',
  restricted_user_ids: 'users',
  stands_in_for: 'users',
  undo: 'flag',
  expired: 'flag',
  notifications_on: 'text',
  notifications_off: 'text',
} as const satisfies Readonly<Record<string, AuditedKind>>

/** The records that sentences name. */
const auditedRecords: Readonly<Partial<Record<string, AuditedKind>>> = { corporative_cards: 'card', tags: 'tag' }

type DefinedName<A> = A extends Attributes ? AuditedName<A> : never
/** The name of an audited attribute. */
export type ActivityAttribute = DefinedName<DefinedAttributes> | keyof typeof others

/**
 * The attributes whose old and new values the audit trail stores, with their kinds. Each has a translated name, `activities:attributes.<attribute>`.
 */
export const activityAttributes: Readonly<Record<ActivityAttribute, AuditedKind>> = { ...auditedOf(), ...others }

/** Whether the audit trail has an attribute of this name. */
export function isActivityAttribute(name: unknown): name is ActivityAttribute {
  return typeof name === 'string' && Object.hasOwn(activityAttributes, name)
}

/** The attributes of all defined records; those with the same name have the same words. */
function auditedOf(): Record<DefinedName<DefinedAttributes>, AuditedKind> {
  const defined = records.flatMap(({ attributes = {} }) => Object.entries(attributes))
  const audited = defined.flatMap(([name, attribute]) =>
    attribute.isHidden || attribute.isUnaudited ? [] : [[auditedName(name, attribute), auditedKind(attribute)]],
  )
  return Object.fromEntries(audited) as Record<DefinedName<DefinedAttributes>, AuditedKind>
}

function auditedName(name: string, { kind }: Attribute): string {
  return kind === 'party' ? `${name}_id` : name
}

/** The audit trail's name of an attribute. Throws for an unknown one, so that no change goes unaudited. */
export function activityAttributeOf(name: string, attribute: Attribute): ActivityAttribute {
  const audited = auditedName(name, attribute)
  if (!isActivityAttribute(audited)) throw new Error(`The audit trail does not know ${audited}.`)
  return audited
}

function auditedKind(attribute: Attribute): AuditedKind {
  switch (attribute.kind) {
    case 'amount':
    case 'flag':
    case 'instant':
    case 'text':
    case 'number':
      return attribute.kind
    case 'count':
      return 'number'
    case 'currency':
    case 'tags':
      return 'text'
    case 'image':
      return 'picture'
    case 'list':
      return attribute.of === 'users' || attribute.of === 'tags' ? attribute.of : 'text'
    case 'ids':
      return attribute.to === 'users' || attribute.to === 'expenses' ? attribute.to : 'text'
    case 'choice':
      return attribute.wordedAs ?? 'text'
    case 'party':
      return attribute.of === 'User' ? 'user' : 'organization'
    case 'record':
      return auditedRecords[attribute.to] ?? 'number'
  }
}
