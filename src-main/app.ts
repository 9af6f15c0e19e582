import { pino, type Logger } from 'pino'
import { type Clock, systemClock } from './clock'
import { type Settings, bucketOf, mailAddressOf, openIdOf, uploadBucketOf } from './config/settings'
import type { BlobStore } from './files/blob-store'
import { type Bucket, createBucket } from './files/bucket'
import { createInspector } from './files/inspect'
import { openOwnBlobStore } from './files/open-blob-store'
import { createThumbnails } from './files/thumbnails'
import { createEntryCodes, createFailedLogIns } from './http/server/sign-ins'
import { createTokenUses } from './http/server/token-uses'
import type { EntryCodes, ServerSettings } from './http/deps'
import { api } from './http/endpoints'
import { toTrust } from './http/server/reached'
import { type ApiResponse, messageOf } from './http/refusals'
import { replayOperation } from './http/replica/replay'
import { type HttpServer, createHttpServer } from './http/server/server'
import { createHealth } from './monitoring/health'
import type { Measured, Metrics } from './monitoring/metrics'
import { startJobs } from './jobs/jobs'
import { lockOrRefuse, openOwnStore } from './open-own-store'
import type { OperationDeps, ServerDeps } from './http/endpoint'
import { type Recoveries, createRecoveries } from './snapshots/recoveries'
import { createSnapshotKeeper } from './snapshots/keeper'
import { tightenFolders } from './files/tighten'
import { snapshotFolder } from './snapshots/snapshot-files'
import { type Verifier, createVerifier } from './snapshots/verifier'
import { judgeAllAgain } from './store/records/expenses/verdicts'
import { noteProgramVersion, readOrMakeIdentity, readOrMakeSigningSecret } from './store/core/instance-settings'
import type { Store } from './store/core/store'
import { Replica, type ReplicaParts } from './sync/replica'
import { type RemoteTokens, plainTokens } from './sync/remote'
import { watchRemote } from './sync/watch'
import { type CaptureProcessing, createCaptureProcessor } from './use-cases/captures/create-capture-processor'
import { shareAuditKey } from './use-cases/audit/audit-key'
import { ExportDesk } from './use-cases/exports/export-desk'
import { ImportDesk } from './use-cases/imports/import-desk'
import { StatementDesk } from './use-cases/statements/statement-desk'
import { type VapidKeys, readOrMakeVapidKeys } from './use-cases/notifications/read-or-make-vapid-keys'
import { OpenIdProvider } from './use-cases/sessions/open-id-provider'
import { version } from './config/version'
import type { PushPayload } from './jobs/job-deps'

/** The parts of an application; tests use their own clock and log. */
export interface AppConfig {
  readonly data_folder: string
  readonly settings: Settings
  readonly web_folder: string | null
  readonly clock?: Clock
  readonly log?: Logger
  /** Exchanges with the remote automatically if the instance is a replica. */
  readonly keepsInSync?: boolean
  /** Whether a start with a damaged database and no good snapshot begins an empty instance, instead of failing. */
  readonly startsOver?: boolean
  /** How to reach the remote; tests insert faults. */
  readonly transportTo?: ReplicaParts['transportTo']
  /** Where the remote's token is stored, if not in the data folder. */
  readonly tokens?: RemoteTokens
  /** Whether captures keep their location by default; absent: they do not. */
  readonly keepsLocation?: () => boolean
  /** How long captures are collected, and how long they wait for a bucket; tests wait less. */
  readonly capture_waits?: Pick<CaptureProcessing, 'quiet_ms' | 'bucket_rest_ms'>
  /** Shows a notification on this computer. */
  readonly showHere?: (payload: PushPayload) => void
}

/** A running application. */
export interface App {
  readonly server: HttpServer
  readonly store: Store
  readonly replica: Replica
  /** Compares all rows with their checksums from time to time. */
  readonly verifier: Verifier
  readonly entry_codes: EntryCodes
  /** The header value of requests from the desktop's window. */
  readonly local_secret: string
  /** Makes the server report that it is not ready, while it still responds. */
  readonly stopSoon: () => void
  /** Lets running requests finish, then closes everything. */
  close(): Promise<void>
}

/** A file that still arrives after this time was left by a process that crashed. */
const abandonedUploadMs = 60 * 60 * 1000
/** While the server runs, a replica may continue an upload of today. */
const staleUploadMs = 24 * 60 * 60 * 1000

/** The parts that the server and the exchange share. */
export interface Parts {
  readonly deps: ServerDeps
  readonly replica: Replica
  readonly recoveries: Recoveries
  readonly verifier: Verifier
  readonly entry_codes: EntryCodes
  readonly local_secret: string
  readonly vapid_keys: VapidKeys
  close(): Promise<void>
}

