import type { Command } from 'commander'
import { systemClock } from '../clock'
import { readOrMakeSigningSecret } from '../store/core/instance-settings'
import { findLocalUser } from '../store/records/users/user-reader'
import {
  type DataOption,
  assertNoReplica,
  WorkFailed,
  cliActor,
  dataCommand,
  dataFolderOf,
  openFilesOf,
  print,
  withStoreOf,
} from './command-context'

/** `outlay demo`: creates a folder with a small demo organization. */
export function demoCommand(): Command {
  return dataCommand('demo', 'Create a data folder with a small believable organization').action(makeDemo)
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
