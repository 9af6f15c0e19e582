import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import { Option } from 'commander'
import { systemClock } from '../clock'
import { bucketOf } from '../config/settings'
import { BlobMissing, type BlobStore, createBlobStore } from '../files/blob-store'
import { openBlobStore } from '../files/open-blob-store'
import { readOrMakeIdentity } from '../store/core/instance-settings'
import { listAllBlobs } from '../store/core/instance-reader'
import type { Store } from '../store/core/store'
import { listBlobTransfers } from '../store/sync/sync-blobs'
import { existingFolderOf, usableSettings, withStoreOf } from './command-context'
import { type DataOption, CallError, WorkFailed, dataCommand, print, tell } from './data-command'

interface CopyOptions extends DataOption {
  readonly to: 'bucket' | 'folder'
}

/** `outlay files copy`: copies a folder's files to a bucket, or back, and verifies each copy. */
export function filesCommand(command: Command): Command {
  const copy = dataCommand('copy', 'Copy all files from the folder to the bucket of OUTLAY_BUCKET_URL, or back')
    .addOption(new Option('--to <place>', 'bucket or folder').choices(['bucket', 'folder']).makeOptionMandatory())
    .action(runCopy)
  return command.addCommand(copy)
}

const atOnce = 8
const reportedEvery = 1_000

async function runCopy(options: CopyOptions): Promise<void> {
  const folder = existingFolderOf(options)
  const place = bucketOf(usableSettings(folder))
  if (!place) throw new CallError('"outlay files copy" needs a bucket: set OUTLAY_BUCKET_URL and its keys.')
  const [inFolder, inBucket] = [
    createBlobStore(folder, { randomId: () => systemClock.uid() }),
    await openBlobStore(folder, { place, clock: systemClock }),
  ]
  const [from, to] = options.to === 'bucket' ? [inFolder, inBucket] : [inBucket, inFolder]
  try {
    const done = await withStoreOf(folder, async (store) => {
      await inBucket.own((await readOrMakeIdentity(store, systemClock)).instance_uid)
      return copyAll(store, from, to)
    })
    print({ ok: done.problems.length === 0, ...done })
    if (done.problems.length > 0) throw new WorkFailed('Everything else was copied. Nothing was removed.')
  } finally {
    inBucket.close()
  }
}

/** Copies the named files, except those that are already there and intact. */
async function copyAll({ reader }: Store, from: BlobStore, to: BlobStore) {
  const done = { copied: 0, present: 0, bytes: 0, problems: new Array<string>() }
  // A replica fetches some files only on demand.
  const elsewhere = new Set((await listBlobTransfers(reader, 'down')).map(({ sha256 }) => sha256))
  const waiting = (await listAllBlobs(reader)).values()
  const lane = async () => {
    for (const { sha256, bytes } of waiting) {
      const outcome = await copyOne(sha256, from, to)
      if (outcome === 'missing' && elsewhere.has(sha256)) continue
      if (outcome === 'copied' || outcome === 'present') {
        done[outcome] += 1
        done.bytes += bytes
        if ((done.copied + done.present) % reportedEvery === 0) tell(`${done.copied + done.present} files are there.`)
      } else done.problems.push(`The file ${sha256} is ${outcome}.`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  done.problems.sort()
  return done
}

async function copyOne(sha256: string, from: BlobStore, to: BlobStore): Promise<'copied' | 'present' | 'missing' | 'damaged'> {
  const there = (await to.verify(sha256)).kind
  if (there === 'intact') return 'present'
  if (there === 'damaged') await to.remove(sha256)
  try {
    const received = await from.withFile(sha256, ({ path }) => to.receive(createReadStream(path), { maxBytes: Number.MAX_SAFE_INTEGER }))
    if (received.sha256 === sha256) await to.keep(received)
    else await received.discard()
    if (received.sha256 !== sha256) return 'damaged'
  } catch (error) {
    if (error instanceof BlobMissing) return 'missing'
    throw error
  }
  return (await to.verify(sha256)).kind === 'intact' ? 'copied' : 'damaged'
}