/** Makes the parts that serve requests and exchange with a remote, over an open store; nothing listens yet. */
export async function createParts(store: Store, config: AppConfig): Promise<Parts> {
  const { data_folder, settings, web_folder, clock = systemClock, log = createLog(settings) } = config
  const signing_secret = await readOrMakeSigningSecret(store, clock)
  const vapid_keys = await readOrMakeVapidKeys(store, clock)
  const instance = await readOrMakeIdentity(store, clock)
  const blobs = await openOwnBlobStore(data_folder, { place: bucketOf(settings), clock, log, ...instance })
  const inspector = createInspector({ rootsFolder: settings.OUTLAY_INVOICE_ROOTS })
  const thumbnails = createThumbnails(blobs, inspector)
  const captures = createCaptureProcessor({ store, blobs, inspector, log, ...config.capture_waits })
  const imports = new ImportDesk({ data_folder, store, blobs, clock, log })
  const [exports, statements] = [
    new ExportDesk({ data_folder, store, blobs, clock, log }),
    new StatementDesk({ data_folder, store, inspector }),
  ]
  const entry_codes = createEntryCodes(clock, store.peers?.notes)
  const local_secret = clock.secret(32)
  const noteDamage = () => store.signals.emit({ topic: 'recoveries' })
  const recoveries = createRecoveries({ data_folder, hasFiles: !blobs.place, clock, log, onChange: noteDamage })
  const verifier = createVerifier({ data_folder, clock, log, onEnd: noteDamage })
  const own: OperationDeps = {
    store,
    clock,
    log,
    blobs,
    thumbnails,
    bucket: openBucket(settings),
    openid: openOpenId(settings, clock),
    inspector,
    captures,
    imports,
    exports,
    statements,
    keepsLocation: config.keepsLocation ?? (() => false),
    signing_secret,
    instance,
    api,
    recoveries,
    findDamage: () => verifier.latest(),
    push_public_key: vapid_keys.public_key,
    entry_codes,
    local_secret,
    // Loaded on demand: it is larger than everything else at startup.
    fill_with_demo: async (tx) => (await import('./demo/fill-with-demo')).fillWithDemo(tx, { blobs, signing_secret }),
    running_keys: { by: clock.uid(), slots: new Set() },
    token_uses: createTokenUses({ store, clock, log }),
    failed_log_ins: createFailedLogIns({
      limit: settings.OUTLAY_LOGIN_THROTTLE,
      monotonicMs: () => clock.monotonicMs(),
      notes: store.peers?.notes,
    }),
    settings: toServerSettings(settings, web_folder),
  }
  const replica = new Replica({
    ...own,
    data_folder,
    tokens: config.tokens ?? plainTokens(data_folder),
    transportTo: config.transportTo,
    replay: async (tx, row) => toOutcome(await replayOperation(own, tx, row)),
  })
  const deps: ServerDeps = { ...own, replica }
  const close = async () => {
    await replica.close()
    await inspector.close()
    await Promise.all([captures.close(), imports.close(), exports.close(), recoveries.close(), verifier.close(), deps.token_uses.close()])
    blobs.close()
  }
  return { deps, replica, recoveries, verifier, entry_codes, local_secret, vapid_keys, close }
}

function openBucket(settings: Settings): Bucket | undefined {
  const access = uploadBucketOf(settings)
  return access && createBucket(access)
}

function openOpenId(settings: Settings, clock: Clock): OpenIdProvider | undefined {
  const provider = openIdOf(settings)
  return provider && new OpenIdProvider(provider, clock)
}

function toOutcome(response: ApiResponse): { status: number; message: string | null } {
  return { status: response.status, message: response.status < 400 ? null : messageOf(response) }
}

/** How long a request may wait for its file to be read after the server begins to close; then it gets 503, and nothing of it is stored. */
const patienceMs = 1_000

