import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import type { Settings } from '#main/config/settings'
import type { BlobStore } from '#main/files/blob-store'
import type { Inspector } from '#main/files/inspect'
import type { Store } from '#main/store/core/store'
import type { CaptureProcessor } from '#main/use-cases/captures/create-capture-processor'
import type { VapidKeys } from '#main/use-cases/notifications/read-or-make-vapid-keys'
import type { StatementDesk } from '#main/use-cases/statements/statement-desk'
import type { Mailer } from './mailer'

/** What a device's service worker shows. `url`: a path of Outlay. `tag`: a push replaces a shown one with the same tag. */
export interface PushPayload {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly tag: string
}

/** What an instance's jobs need. */
export interface JobDeps {
  readonly store: Store
  readonly data_folder: string
  readonly clock: Clock
  readonly log: Logger
  readonly mailer: Mailer
  readonly settings: Settings
  readonly blobs: BlobStore
  readonly inspector: Inspector
  readonly captures: Pick<CaptureProcessor, 'wake'>
  readonly statements: Pick<StatementDesk, 'match'>
  /** The secret from which personal addresses for receipts are derived. */
  readonly signing_secret: string
  readonly upload_max_bytes: number
  /** Identifies this instance to push services. */
  readonly vapid_keys: VapidKeys
  /** {scheme}://{host} at which people reach this instance; links in messages begin with it. */
  readonly public_url: () => string
  /** Shows a notification on this computer. */
  readonly showHere?: (payload: PushPayload) => void
}
