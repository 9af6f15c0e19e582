import type { Generated, Insertable, Selectable } from 'kysely'
import type { CapturableType, CaptureSource } from '#shared/domain/captures'
import type { ContractLocale } from '#shared/domain/locales'
import type { Role } from '#shared/domain/roles'
import type { accountability } from '#shared/records/accountability'
import type { ColumnsOf } from '#shared/records/attributes'
import type { comment } from '#shared/records/comment'
import type { corporativeCard } from '#shared/records/corporative-card'
import type { distanceRule } from '#shared/records/distance-rule'
import type { expense } from '#shared/records/expense'
import type { OrganizationRecordDefinition } from '#shared/records/index'
import type { membership } from '#shared/records/membership'
import type { organization } from '#shared/records/organization'
import type { preExpense } from '#shared/records/pre-expense'
import type { paid, returned } from '#shared/records/settlement'

/** A truth value as SQLite's STRICT tables hold it. */
export type Flag = 0 | 1

/** What every record has: the contract's integer `id`, its identity `uid` (UUIDv7), a `version` that each change raises, UTC instants. */
export interface RecordColumns {
  id: Generated<number>
  uid: string
  version: Generated<number>
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** Counts stored in every record that can have attachments, comments and participants. */
export interface CounterColumns {
  attachments_count: Generated<number>
  comments_count: Generated<number>
  activities_count: Generated<number>
}

/** The one parent of a comment or a participant: exactly one of the three is set. */
export interface ParentColumns {
  expense_id: number | null
  advancement_id: number | null
  reimbursement_id: number | null
}

export interface InstanceSettingTable {
  key: string
  value: string
  updated_at: string
}

export interface BlobTable {
  sha256: string
  bytes: number
  md5: string
  content_type: string
  width: number | null
  height: number | null
  pages: number | null
  created_at: string
}

/** What each XML file is known by as an invoice; written with its blob, read when its bytes are here. */
export interface InvoiceKeyTable {
  sha256: string
  is_read: Generated<Flag>
  invoice_key: string | null
}

export interface OrganizationTable extends RecordColumns, ColumnsOf<typeof organization.attributes> {
  expired_at: string | null
}

export interface UserTable extends RecordColumns {
  first_name: string
  last_name: string
  mention_name: string
  default_currency: string
  locale: ContractLocale
  /** Their language where the contract has no locale for it. */
  language: Generated<string | null>
  timezone: string
  avatar_sha256: string | null
}

export interface UserEmailTable {
  id: Generated<number>
  user_id: number
  email: string
  main: Flag
  created_at: string
  /** When a mail server last said that there is no such address; nothing is sent there any more. */
  bounced_at: Generated<string | null>
}

export interface MembershipTable extends RecordColumns, ColumnsOf<typeof membership.attributes> {}

/** A membership that someone else gave a user, until the user has read that. */
export interface JoinNoticeTable {
  membership_id: number
  user_id: number
  added_by_user_id: number
  created_at: string
}

export interface InvitationTable extends RecordColumns {
  organization_id: number
  email: string
  role: Role
  invited_by_user_id: number
  token_hash: string | null
  sent_at: string | null
  accepted_at: string | null
  expires_at: string | null
  attempts: Generated<number>
  next_attempt_at: Generated<string | null>
  last_error: Generated<string | null>
}

export interface ApiTokenTable {
  id: Generated<number>
  uid: string
  user_id: number
  token_hash: string
  description: string
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

export interface SessionTable {
  session_hash: string
  user_id: number
  api_token_id: number | null
  created_at: string
  expires_at: string
}

export interface DeviceTable extends RecordColumns {
  user_id: number
  name: string
  kind: string
  push_endpoint: string | null
  push_p256dh: string | null
  push_auth: string | null
  last_seen_at: string | null
  gone_at: string | null
}

/** The columns of a record of an organization that is defined by attribute. */
type OrganizationRecordColumns<D extends OrganizationRecordDefinition> = RecordColumns & {
  organization_id: number
} & ColumnsOf<D['attributes']>

/** The tables of such records; what is not an attribute is named here. */
type OrganizationRecordTables = {
  [D in OrganizationRecordDefinition as D['table']]: OrganizationRecordColumns<D> &
    (D extends { table: 'tags' } ? { name_key: string } : unknown)
}

export interface TagRestrictionTable {
  tag_id: number
  user_id: number
}

export interface DistanceRuleTable extends RecordColumns, ColumnsOf<typeof distanceRule.attributes> {
  amount_minor: number
  /** The part of the rate below the minor unit, in millionths of the major unit. */
  amount_millionths: number
}

export interface CorporativeCardTable extends RecordColumns, ColumnsOf<typeof corporativeCard.attributes> {
  number_length: number
  number_last4: string
  number_hmac: string
  flag: string
  expiration_month: number
  expiration_year: number
}

/** Reimbursements and advancements. */
export interface SettlementTable extends RecordColumns, CounterColumns, ColumnsOf<typeof paid> {}

export interface AdvancementDevolutionTable extends RecordColumns, ColumnsOf<typeof returned> {}

export interface PreExpenseTable extends RecordColumns, ColumnsOf<typeof preExpense.attributes> {
  tags: Generated<string>
  extra_information: Generated<string>
}

export interface ExpenseTable
  extends RecordColumns, CounterColumns, Omit<ColumnsOf<typeof expense.attributes>, 'liquidate_through_advancement'> {
  liquidate_through_advancement: Generated<Flag>
}

export interface AccountabilityTable extends RecordColumns, ColumnsOf<typeof accountability.attributes> {
  activities_count: Generated<number>
}

export interface AccountabilityExpenseTable {
  accountability_id: number
  expense_id: number
}

export interface ExpenseTagTable {
  expense_id: number
  tag_id: number
  position: number
}

export interface ReimbursementTagTable {
  reimbursement_id: number
  tag_id: number
  position: number
}

export interface AdvancementTagTable {
  advancement_id: number
  tag_id: number
  position: number
}

export interface CommentTable extends RecordColumns, ParentColumns, ColumnsOf<typeof comment.attributes> {}

export interface CommentMentionTable {
  comment_id: number
  user_id: number
}

export interface ParticipantTable extends RecordColumns, ParentColumns {
  user_id: number
}

export interface UploadTable {
  id: Generated<number>
  key: string
  user_id: number
  sha256: string
  file_name: string
  content_type: string
  bytes: number
  created_at: string
  expires_at: string
}

export interface AttachmentTable extends RecordColumns {
  expense_id: number
  user_id: number
  sha256: string
  description: string | null
  file_name: string
  content_type: string
  bytes: number
  uploaded_at: string
}

/** `sha256` is the file to attach, `original_sha256` the file as it arrived: the same until it is processed. */
export interface CaptureTable {
  id: Generated<number>
  uid: string
  user_id: number
  sha256: string
  original_sha256: string
  file_name: string
  content_type: CapturableType
  bytes: number
  source: CaptureSource
  state: 'processing' | 'ready' | 'unusable'
  problem: string | null
  keeps_location: Flag
  captured_at: string
  group_uid: string | null
  note: string | null
  expense_id: number | null
  created_at: string
  deleted_at: string | null
}

export interface ActivityTable {
  id: Generated<number>
  uid: string
  organization_id: number | null
  user_id: number
  subject_type: string
  subject_id: number
  source_type: string | null
  source_id: number | null
  event: string
  details: string
  origin: string
  request_id: string | null
  occurred_at: string
  created_at: string
}

export interface ChangeLogTable {
  seq: Generated<number>
  nonce: string
  organization_id: number | null
  user_id: number | null
  table_name: RecordTable
  record_id: number
  record_uid: string
  version: number
  operation: 'insert' | 'update' | 'delete'
  changed: string
  actor_user_id: number | null
  op_id: string | null
  created_at: string
}

export interface IdempotencyKeyTable {
  user_id: number
  key: string
  request_hash: string
  status: number
  headers: string
  body: string
  created_at: string
}

export interface WebhookTable extends RecordColumns {
  organization_id: number
  url: string
  description: string | null
  secret: string
}

export interface WebhookDeliveryTable {
  id: Generated<number>
  uid: string
  webhook_id: number
  event: string
  body: string
  state: 'waiting' | 'delivered' | 'dropped'
  attempts: Generated<number>
  next_attempt_at: string | null
  last_status: number | null
  last_error: string | null
  redelivery_of: number | null
  created_at: string
  finished_at: string | null
}

export interface NotificationPreferenceTable {
  user_id: number
  event: string
  email: Flag
  mobile: Flag
}

export interface NotificationTable {
  id: Generated<number>
  uid: string
  user_id: number
  activity_id: number | null
  event: string
  channel: 'email' | 'mobile'
  device_id: number | null
  state: 'waiting' | 'sent' | 'failed'
  attempts: Generated<number>
  next_attempt_at: string | null
  last_error: string | null
  created_at: string
  sent_at: string | null
}

export interface SyncDeviceTable {
  id: Generated<number>
  uid: string
  user_id: number
  name: string
  turn: string
  next_turn: string
  seq: Generated<number>
  created_at: string
  last_seen_at: string
}

export interface SyncGrantTable {
  table_name: string
  first_id: number
  last_id: number
  user_id: number
  created_at: string
}

export interface SyncOperationTable {
  op_id: string
  user_id: number
  body_hash: string
  result: string
  created_at: string
}

export interface IdLeaseTable {
  id: Generated<number>
  table_name: string
  next_id: number
  last_id: number
  created_at: string
}

export interface IdAliasTable {
  table_name: string
  provisional_id: number
  record_id: number
  created_at: string
}

export interface SyncStateTable {
  key: string
  value: string
  updated_at: string
}

export type OperationState =
  'pending' | 'sent' | 'acknowledged' | 'settled' | 'conflict' | 'rejected' | 'parked' | 'quarantined' | 'discarded'

export interface SyncJournalTable {
  id: Generated<number>
  op_id: string
  user_id: number
  device_uid: string
  api_version: string
  group_id: string | null
  policy: string
  method: string
  path: string
  body: string
  refs: string
  blobs: string
  minted: string
  seen: string
  after_ops: string
  depends_on: string
  base: string
  mine: string
  state: OperationState
  attempts: Generated<number>
  last_answer: string | null
  effect_seq: number | null
  bytes: number
  created_at: string
  sent_at: string | null
  settled_at: string | null
}

export interface SyncUndoTable {
  id: Generated<number>
  operation: number
  table_name: string
  record_key: string
  record_uid: string | null
  version_before: number | null
  statement: string
}

export interface SyncStagedTable {
  id: Generated<number>
  table_name: string
  columns: string
  rows: string
}

export interface SyncBlobTable {
  sha256: string
  direction: 'up' | 'down'
  bytes: number
  attempts: Generated<number>
  last_error: string | null
  created_at: string
}

export interface SyncOfferTable {
  id: Generated<number>
  kind: string
  title: string
  payload: string
  state: 'offered' | 'accepted' | 'dismissed'
  created_at: string
}

/** Every table of an instance's database, as the migrations leave it. */
export interface Schema extends OrganizationRecordTables {
  instance_settings: InstanceSettingTable
  blobs: BlobTable
  invoice_keys: InvoiceKeyTable
  organizations: OrganizationTable
  users: UserTable
  user_emails: UserEmailTable
  memberships: MembershipTable
  join_notices: JoinNoticeTable
  invitations: InvitationTable
  api_tokens: ApiTokenTable
  sessions: SessionTable
  devices: DeviceTable
  tag_restrictions: TagRestrictionTable
  distance_rules: DistanceRuleTable
  corporative_cards: CorporativeCardTable
  reimbursements: SettlementTable
  advancements: SettlementTable
  advancement_devolutions: AdvancementDevolutionTable
  pre_expenses: PreExpenseTable
  expenses: ExpenseTable
  accountabilities: AccountabilityTable
  accountability_expenses: AccountabilityExpenseTable
  expense_tags: ExpenseTagTable
  reimbursement_tags: ReimbursementTagTable
  advancement_tags: AdvancementTagTable
  comments: CommentTable
  comment_mentions: CommentMentionTable
  participants: ParticipantTable
  uploads: UploadTable
  attachments: AttachmentTable
  captures: CaptureTable
  activities: ActivityTable
  change_log: ChangeLogTable
  idempotency_keys: IdempotencyKeyTable
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  notification_preferences: NotificationPreferenceTable
  notifications: NotificationTable
  id_leases: IdLeaseTable
  id_aliases: IdAliasTable
  sync_state: SyncStateTable
  sync_journal: SyncJournalTable
  sync_undo: SyncUndoTable
  sync_staged: SyncStagedTable
  sync_blobs: SyncBlobTable
  sync_offers: SyncOfferTable
  sync_devices: SyncDeviceTable
  sync_grants: SyncGrantTable
  sync_operations: SyncOperationTable
  expense_search: { rowid: number; text: string }
}

/** Tables whose rows are records: identified by `uid`, versioned, in the change log. */
export type RecordTable = {
  [T in keyof Schema]: Schema[T] extends RecordColumns ? T : never
}[keyof Schema]

/** A stored row of a table. */
export type Row<T extends keyof Schema> = Selectable<Schema[T]>
/** What an insert into a table takes. */
export type NewRow<T extends keyof Schema> = Insertable<Schema[T]>
