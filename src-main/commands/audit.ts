import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { defaultLanguage } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { systemClock } from '../clock'
import type { Store } from '../store/core/store'
import { isReplica } from '../store/sync/replica-state'
import { type AuditKey, auditKeyFile, findAuditKey } from '../use-cases/audit/audit-key'
import { type KnownHead, type TrailProblem, type TrailReport, verifyTrail } from '../use-cases/audit/verify-trail'
import { type PackOptions, writePack } from '../use-cases/audit/write-pack'
import { writeFileWhole } from '../use-cases/exports/run-export'
import { existingFolderOf, getOrganization, openFilesOf, toId, usableSettings, withStoreOf } from './command-context'
import { CallError, type DataOption, WorkFailed, dataCommand, print, tell } from './data-command'

interface KeyOption extends DataOption {
  readonly key?: readonly string[]
}
interface VerifyOptions extends KeyOption {
  readonly organization?: number
  readonly head?: readonly string[]
  readonly heads?: string
}
interface ExportOptions extends KeyOption {
  readonly organization: number
  readonly from?: string
  readonly to?: string
}

/** `outlay audit verify|export`: verifies the audit trail, and writes the auditor's pack. */
export function auditCommand(command: Command): Command {
  return command
    .addCommand(
      dataCommand('verify', 'Compare the audit trail and its files with their seals')
        .option('--organization <id>', 'of one organization only', toId)
        .option('--head <hex>', 'a head that must be in the chain; repeatable', (text, all: string[]) => [...all, toHead(text)], [])
        .option('--heads <file>', 'a file that heads were witnessed in; OUTLAY_WITNESS_FILE, if not given')
        .option('--key <base64>', 'a further public key that may have signed; repeatable', collect, [])
        .action(runVerify),
    )
    .addCommand(
      dataCommand('export', "Write the auditor's pack of a period as a ZIP file")
        .argument('<file>', 'the new file')
        .requiredOption('--organization <id>', 'the organization', toId)
        .option('--from <day>', 'first day, such as 2026-01-01', toDay)
        .option('--to <day>', 'last day, such as 2026-12-31', toDay)
        .option('--key <base64>', 'a further public key that may have signed; repeatable', collect, [])
        .action(runPack),
    )
}

const collect = (text: string, all: string[]) => [...all, text]

function toHead(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('a head has 64 hexadecimal digits')
  return text.toLowerCase()
}

function toDay(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))) throw new InvalidArgumentError('a day is written as 2026-01-31')
  return text
}

const witnessed = z.object({ organization_id: z.int(), head: z.string() })

/** The heads in a file with one JSON object per line. Throws {@link WorkFailed} if it cannot be read. */
export async function readWitnessed(path: string): Promise<KnownHead[]> {
  try {
    const lines = (await readFile(path, 'utf8')).split('\n')
    // A line that a power failure cut off was written again.
    return lines.flatMap((line) => {
      const parsed = z.string().transform(parseJson).pipe(witnessed).safeParse(line)
      return parsed.success ? [parsed.data] : []
    })
  } catch (error) {
    throw new WorkFailed(`The file of heads ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Verifies a folder's trail with the operator's keys and heads. */
export async function verifyFolder(
  store: Store,
  folder: string,
  {
    organization,
    head = [],
    heads,
    key = [],
    withoutFiles = false,
    onProgress,
  }: Omit<VerifyOptions, 'data'> & { readonly withoutFiles?: boolean; readonly onProgress?: (done: number) => void },
): Promise<TrailReport & { readonly key: AuditKey | undefined }> {
  const own = await findAuditKey(folder)
  const path = heads ?? usableSettings(folder).OUTLAY_WITNESS_FILE
  const known = path !== undefined && (heads !== undefined || existsSync(path)) ? await readWitnessed(path) : []
  const given = head.map((one): KnownHead => ({ head: one, ...(organization !== undefined && { organization_id: organization }) }))
  const options = {
    trusted: [...(own ? [own.public_key] : []), ...key],
    heads: [...known, ...given],
    now: systemClock.now(),
    ...(!withoutFiles && { blobs: await openFilesOf(folder) }),
    ...(organization !== undefined && { organization_id: organization }),
    ...(onProgress && { onProgress }),
  }
  // At one moment: a record that changes meanwhile would differ from entries read before.
  return { ...(await store.snapshot((reader) => verifyTrail(reader, options))), key: own }
}

/** A problem as one line. */
export function wordProblem({ code, number, activity_id, about }: TrailProblem): string {
  return translate('en', `audit:problems.${code}`, { number: number ?? 0, activity_id: activity_id ?? 0, about: about ?? '' })
}

const nowhere = { organization_id: 0, number: null, activity_id: null } as const

/** Reports progress every second on standard error, as standard output is for the result. */
function progressTeller(): (done: number) => void {
  let last = systemClock.monotonicMs()
  return (done) => {
    if (systemClock.monotonicMs() - last < 1_000) return
    last = systemClock.monotonicMs()
    tell(`${done} entries and records verified …`)
  }
}

async function runVerify(options: VerifyOptions): Promise<void> {
  const folder = existingFolderOf(options)
  await withStoreOf(folder, async (store) => {
    if (await isReplica(store.reader))
      throw new WorkFailed('This folder is a replica, and its remote seals the trail. Run this command there.')
    if (options.organization !== undefined) await getOrganization(store.reader, options.organization)
    const { problems: found, chains, key } = await verifyFolder(store, folder, { ...options, onProgress: progressTeller() })
    // Other programs that change a row do not update the sums of rows.
    const rows = (store.isFile ? store.problems() : []).map((about) => ({ ...nowhere, code: 'rows' as const, about }))
    const problems: readonly TrailProblem[] = [...found, ...rows]
    print({
      ok: problems.length === 0,
      problems: problems.map((one) => `Organization ${one.organization_id}: ${wordProblem(one)}`),
      public_key: key?.public_key ?? null,
      chains,
    })
    if (problems.length > 0)
      throw new WorkFailed('The audit trail is not as it was sealed. Keep this folder unchanged and compare it with a backup.')
  })
}

async function runPack(file: string, options: ExportOptions): Promise<void> {
  if (options.from !== undefined && options.to !== undefined && options.to < options.from)
    throw new CallError(`--to ${options.to} is before --from ${options.from}.`)
  const folder = existingFolderOf(options)
  if (existsSync(file)) throw new WorkFailed(`${file} is there already. Name a new file.`)
  const key = await findAuditKey(folder)
  if (!key) throw new WorkFailed(`Nothing has been sealed yet: there is no key ${join(folder, auditKeyFile)}. Start Outlay first.`)
  const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
  await withStoreOf(folder, async (store) => {
    const organization = await getOrganization(store.reader, options.organization)
    const blobs = await openFilesOf(folder)
    const { from = null, to, key: earlier_keys = [] } = options
    const until = to === undefined ? null : dayAfter(to)
    const of: PackOptions = { organization, from, to: until, made_at: systemClock.now(), locale: defaultLanguage, key, earlier_keys }
    const written = await writeFileWhole(file, writePack(store.reader, blobs, of))
    print({ file, ...written })
  })
}
