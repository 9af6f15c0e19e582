import { z } from 'zod'
import { plainShape } from '#shared/contract/record-attributes'
import { parseInstant } from '#shared/domain/dates'
import { accountabilityStatuses } from '#shared/domain/accountability-status'
import { expenseStatuses } from '#shared/domain/expense-status'
import { contractLocales } from '#shared/domain/locales'
import { accountability as accountabilityRecord } from '#shared/records/accountability'
import { attachment as attachmentRecord } from '#shared/records/attachment'
import { comment as commentRecord } from '#shared/records/comment'
import { corporativeCard as cardRecord } from '#shared/records/corporative-card'
import { distanceRule as distanceRuleRecord } from '#shared/records/distance-rule'
import { expense as expenseRecord } from '#shared/records/expense'
import { membership as membershipRecord } from '#shared/records/membership'
import { organization as organizationRecord } from '#shared/records/organization'
import { preExpense as preExpenseRecord } from '#shared/records/pre-expense'
import { paid } from '#shared/records/settlement'
import { tag as tagRecord } from '#shared/records/tag'
import { user as userRecord } from '#shared/records/user'

/**
 * What the contract shows of each resource. Attributes that only Outlay's server adds (uid, version, …) are optional: other servers do not have them.
 */
const instant = z.string().transform((text, context) => {
  const parsed = parseInstant(text)
  if (parsed !== undefined) return parsed
  context.addIssue({ code: 'custom', message: 'no instant' })
  return z.NEVER
})
const optionalText = z.string().nullable().default(null)
const optionalNumber = z.number().nullable().default(null)
const optionalCount = z.int().optional()

const identified = { id: z.int().positive(), uid: z.uuid().optional(), version: z.int().positive().optional() }
const dated = { ...identified, created_at: instant, updated_at: instant }

/** A referenced user or organization. */
export const party = z.object({ id: z.int(), uid: z.uuid().optional(), name: z.string() })
export type PlainParty = z.output<typeof party>

/** A user in comments, receipts, memberships and participants. */
export const person = z.object({
  id: z.int(),
  uid: z.uuid().optional(),
  first_name: z.string(),
  last_name: z.string().default(''),
  mention_name: z.string().optional(),
  default_currency: z.string().optional(),
  emails: z.array(z.object({ email: z.string(), main: z.boolean() })).default([]),
})
export type PlainPerson = z.output<typeof person>

/** The caller's preferences (contract 2.17). */
export const preferences = z.object({
  ...identified,
  ...plainShape(userRecord.attributes, instant),
  locale: z.enum(contractLocales).catch('en'),
  language: z.string().nullable().default(null),
  timezone: z.string().default('Etc/UTC'),
  default_currency: z.string(),
})

export const organization = z.object({
  ...dated,
  ...plainShape(organizationRecord.attributes, instant),
  expired: z.boolean().default(false),
})

export const membership = z.object({
  id: z.int().positive().optional(),
  uid: z.uuid().optional(),
  version: z.int().positive().optional(),
  ...plainShape(membershipRecord.attributes, instant),
  user: person,
  organization: z.object({ id: z.int() }),
  created_at: instant.optional(),
  updated_at: instant.optional(),
})

export const tag = z.object({ ...dated, ...plainShape(tagRecord.attributes, instant), restricted_user_ids: z.array(z.int()).nullish() })

export const distanceRule = z.object({
  id: z.int().nullable(),
  uid: z.uuid().nullish(),
  version: z.int().nullish(),
  amount: z.number(),
  ...plainShape(distanceRuleRecord.attributes, instant),
  currency: z.string(),
})

export const card = z.object({
  ...dated,
  ...plainShape(cardRecord.attributes, instant),
  number: z.string(),
  flag: z.object({ name: z.string() }),
  expiration_month: z.int(),
  expiration_year: z.int(),
  user: party,
  organization: party,
})

export const preExpense = z.object({
  ...dated,
  ...plainShape(preExpenseRecord.attributes, instant),
  amount: optionalNumber,
  currency: optionalText,
  receiver: party,
  tags: z.string().nullable().default(''),
  extra_information: z.record(z.string(), z.unknown()).nullable().default({}),
})

export const attachment = z.object({
  ...identified,
  ...plainShape(attachmentRecord.attributes, instant),
  uploaded_at: instant,
  content_type: z.string(),
  file_name: z.string(),
  bytes: z.int().nonnegative().optional(),
  url: z.string(),
  file: z
    .array(z.object({ style: z.string(), width: z.int().nullish(), height: z.int().nullish() }))
    .optional()
    .catch(undefined),
  user: person,
  created_at: instant.optional(),
  updated_at: instant.optional(),
})
export type PlainAttachment = z.output<typeof attachment>

export const expense = z.object({
  ...dated,
  ...plainShape(expenseRecord.attributes, instant),
  status: z.enum(expenseStatuses),
  amount: z.number(),
  currency: z.string(),
  approved_amount: optionalNumber,
  approved_amount_currency: optionalText,
  payer: party,
  receiver: party,
  responsible_user: party.nullable().default(null),
  attachments: z.array(attachment).default([]),
  tags: z.string().nullable().default(''),
  attachments_count: optionalCount,
  comments_count: optionalCount,
  activities_count: optionalCount,
  /** The contract shows neither of these two; a reimbursement lists the expenses that it pays. */
  corporative_card_id: z.int().nullable().optional(),
  reimbursement_id: z.int().nullable().optional(),
})

/** The attributes that reimbursements, advancements and devolutions share. */
export const settlement = z.object({
  ...dated,
  ...plainShape(paid, instant),
  amount: z.number(),
  currency: z.string(),
  date: instant.optional(),
  tags: z.array(z.string()).default([]),
  payer: party,
  receiver: party,
  responsible_user: party.nullish(),
  activities_count: optionalCount,
  comments_count: optionalCount,
  /** The expenses that a reimbursement pays. */
  expenses: z.array(z.unknown()).default([]),
})

export const accountability = z.object({
  ...identified,
  ...plainShape(accountabilityRecord.attributes, instant),
  status: z.enum(accountabilityStatuses),
  expense_ids: z.array(z.int()).default([]),
  payer: party,
  receiver: party,
  responsible_user: party.nullish(),
  activities_count: optionalCount,
  created_at: instant.optional(),
  updated_at: instant.optional(),
})

export const comment = z.object({
  ...dated,
  ...plainShape(commentRecord.attributes, instant),
  user: person,
  mentioned_users: z.array(z.object({ mention_name: z.string() })).default([]),
  deleted_at: instant.nullable().default(null),
})
