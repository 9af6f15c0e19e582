import type { Logger } from 'pino'
import type { Damage, Recovery } from '#shared/contract/instance/recoveries'
import type { ReplicaState } from '#shared/contract/instance/replica'
import type { Clock } from '#main/clock'
import type { BlobStore } from '#main/files/blob-store'
import type { Bucket } from '#main/files/bucket'
import type { Inspector } from '#main/files/inspect'
import type { Thumbnails } from '#main/files/thumbnails'
import type { InstanceIdentity } from '#main/store/core/instance-settings'
import type { Store, Tx } from '#main/store/core/store'
import type { CaptureProcessor } from '#main/use-cases/captures/create-capture-processor'
import type { ExportDesk } from '#main/use-cases/exports/export-desk'
import type { ImportDesk } from '#main/use-cases/imports/import-desk'
import type { OpenIdProvider } from '#main/use-cases/sessions/open-id-provider'
import type { ApiResponse } from './refusals'
import type { RequestText } from './requests'
import type { StatementDesk } from '#main/use-cases/statements/statement-desk'
import type { TokenUses } from './server/token-uses'

/** Operators' settings that the server reads (supplement 3, "Settings for operators and tests"). */
export interface ServerSettings {
  /** How long signed addresses and upload credentials are valid, in seconds. */
  readonly upload_ttl_s: number
  readonly upload_max_bytes: number
  /** How long a request may take to arrive, its headers and body. */
  readonly request_timeout_ms: number
  /** The limits of a user's incomplete uploads. */
  readonly partial_uploads: { readonly files: number; readonly bytes: number }
  /** Requests per minute and caller; 0: unlimited. */
  readonly rate_limit: number
  /** Host names that the server accepts in addition to the loopback ones. */
  readonly allowed_hosts: readonly string[]
  /** The address at which people reach the server, if the operator sets it: there may be a proxy in front. */
  readonly public_url: string | null
  /** Whether an address belongs to a trusted proxy. */
  readonly trusts: (address: string) => boolean
  /** The folder with the built web application; null: only the API is served. */
  readonly web_folder: string | null
  /** Whether webhooks and devices may have private addresses. */
  readonly allow_private_targets: boolean
  /** Whether e-mail is sent; otherwise it is written to the outbox folder. */
  readonly has_mail_server: boolean
  /** Whether people may sign in by e-mail. */
  readonly email_sign_in: boolean
  /** Whether receipts are read in the background. */
  readonly reads_receipts: boolean
  /** The address of the mailbox for receipts; null if there is none. */
  readonly mail_address: string | null
  /** Whether replicas are served (`/sync/*`). */
  readonly is_syncing: boolean
  readonly version: string
}

/** What every handler may use: the clock, the settings, and the secret for file addresses. */
export interface CommonDeps {
  readonly clock: Clock
  readonly settings: ServerSettings
  /** Signs what this instance gives out: upload policies and file addresses. Hexadecimal. */
  readonly signing_secret: string
}

interface RunningDeps {
  readonly store: Store
  readonly log: Logger
  /** The caller and key of each write that is running; `by` names this process. */
  readonly running_keys: { readonly by: string; readonly slots: Set<string> }
}

interface FileDeps {
  readonly blobs: BlobStore
  /** Takes uploads instead of the server, if the operator sets one. */
  readonly bucket: Bucket | undefined
  readonly inspector: Inspector
  readonly thumbnails: Thumbnails
  readonly captures: CaptureProcessor
  /** Whether captures keep their location by default. */
  readonly keepsLocation: () => boolean
  readonly imports: ImportDesk
  readonly statements: StatementDesk
  readonly exports: ExportDesk
}

interface SignInDeps {
  /** One-time codes for browsers, printed for the person who started the program. */
  readonly entry_codes: EntryCodes
  /** Failed sign-ins by source. */
  readonly failed_log_ins: FailedLogIns
  /** The OpenID provider, if the operator sets one. */
  readonly openid: OpenIdProvider | undefined
  readonly token_uses: TokenUses
  /** Known to this process only: marks requests of the desktop's window, whose user is signed in automatically. */
  readonly local_secret: string
}

/** This instance, and its remote if it is a replica. */
interface InstanceDeps {
  readonly instance: InstanceIdentity
  readonly replica: ReplicaControl & RemotePort
  readonly recoveries: RecoveryControl
  /** The finding of the last check of all rows; null if there is none. */
  readonly findDamage: () => Damage | null
  /** The public key for push subscriptions (VAPID), base64url. */
  readonly push_public_key: string
  /** Fills a new instance with a demo organization, in the transaction; returns its admin. */
  readonly fill_with_demo: (tx: Tx) => Promise<{ readonly user_id: number }>
}

/** The parts of the server, by concern. A handler declares the parts that it needs. */
export interface ServerParts extends CommonDeps, RunningDeps, FileDeps, SignInDeps, InstanceDeps {}

/** The remote, as a replica's server uses it. */
export interface RemotePort {
  /** Forwards a v1 request; undefined if the remote cannot be reached. */
  send(
    request: RequestText & { readonly query: unknown; readonly language: string; readonly key: string | undefined },
  ): Promise<ApiResponse | undefined>
  /** Fetches a missing file; returns whether it is here now. */
  fetchBlob(sha256: string): Promise<boolean>
  /** Fetches the list of an expense's receipts, if the remote can be reached. */
  fetchReceipts(expense_id: number): Promise<void>
}

/** What a person can do with this instance as a replica. */
export interface ReplicaControl {
  /** `user_id`: the user who connects. Records that others received here are not offered as theirs. */
  connect(remote: {
    url: string
    token: string
    user_id?: number
  }): Promise<{ readonly kind: 'connected' } | { readonly kind: 'failed'; readonly failure: string; readonly message: string }>
  /** `remove`: also removes everything that came from the remote. */
  disconnect(data: 'keep' | 'remove'): Promise<void>
  state(): Promise<ReplicaState>
  syncSoon(): Promise<void>
  decide(decision: 'allow' | 'keep'): Promise<void>
  budget(bytes: number): Promise<void>
  dismissVerdicts(expense_ids: readonly number[]): Promise<void>
}

/** Damage quarantined at a start. */
export interface RecoveryControl {
  /** The entries that nobody has acknowledged, oldest first. */
  list(): Promise<Recovery[]>
  /** Returns whether there was an entry with this id. */
  acknowledge(id: string): Promise<boolean>
}

/** Counts failed sign-ins of the last minute, by source. */
export interface FailedLogIns {
  /** Whether the source has reached its limit. */
  isThrottled(source: string): boolean | Promise<boolean>
  note(source: string): void | Promise<void>
}

/** One-time codes that a person carries from the terminal to the browser. */
export interface EntryCodes {
  issue(): Promise<string>
  /** Uses up a code; returns whether it was valid. */
  redeem(code: string): Promise<boolean>
  /** Makes a code valid again after a redemption without effect. */
  restore(code: string): Promise<void>
}
