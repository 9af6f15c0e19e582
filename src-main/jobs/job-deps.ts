import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import type { Settings } from '#main/config/settings'
import type { BlobStore } from '#main/files/blob-store'
import type { Inspector } from '#main/files/inspect'
import type { Store } from '#main/store/core/store'
import type { CaptureProcessor } from '#main/use-cases/captures/create-capture-processor'
import type { VapidKeys } from '#main/use-cases/notifications/read-or-make-vapid-keys'
import type { Mailer } from './mailer'

/** What the service worker of a device shows; `url` is a path of Outlay, and a push replaces one that is shown with its `tag`. */
export interface PushPayload {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly tag: string
}

/** What the jobs of an instance are put together from. */
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
  /** What the personal addresses for receipts follow from. */
  readonly signing_secret: string
  readonly upload_max_bytes: number
  /** How push services know this instance. */
  readonly vapid_keys: VapidKeys
  /** {scheme}://{host} by which people reach this instance: links in messages begin with it. */
  readonly public_url: () => string
  /** Shows a notification on the computer that this runs on. */
  readonly showHere?: (payload: PushPayload) => void
}
