import { z } from 'zod'
import { type ListFilter, parseFilter } from '#shared/contract/filters'
import type { ListOptions } from '#shared/contract/route'
import { listOrganizations } from '../store/core/instance-reader'
import type { Reader, Store } from '../store/core/store'
import { getOrganization } from './command-context'
import { CallError, WorkFailed } from './data-command'
import { wordError } from './wording'

/** The unparsed filters of `--q`. Throws {@link CallError}. */
export function readQuery(text = '{}'): Readonly<Record<string, unknown>> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new CallError('--q is not JSON: write it as --q \'{"status_eq":"approved"}\'.')
  }
  const q = z.record(z.string(), z.unknown()).safeParse(json)
  if (!q.success) throw new CallError('--q is not a JSON object: write it as --q \'{"status_eq":"approved"}\'.')
  return q.data
}

/** The filters of `--q`, parsed for a list. Throws {@link CallError}. */
export function filterOf(options: ListOptions, q: Readonly<Record<string, unknown>>): ListFilter {
  const parsed = parseFilter(options, q)
  if (parsed.kind === 'invalid') throw new CallError(`--q: ${parsed.errors.map(wordError).join(', ')}`)
  return parsed.filter
}

/**
 * Runs reads of one moment. Throws {@link WorkFailed} if the database is damaged, whatever else failed. The indexes of the table `readByKey` do not
 * matter.
 */
export async function undamaged(
  store: Store,
  read: (reader: Reader) => Promise<void>,
  options?: { readonly readByKey: string },
): Promise<void> {
  try {
    await store.snapshot(read)
  } finally {
    const [problem] = store.problems(options)
    if (problem !== undefined) throw new WorkFailed(`The database is damaged, and the export may be wrong: ${problem}`)
  }
}

/** The named organization, or all. */
export async function listChosen(reader: Reader, organization_id: number | undefined) {
  return organization_id === undefined ? listOrganizations(reader) : [await getOrganization(reader, organization_id)]
}

const ignore = () => undefined

/** Writes as fast as the reader accepts; a reader that closes early (`| head`) ends the export without an error. */
export async function writeOut(chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  // Each write reports its own error; without a listener the event would end the process.
  process.stdout.off('error', ignore).on('error', ignore)
  for await (const chunk of chunks) {
    const isGone = await new Promise<boolean>((resolve, reject) => {
      process.stdout.write(chunk, (error) => {
        if (!error) resolve(false)
        else if ('code' in error && error.code === 'EPIPE') resolve(true)
        else reject(error)
      })
    })
    if (isGone) return
  }
}
