import type { Command } from 'commander'
import { systemClock } from '../clock'
import { readOrMakeSigningSecret } from '../store/core/instance-settings'
import { findLocalUser } from '../store/records/users/user-reader'
import { assertNoReplica, cliActor, dataFolderOf, openFilesOf, withStoreOf } from './command-context'
import { type DataOption, WorkFailed, print } from './data-command'

/** `outlay demo`: creates a folder with a small demo organization. */
export function demoCommand(command: Command): Command {
  return command.action(makeDemo)
}

async function makeDemo(options: DataOption): Promise<void> {
  const folder = dataFolderOf(options)
  const blobs = await openFilesOf(folder)
  const result = await withStoreOf(folder, async (store) => {
    await assertNoReplica(store)
    const signing_secret = await readOrMakeSigningSecret(store, systemClock)
    return store.transact(cliActor(0), async (tx) => {
      if (await findLocalUser(tx)) throw new WorkFailed(`${folder} already holds an organization. Name an empty folder with --data.`)
      const { fillWithDemo } = await import('../demo/fill-with-demo')
      return fillWithDemo(tx, { blobs, signing_secret })
    })
  })
  print(result)
}
