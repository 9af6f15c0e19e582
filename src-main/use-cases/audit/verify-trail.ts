import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Row } from '#db/schema'
import type { BlobStore } from '#main/files/blob-store'
import { type ProvedEntry, entryHashes, headOf, isSigned, noHead, provesDetails, rootOf } from '#main/store/audit/seal-format'
import {
  countWaiting,
  findLastSealed,
  listChains,
  listEntriesOfChain,
  listSeals,
  listStrayParts,
  withParts,
} from '#main/store/audit/seal-reader'
import type { Reader } from '#main/store/core/store'
import { type ComparedTo, compareRecords } from './compare-records'

/** The problems that a verification can find. Each has a text, `audit:problems.<code>`. */
export const problemCodes = [
  ...(['number', 'previous', 'signature', 'key', 'order', 'entries', 'root', 'details'] as const),
  ...(['file_missing', 'file_damaged', 'head', 'unsealed', 'waiting', 'stray'] as const),
  ...(['record', 'record_derived', 'record_unknown', 'record_gone', 'record_missing', 'rows'] as const),
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** Something that differs from its seal: the chain, and the seal or entry. */
export interface TrailProblem {
  readonly code: ProblemCode
  readonly organization_id: number
  readonly number: number | null
  readonly activity_id: number | null
  /** The hash, key or time of the problem. */
  readonly about: string | null
}

/** A head that someone has kept; without an organization it may belong to any. */
export interface KnownHead {
  readonly head: string
  readonly organization_id?: number
}

/** The result for a chain. */
export interface ChainReport {
  readonly organization_id: number
  readonly seals: number
  readonly entries: number
  readonly files: number
  /** The number of entries whose details were erased together with their salts. */
  readonly erased: number
  readonly waiting: number
  readonly waiting_since: string | null
  readonly head: string | null
  readonly sealed_at: string | null
}

export interface TrailReport {
  readonly problems: readonly TrailProblem[]
  readonly chains: readonly ChainReport[]
}

/** A check of a verification; tests leave one out to show that it is needed. */
export type Check = 'signature' | 'previous' | 'root' | 'details' | 'entries' | 'number' | 'files' | 'heads' | 'unsealed' | 'records'

export interface VerifyOptions {
  /** The trusted signing keys, SPKI DER in base64. */
  readonly trusted: readonly string[]
  readonly heads: readonly KnownHead[]
  readonly now: Date
  /** The files; without it they are not read. */
  readonly blobs?: Pick<BlobStore, 'verify'>
  /** One chain; all if absent. */
  readonly organization_id?: number
  readonly without?: ReadonlySet<Check>
  /** Called from time to time with the number of verified entries and records. */
  readonly onProgress?: (done: number) => void
}

/** A running server seals within a minute, so an entry that waits a day shows that none did. */
const longWaitMs = 86_400_000
const sealsAtOnce = 100
/** This many entries take a fraction of a second; hashing a file counts as many. */
const mostAtOnce = 5_000
const fileCost = 50
const mostProblems = 1_000

/** The state of a running verification. */
class Verification {
  readonly problems: TrailProblem[] = []
  readonly #verified = new Map<string, 'intact' | 'damaged' | 'missing'>()
  readonly heads: Set<string>
  done = 0
  constructor(
    readonly reader: Reader,
    readonly options: VerifyOptions,
  ) {
    this.heads = new Set(options.heads.map(({ head }) => head))
  }

  has(check: Check): boolean {
    return !this.options.without?.has(check)
  }

  note(code: ProblemCode, of: Partial<Omit<TrailProblem, 'code'>>): void {
    if (this.problems.length >= mostProblems) return
    this.problems.push({ organization_id: 0, number: null, activity_id: null, about: null, ...of, code })
  }

  /** Adds to the number of verified entries or records. */
  advance(count: number): void {
    this.done += count
    this.options.onProgress?.(this.done)
  }

  async checkFile(sha256: string, of: { organization_id: number; activity_id: number }): Promise<void> {
    const { blobs } = this.options
    if (!blobs || !this.has('files')) return
    const known = this.#verified.get(sha256) ?? (await blobs.verify(sha256)).kind
    this.#verified.set(sha256, known)
    if (known !== 'intact') this.note(known === 'missing' ? 'file_missing' : 'file_damaged', { ...of, about: sha256 })
  }
}

type Seal = Row<'audit_seals'>

/** Compares the trail with its seals, seals with each other, both with heads kept elsewhere, and records with the trail. Only reads. */
export async function verifyTrail(reader: Reader, options: VerifyOptions): Promise<VerifyStep> {
  const verification = new Verification(reader, options)
  const { organization_id } = options
  const chains: ChainReport[] = []
  const last = await findLastSealed(reader)
  for (const id of organization_id === undefined ? await listChains(reader) : [organization_id])
    chains.push(await verifyChain(verification, { organization_id: id, last }))
  if (organization_id === undefined)
    for (const activity_id of await listStrayParts(reader, last)) verification.note('stray', { activity_id })
  const concerned = options.heads.filter((one) => organization_id === undefined || one.organization_id === organization_id)
  if (verification.has('heads'))
    for (const { head, organization_id: of = 0 } of concerned)
      if (verification.heads.has(head)) verification.note('head', { organization_id: of, about: head })
  if (verification.has('records'))
    for (let at: ComparedTo | undefined = { kinds: 0, after: Number.MIN_SAFE_INTEGER }; at;) {
      at = await verifyRecords(verification, { organization_id, ...at })
      await nextTurn()
    }
  return { problems: verification.problems, chains, checked: verification.done, next: undefined }
}

/** Where a stepwise verification continues: after a seal, or at records. */
export type VerifyPlace = { readonly part: 'seals'; readonly after: number } | ({ readonly part: 'records' } & ComparedTo)

/** The result of a step. `checked`: the number of entries and records; `next`: the next step; undefined after the last one. */
export interface VerifyStep extends TrailReport {
  readonly checked: number
  readonly next: VerifyPlace | undefined
}

/** Verifies a part of {@link verifyTrail}, within a fraction of a second. Does not look for known heads. */
export async function verifyStep(
  reader: Reader,
  { place, ...options }: VerifyOptions & { readonly organization_id: number; readonly place: VerifyPlace | undefined },
): Promise<VerifyStep> {
  const verification = new Verification(reader, options)
  const { problems } = verification
  const { organization_id } = options
  if (place?.part === 'records') {
    const next = await verifyRecords(verification, { organization_id, ...place })
    return { problems, chains: [], checked: verification.done, next: next && { part: 'records', ...next } }
  }
  const [before] = place ? await listSeals(reader, { organization_id, after: place.after - 1, limit: 1 }) : []
  const last = await findLastSealed(reader)
  const stretch = await verifySeals(verification, { organization_id, before })
  const chain = await reportChain(verification, { organization_id, last, ...stretch })
  const next: VerifyPlace =
    stretch.isEnd || !stretch.before
      ? { part: 'records', kinds: 0, after: Number.MIN_SAFE_INTEGER }
      : { part: 'seals', after: stretch.before.number }
  return { problems, chains: [chain], checked: verification.done, next }
}

async function verifyRecords(
  verification: Verification,
  at: ComparedTo & { organization_id: number | undefined },
): Promise<ComparedTo | undefined> {
  const { problems, count, next } = await compareRecords(verification.reader, at)
  for (const { code, ...of } of problems) verification.note(code, of)
  verification.advance(count)
  return next
}
/** Seals of a chain that were verified together; `before`: the last of them. */
interface Stretch {
  readonly sums: Pick<ChainReport, 'seals' | 'entries' | 'files' | 'erased'>
  readonly before: Seal | undefined
  readonly isEnd: boolean
}

async function verifyChain(
  verification: Verification,
  { organization_id, last }: { organization_id: number; last: number },
): Promise<ChainReport> {
  let whole: Stretch = { sums: { seals: 0, entries: 0, files: 0, erased: 0 }, before: undefined, isEnd: false }
  while (!whole.isEnd) {
    const { sums, before, isEnd } = await verifySeals(verification, { organization_id, before: whole.before })
    const { seals, entries, files, erased } = whole.sums
    whole = {
      sums: { seals: seals + sums.seals, entries: entries + sums.entries, files: files + sums.files, erased: erased + sums.erased },
      before,
      isEnd,
    }
  }
  return reportChain(verification, { organization_id, last, ...whole })
}

/** Verifies the seals after one, until the end or a limit. */
async function verifySeals(
  verification: Verification,
  { organization_id, before: first }: { organization_id: number; before: Seal | undefined },
): Promise<Stretch> {
  const after = first?.number ?? Number.MIN_SAFE_INTEGER
  const seals = await listSeals(verification.reader, { organization_id, after, limit: sealsAtOnce })
  const sums = { seals: 0, entries: 0, files: 0, erased: 0 }
  let before = first
  for (const seal of seals) {
    checkSeal(verification, seal, before)
    const found = await checkEntries(verification, seal, before)
    sums.seals += 1
    sums.entries += found.entries
    sums.files += found.files
    sums.erased += found.erased
    before = seal
    verification.advance(found.entries)
    await nextTurn()
    if (sums.entries + sums.files * fileCost > mostAtOnce) return { sums, before, isEnd: false }
  }
  return { sums, before, isEnd: seals.length < sealsAtOnce }
}

/** The result for a chain and, at its end, entries that wait or were left out. */
async function reportChain(
  verification: Verification,
  { organization_id, last, sums, before, isEnd }: Stretch & { organization_id: number; last: number },
): Promise<ChainReport> {
  const { reader, options } = verification
  const after = before?.last_id ?? Number.MIN_SAFE_INTEGER
  const waiting = isEnd ? await countWaiting(reader, { organization_id, after }) : { count: 0, oldest: null }
  if (isEnd && verification.has('unsealed'))
    for (const { id } of await listEntriesOfChain(reader, { organization_id, after, until: last, limit: 10 }))
      verification.note('unsealed', { organization_id, activity_id: id })
  if (waiting.oldest !== null && options.now.getTime() - Date.parse(waiting.oldest) > longWaitMs)
    verification.note('waiting', { organization_id, about: waiting.oldest })
  const { head = null, sealed_at = null } = before ?? {}
  return { organization_id, ...sums, waiting: waiting.count, waiting_since: waiting.oldest, head, sealed_at }
}

/** Checks a seal alone, and as the successor of another. */
function checkSeal(verification: Verification, seal: Seal, before: Seal | undefined): void {
  const { organization_id, number, public_key } = seal
  const note = (code: ProblemCode, about: string | null = null) => verification.note(code, { organization_id, number, about })
  const head = headOf(seal)
  if (verification.has('number') && number !== (before?.number ?? 0) + 1) note('number')
  if (verification.has('previous') && seal.previous !== (before?.head ?? noHead)) note('previous')
  if (verification.has('signature') && (head !== seal.head || !isSigned(seal))) note('signature')
  if (verification.has('signature') && !verification.options.trusted.includes(public_key)) note('key', public_key)
  const isCounted = seal.total === (before?.total ?? 0) + seal.entries
  if (!isCounted || seal.first_id > seal.last_id || (before && seal.first_id <= before.last_id)) note('order')
  verification.heads.delete(head)
}

/** Checks a seal's entries, from the one after the previous seal, so that none can be inserted between two seals. */
async function checkEntries(verification: Verification, seal: Seal, before: Seal | undefined) {
  const { reader } = verification
  const { organization_id, number, last_id: until } = seal
  const after = before?.last_id ?? Number.MIN_SAFE_INTEGER
  const limit = seal.entries + 1
  const rows = await listEntriesOfChain(reader, { organization_id, after, until, limit: Math.min(Math.max(limit, 1), 10_000) })
  const proved = await withParts(reader, rows)
  const isWhole = rows.length === seal.entries && rows[0]?.id === seal.first_id && rows.at(-1)?.id === until
  if (verification.has('entries') && !isWhole) verification.note('entries', { organization_id, number })
  if (verification.has('root') && rootOf(proved.map(entryHashes)) !== seal.root) verification.note('root', { organization_id, number })
  const files = await checkParts(verification, proved, organization_id)
  return { entries: rows.length, files, erased: proved.filter(isErased).length }
}

async function checkParts(verification: Verification, proved: readonly ProvedEntry[], organization_id: number) {
  let files = 0
  for (const one of proved) {
    const of = { organization_id, activity_id: one.entry.id }
    if (verification.has('details') && !provesDetails(one)) verification.note('details', of)
    if (one.part?.sha256 == null) continue
    files += 1
    await verification.checkFile(one.part.sha256, of)
  }
  return files
}

function isErased({ part }: ProvedEntry): boolean {
  return part?.details_hash != null && part.salt === null
}
