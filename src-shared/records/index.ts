import { accountability } from '#shared/records/accountability'
import { advancement } from '#shared/records/advancement'
import { advancementDevolution } from '#shared/records/advancement-devolution'
import { approvalRule } from '#shared/records/approval-rule'
import { attachment } from '#shared/records/attachment'
import { columnOf } from '#shared/records/attributes'
import { closing } from '#shared/records/closing'
import { comment } from './comment'
import { corporativeCard } from '#shared/records/corporative-card'
import type { Link, RecordDefinition, Reference } from './definition'
import { exchangeRate } from '#shared/records/exchange-rate'
import { distanceRule } from '#shared/records/distance-rule'
import { exportProfile } from '#shared/records/export-profile'
import { expense } from '#shared/records/expense'
import { membership } from '#shared/records/membership'
import { organization } from '#shared/records/organization'
import { participant } from '#shared/records/participant'
import { policy } from '#shared/records/policy'
import { preExpense } from '#shared/records/pre-expense'
import { repeatDecision } from '#shared/records/repeat-decision'
import { reimbursement } from '#shared/records/reimbursement'
import { savedView } from '#shared/records/saved-view'
import { standIn } from '#shared/records/stand-in'
import { statementLine } from '#shared/records/statement-line'
import { statementMatch } from '#shared/records/statement-match'
import { supplier } from '#shared/records/supplier'
import { tag } from '#shared/records/tag'
import { user, userEmail } from './user'
import { userNotification } from '#shared/records/user-notification'

// In tests, threads load this from source, where only exact aliases and packages resolve.

/** Every kind of record that replicas hold, parents before children. */
const definitions = [
  organization,
  user,
  userEmail,
  membership,
  tag,
  supplier,
  policy,
  approvalRule,
  standIn,
  savedView,
  exportProfile,
  closing,
  exchangeRate,
  distanceRule,
  corporativeCard,
  preExpense,
  statementLine,
  reimbursement,
  advancement,
  advancementDevolution,
  expense,
  repeatDecision,
  statementMatch,
  accountability,
  comment,
  participant,
  attachment,
  userNotification,
] as const satisfies readonly RecordDefinition[]

/** The definition of such a record. */
export type SharedRecord = (typeof definitions)[number]
/** The table of a record that replicas hold. */
export type SharedRecordTable = SharedRecord['table']
/** A table of pairs that belong to such a record. */
export type SharedLinkTable = Extract<SharedRecord, { link: unknown }>['link']['table']
/** Tables of pairs of which users see only some. */
export type PartlySeenTable = Extract<SharedRecord, { link: { isPartlySeen: true } }>['link']['table']
/** Records of which some users get replaced columns. */
export type ToldInPartTable = Extract<SharedRecord, { isSharedInPart: true }>['table']
/** The attributes of such records. */
export type DefinedAttributes = SharedRecord['attributes']
/** A record of an organization whose routes, use cases, rows and list screen follow from its definition. */
export type OrganizationRecordDefinition = Extract<SharedRecord, { isInOrganization: true }>
/** The table of such a record. */
export type OrganizationRecordTable = OrganizationRecordDefinition['table']
/** The audit trail's name of a record that replicas hold. */
export type SharedSubject = Extract<SharedRecord, { subject: unknown }>['subject']

const tableOfParty = { Organization: 'organizations', User: 'users' } as const

/** A definition for code that treats all records alike; `references` has all columns with ids of records. */
export type AnyRecord = RecordDefinition & {
  readonly table: SharedRecordTable
  readonly subject?: SharedSubject
  readonly link?: Link & { readonly table: SharedLinkTable }
}

/** Every kind of record that replicas hold, parents before children. */
export const records: readonly AnyRecord[] = definitions.map((record: AnyRecord) => ({
  ...record,
  references: { ...referencesOf(record.attributes), ...record.references },
  files: [...picturesOf(record.attributes), ...(record.files ?? [])],
}))

/** The attributes' columns with hashes of files. */
function picturesOf(attributes: AnyRecord['attributes'] = {}): string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => (attribute.kind === 'image' ? [columnOf(name, attribute)] : []))
}

/** The attributes' columns with ids of records. */
function referencesOf(attributes: AnyRecord['attributes'] = {}): Record<string, Reference> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]): Array<[string, Reference]> => {
      const { kind, writes } = attribute
      if (kind === 'party')
        return [[columnOf(name, attribute), { to: tableOfParty[attribute.of], writtenAs: writes ? [name, `${name}_id`] : [] }]]
      return kind === 'record' ? [[name, { to: attribute.to, whenGone: 'empty', writtenAs: writes ? [name] : [] }]] : []
    }),
  )
}

const byTable = new Map<string, AnyRecord>(records.map((record) => [record.table, record]))

/** The definition of a table's records; undefined if replicas do not hold them. */
export function findRecord(table: string): AnyRecord | undefined {
  return byTable.get(table)
}
