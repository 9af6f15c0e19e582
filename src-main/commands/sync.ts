import type { Command } from 'commander'
import { systemClock } from '../clock'
import { watchRemote } from '../sync/watch'
import { isReplica } from '../store/sync/replica-state'
import type { Parts } from '../app'
import { existingFolderOf } from './command-context'
import { type DataOption, WorkFailed, print, tell } from './data-command'
import { withParts } from './remote'
import { waitForSignal } from './signals'

interface SyncOptions extends DataOption {
  readonly watch?: true
  readonly allowDeletions?: true
}

/** `outlay sync`: runs one exchange with the remote, or exchanges until stopped. */
export function syncCommand(command: Command): Command {
  return command
    .option('--watch', 'go on until stopped')
    .option('--allow-deletions', 'let the remote delete what a stopped exchange would have deleted')
    .action(sync)
}

async function sync(options: SyncOptions): Promise<void> {
  await withParts(existingFolderOf(options), async (parts) => {
    if (!(await isReplica(parts.deps.store.reader)))
      throw new WorkFailed('This folder has no remote. Name one with "outlay remote set URL --token T".')
    if (options.allowDeletions) await parts.replica.decide('allow')
    await (options.watch ? watch(parts) : once(parts))
  })
}

async function once({ replica }: Parts): Promise<void> {
  const { ended, report } = await replica.sync()
  print(report)
  if (ended.kind !== 'synced') throw new WorkFailed(ended.error ?? 'The remote cannot be reached.')
}

async function watch({ replica, deps }: Parts): Promise<void> {
  const stop = waitForSignal()
  const total = { pushed: 0, pulled: 0, conflicts: 0, failed: 0, uploads: 0, downloads: 0, ms: 0 }
  const watcher = watchRemote({
    replica,
    store: deps.store,
    clock: systemClock,
    log: deps.log,
    onEnded: ({ ended, report }) => {
      for (const name of ['pushed', 'pulled', 'uploads', 'downloads', 'ms'] as const) total[name] += report[name]
      total.conflicts = report.conflicts
      total.failed = report.failed
      const moved = report.pushed + report.pulled + report.uploads + report.downloads
      if (ended.kind !== 'synced') tell(ended.error ?? 'The remote cannot be reached; trying again.')
      else if (moved > 0) tell(JSON.stringify(report))
    },
  })
  await stop
  await watcher.close()
  print(total)
}
