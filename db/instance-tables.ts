import type {
  ApiTokenTable,
  OpenIdGrantTable,
  OpenIdLinkTable,
  PasskeyTable,
  RecoveryCodeTable,
  SessionTable,
  SignInChallengeTable,
  SignInCodeTable,
} from './door-tables'
import type { ReceivedMailTable } from './mail-tables'
import type { ReceiptReadingTable } from './reading-tables'
import type { Generated } from 'kysely'
import type { ExportFormat } from '#shared/domain/exports/export-formats'
import type { CapturableType, CaptureSource } from '#shared/domain/captures'
import type { Role } from '#shared/domain/roles'
import type { Flag, RecordColumns } from './record-tables'

interface InstanceSettingTable {
  key: string
  value: string
  updated_at: string
}

/** A file of a receipt that another file took the place of. */
interface ReplacedFileTable {
  id: Generated<number>
  expense_id: number
  attachment_id: number
  sha256: string
  file_name: string
  uploaded_at: string
  replaced_at: string
  /** The last entry of the audit trail before it was replaced. */
  trail_end: number | null
}

/** Pictures of erased people, whose files go as soon as nothing else names them. */
interface ErasedPictureTable {
  sha256: string
}

interface BlobTable {
  sha256: string
  bytes: number
  md5: string
  content_type: string
  width: number | null
  height: number | null
  pages: number | null
  created_at: string
}

/** What each file is known by as an invoice, as XML or by its codes, and what that says; written with its blob, read when its bytes are here. */
interface InvoiceKeyTable {
  sha256: string
  is_read: Generated<Flag>
  invoice_key: string | null
  total_minor: number | null
  currency: string | null
  issued_on: string | null
  buyer_tax_id: string | null
  is_altered: Generated<Flag>
}

/** The perceptual hash of each picture; written with its blob, read when its bytes are here. */
interface PictureHashTable {
  id: Generated<number>
  sha256: string
  is_read: Generated<Flag>
  hash: string | null
}

/** A part of a perceptual hash, by which copies are found. */
interface PictureBandTable {
  band: number
  picture_id: number
}

/** A file of expenses that was handed over to accounting. `asked`: what asked for it, `left_out`: what it left out, as JSON; `trail_end`: the last entry of the audit trail that its rows were read with. Null: not known. */
interface HandoverTable {
  id: Generated<number>
  uid: string
  created_at: string
  organization_id: number
  user_id: number
  corrects_id: number | null
  format: ExportFormat
  title: string | null
  asked: string
  file_name: string
  sha256: string
  bytes: number
  row_count: number
  trail_end: number | null
  left_out: string | null
}

/** An expense of a handover, with its version then, a hash of what the file says of it, and what it was booked with, as JSON; null: not known. */
interface HandoverRowTable {
  handover_id: number
  expense_id: number
  version: number
  fingerprint: string
  booking: string | null
}

/** An organization whose open expenses are judged again: from which id on, and on whose behalf. */
interface SumRunTable {
  organization_id: number
  claimant_id: number
  user_id: number
  from_at: string
  to_at: string
  after_at: string
  after_id: number
}

interface PolicyRunTable {
  organization_id: number
  user_id: number
  after_id: number
}

/** A membership that someone else gave a user, until the user has read that. */
interface JoinNoticeTable {
  membership_id: number
  user_id: number
  added_by_user_id: number
  created_at: string
}

interface InvitationTable extends RecordColumns {
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

interface DeviceTable extends RecordColumns {
  user_id: number
  name: string
  kind: string
  push_endpoint: string | null
  push_p256dh: string | null
  push_auth: string | null
  last_seen_at: string | null
  gone_at: string | null
}

interface UploadTable {
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

/** `sha256` is the file to attach, `original_sha256` the file as it arrived: the same until it is processed. */
interface CaptureTable {
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

interface ActivityTable {
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

interface IdempotencyKeyTable {
  user_id: number
  key: string
  request_hash: string
  status: number
  headers: string
  body: string
  created_at: string
}

interface WebhookTable extends RecordColumns {
  organization_id: number
  url: string
  description: string | null
  secret: string
}

interface WebhookDeliveryTable {
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

interface NotificationPreferenceTable {
  user_id: number
  event: string
  email: Flag
  mobile: Flag
}

interface NotificationTable {
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

/** `record`: JSON, as its use case reads it; `until`: milliseconds. */
interface JobTable {
  kind: string
  id: string
  record: string
  waits: Flag
  holder: string | null
  until: number | null
  takes: Generated<number>
  done: Generated<number>
  total: number | null
  place: string | null
  changed_at: string
}

/** What an instance holds for itself, or tells no replica: files, sessions, what waits to be sent. */
export interface InstanceTables {
  instance_settings: InstanceSettingTable
  blobs: BlobTable
  erased_pictures: ErasedPictureTable
  replaced_files: ReplacedFileTable
  invoice_keys: InvoiceKeyTable
  picture_hashes: PictureHashTable
  receipt_readings: ReceiptReadingTable
  picture_bands: PictureBandTable
  /** `mapping` by format, the `unfinished` imports of which not all lines are added yet, the `accounts` and the `history` of imported statements: JSON. */
  statement_mappings: {
    corporative_card_id: number
    mapping: string
    unfinished: string | null
    accounts: string | null
    history: string | null
  }
  join_notices: JoinNoticeTable
  handovers: HandoverTable
  handover_rows: HandoverRowTable
  policy_runs: PolicyRunTable
  sum_runs: SumRunTable
  invitations: InvitationTable
  api_tokens: ApiTokenTable
  sessions: SessionTable
  sign_in_codes: SignInCodeTable
  passkeys: PasskeyTable
  recovery_codes: RecoveryCodeTable
  sign_in_challenges: SignInChallengeTable
  openid_links: OpenIdLinkTable
  openid_grants: OpenIdGrantTable
  devices: DeviceTable
  uploads: UploadTable
  captures: CaptureTable
  received_mails: ReceivedMailTable
  activities: ActivityTable
  idempotency_keys: IdempotencyKeyTable
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  notification_preferences: NotificationPreferenceTable
  notifications: NotificationTable
  jobs: JobTable
}
