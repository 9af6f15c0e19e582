import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import type { Shelf } from '#main/files/shelf'
import type { Store } from '#main/store/core/store'
import type { Desk, DeskKind } from './desk'
import { type DeskFolder, FolderDesk } from './folder-desk'
import { SharedDesk } from './shared-desk'

interface Opening<R> {
  readonly kind: DeskKind<R>
  readonly data_folder: string
  /** The records and files of one process. */
  readonly files: DeskFolder<R>
  readonly shelf: Shelf | undefined
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
}

/** The desk of the servers on a database that share their files; of one process, where there is no such thing. */
export function openDesk<R extends { readonly id: string }>({ files, shelf, ...parts }: Opening<R>): Desk<R> {
  return parts.store.peers && shelf ? new SharedDesk({ ...parts, shelf }) : new FolderDesk({ ...parts, files })
}