/** Makes the application from its parts, in this one place. Throws a StartFault, which says what to do. */
export async function createApp(config: AppConfig): Promise<App> {
  const { data_folder, settings, clock = systemClock, log = createLog(settings) } = config
  const unlock = lockOrRefuse(data_folder)
  try {
    const store = await openOwnStore(config, { clock, log })
    if (store.hasRoom()) await noteProgramVersion(store, version, judgeAllAgain)
    if (store.peers) await shareAuditKey(store, data_folder, settings.OUTLAY_AUDIT_KEY_FILE)
    const parts = await createParts(store, { ...config, log })
    const { deps, replica, entry_codes, local_secret, vapid_keys } = parts
    const stopSweeping = await sweepNowAndThen(deps.blobs, clock)
    const folder = snapshotFolder(data_folder, settings)
    const everyMs = settings.OUTLAY_SNAPSHOT_MINUTES * 60_000
    const snapshots = createSnapshotKeeper({ store, clock, log, data_folder, folder, everyMs })
    const health = createHealth({
      store,
      data_folder,
      checkFiles: () => deps.blobs.check(),
      makesSnapshots: () => !snapshots.failures().isFailing,
    })
    const metrics = await startMetrics(settings, { store, clock, snapshots })
    const server = await createHttpServer(deps, { health, metrics })
    // Captures that a crashed process left.
    deps.captures.wake()
    await deps.imports.begin()
    await deps.exports.begin()
    const public_url = () => settings.OUTLAY_PUBLIC_URL ?? listeningUrl(server)
    const { blobs, inspector } = deps
    const ofMail = { captures: deps.captures, signing_secret: deps.signing_secret, upload_max_bytes: deps.settings.upload_max_bytes }
    const jobs = startJobs({
      store,
      clock,
      log,
      settings,
      data_folder,
      vapid_keys,
      public_url,
      showHere: config.showHere,
      blobs,
      inspector,
      statements: deps.statements,
      ...ofMail,
    })
    const watcher = config.keepsInSync ? watchRemote({ replica, store, clock, log }) : undefined
    const tightening = tightenFolders([data_folder, folder])
    if (store.isFile) {
      snapshots.begin()
      parts.verifier.begin()
      void parts.recoveries.examine()
    }
    const close = async () => {
      await watcher?.close()
      await Promise.all([snapshots.close(), tightening])
      const late = setTimeout(() => void inspector.close(), patienceMs)
      await server.close()
      clearTimeout(late)
      await Promise.all([inspector.close(), jobs.close()])
      stopSweeping()
      await metrics?.close()
      await parts.close()
      await store.close()
      unlock()
    }
    return { server, store, replica, verifier: parts.verifier, entry_codes, local_secret, stopSoon: health.stopSoon, close }
  } catch (error) {
    unlock()
    throw error
  }
}

async function startMetrics(settings: Settings, source: Measured): Promise<Metrics | undefined> {
  const { OUTLAY_METRICS_PORT: port, OUTLAY_METRICS_HOST: host } = settings
  // Loaded on demand.
  return port === undefined ? undefined : (await import('./monitoring/metrics')).serveMetrics(source, { host, port })
}

/** Removes unfinished uploads, now and every hour; returns a function that stops it. */
async function sweepNowAndThen(blobs: BlobStore, clock: Clock): Promise<() => void> {
  await blobs.sweepIncoming(abandonedUploadMs, clock.now())
  const sweep = () => void blobs.sweepIncoming(staleUploadMs, clock.now()).catch((error: Error) => process.emitWarning(error))
  const timer = setInterval(sweep, abandonedUploadMs).unref()
  return () => clearInterval(timer)
}

/** The address of a server without a public address. */
function listeningUrl({ server }: HttpServer): string {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 4870}`
}

function toServerSettings(settings: Settings, web_folder: string | null): ServerSettings {
  return {
    upload_ttl_s: settings.OUTLAY_UPLOAD_TTL_S,
    upload_max_bytes: settings.OUTLAY_UPLOAD_MAX_BYTES,
    request_timeout_ms: settings.OUTLAY_REQUEST_TIMEOUT_MS,
    partial_uploads: { files: settings.OUTLAY_PARTIAL_UPLOADS, bytes: settings.OUTLAY_PARTIAL_UPLOAD_BYTES },
    rate_limit: settings.OUTLAY_RATE_LIMIT,
    allowed_hosts: [...settings.OUTLAY_ALLOWED_HOSTS, ...(settings.OUTLAY_PUBLIC_URL ? [new URL(settings.OUTLAY_PUBLIC_URL).host] : [])],
    public_url: settings.OUTLAY_PUBLIC_URL ?? null,
    trusts: toTrust(settings.OUTLAY_TRUSTED_PROXIES),
    allow_private_targets: settings.OUTLAY_WEBHOOK_ALLOW_PRIVATE,
    web_folder,
    reads_receipts: settings.OUTLAY_READ_RECEIPTS,
    mail_address: mailAddressOf(settings),
    has_mail_server: settings.OUTLAY_SMTP_URL !== undefined,
    email_sign_in: settings.OUTLAY_SMTP_URL !== undefined && settings.OUTLAY_EMAIL_SIGN_IN,
    is_syncing: settings.OUTLAY_SYNC,
    version,
  }
}

/** Logs structured lines on standard error; standard output is for results. */
export function createLog({ OUTLAY_LOG }: Pick<Settings, 'OUTLAY_LOG'>): Logger {
  return pino({ level: OUTLAY_LOG, base: null }, pino.destination({ dest: 2, sync: false }))
}
