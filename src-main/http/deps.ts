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

/** What operators can set that the server reads (supplement 3, "Settings for operators and tests"). */
export interface ServerSettings {
  /** How long signed addresses and upload credentials are valid, in seconds. */
  readonly upload_ttl_s: number
  readonly upload_max_bytes: number
  /** How long a request may take to arrive, its headers and body. */
  readonly request_timeout_ms: number
  /** What of files that have not come whole a user may leave behind. */
  readonly partial_uploads: { readonly files: number; readonly bytes: number }
  /** How many requests a minute each caller may make; 0: as many as they like. */
  readonly rate_limit: number
  /** Host names that the server accepts in addition to the loopback ones. */
  readonly allowed_hosts: readonly string[]
  /** Where people reach the server, when the operator says so: a proxy may stand before it. */
  readonly public_url: string | null
  /** Whether an address is a proxy's whose word on how a request reached it counts. */
  readonly trusts: (address: string) => boolean
  /** The folder with the built web application; none: only the API is served. */
  readonly web_folder: string | null
  /** Whether webhooks and devices may lie at addresses inside. */
  readonly allow_private_targets: boolean
  /** Whether e-mail leaves this instance; else it is in the outbox folder. */
  readonly has_mail_server: boolean
  /** Whether people may sign in by e-mail. */
  readonly email_sign_in: boolean
  /** Whether receipts are read in the background. */
  readonly reads_receipts: boolean
  /** The address of the mailbox of receipts; null where there is none. */
  readonly mail_address: string | null
  /** Whether replicas are served (`/sync/*`). */
  readonly is_syncing: boolean
  readonly version: string
}

/** What every handler may use: the time, the settings, and what signs the addresses of files. */
export interface CommonDeps {
  readonly clock: Clock
  readonly settings: ServerSettings
  /** Signs what this instance gives out: upload policies and file addresses. Hexadecimal. */
  readonly signing_secret: string
}

/** What commands are run with. */
interface RunningDeps {
  readonly store: Store
  readonly log: Logger
  /** Caller and idempotency key of the writes that run just now; `by` names this process. */
  readonly running_keys: { readonly by: string; readonly slots: Set<string> }
}

/** What files are taken and given with. */
interface FileDeps {
  readonly blobs: BlobStore
  /** Takes uploads in the server's place, where the operator names one. */
  readonly bucket: Bucket | undefined
  readonly inspector: Inspector
  readonly thumbnails: Thumbnails
  readonly captures: CaptureProcessor
  /** Whether a capture keeps the place where it was taken, where nobody says. */
  readonly keepsLocation: () => boolean
  readonly imports: ImportDesk
  readonly statements: StatementDesk
  readonly exports: ExportDesk
}

/** What identifies a sender. */
interface SignInDeps {
  /** Codes that let a browser in once, printed for the person who started the program. */
  readonly entry_codes: EntryCodes
  /** Failed sign-ins by source. */
  readonly failed_log_ins: FailedLogIns
  /** Where people may sign in too, where the operator names a provider. */
  readonly openid: OpenIdProvider | undefined
  readonly token_uses: TokenUses
  /** Known to this process only: it marks requests of the desktop window, whose user is simply there. */
  readonly local_secret: string
}

/** This instance, and the remote where it is a replica. */
interface InstanceDeps {
  readonly instance: InstanceIdentity
  readonly replica: ReplicaControl & RemotePort
  readonly recoveries: RecoveryControl
  /** What the last check of all rows found; null where nothing. */
  readonly findDamage: () => Damage | null
  /** What browsers subscribe to push notifications with (VAPID), base64url. */
  readonly push_public_key: string
  /** Fills an instance that has nobody yet with a believable organization, in the transaction; returns its admin. */
  readonly fill_with_demo: (tx: Tx) => Promise<{ readonly user_id: number }>
}

/** What the server is put together from, by concern. A handler asks for what it needs of it. */
export interface ServerParts extends CommonDeps, RunningDeps, FileDeps, SignInDeps, InstanceDeps {}

/** The remote as the server of a replica needs it. */
export interface RemotePort {
  /** Sends one v1 request on; undefined when the remote cannot be reached. */
  send(
    request: RequestText & { readonly query: unknown; readonly language: string; readonly key: string | undefined },
  ): Promise<ApiResponse | undefined>
  /** Fetches a file that is not here yet; returns whether it is now. */
  fetchBlob(sha256: string): Promise<boolean>
  /** Sees to it that the receipts of an expense are listed here, as far as the remote can be reached now. */
  fetchReceipts(expense_id: number): Promise<void>
}

/** What a person may want of this instance as a replica. */
export interface ReplicaControl {
  /** `user_id`: who connects; what others received here is not offered as theirs. */
  connect(remote: {
    url: string
    token: string
    user_id?: number
  }): Promise<{ readonly kind: 'connected' } | { readonly kind: 'failed'; readonly failure: string; readonly message: string }>
  /** `remove`: nothing that came from the remote stays. */
  disconnect(data: 'keep' | 'remove'): Promise<void>
  state(): Promise<ReplicaState>
  syncSoon(): Promise<void>
  decide(decision: 'allow' | 'keep'): Promise<void>
  budget(bytes: number): Promise<void>
  dismissVerdicts(expense_ids: readonly number[]): Promise<void>
}

/** Damage quarantined at a start. */
export interface RecoveryControl {
  /** What nobody has acknowledged, the oldest first. */
  list(): Promise<Recovery[]>
  /** Whether there was one of this id. */
  acknowledge(id: string): Promise<boolean>
}

/** Counts failed sign-ins of the last minute, by source. */
export interface FailedLogIns {
  /** Whether the source has used up its tries. */
  isThrottled(source: string): boolean | Promise<boolean>
  note(source: string): void | Promise<void>
}

/** One-time codes that the person at the terminal carries to the browser. */
export interface EntryCodes {
  issue(): Promise<string>
  /** Whether the code was valid; a valid one is used up. */
  redeem(code: string): Promise<boolean>
  /** Makes a code valid again whose redemption led to nothing. */
  restore(code: string): Promise<void>
}
