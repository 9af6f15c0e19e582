import { createPublicKey } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { ZipFile } from 'yazl'
import type { Row } from '#db/schema'
import { toInstant } from '#shared/domain/dates'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { type SharedRecordTable, records } from '#shared/records/index'
import type { BlobStore } from '#main/files/blob-store'
import { findPeriod, listEntriesOfChain, listRecordRows, listSeals, withParts } from '#main/store/audit/seal-reader'
import type { Reader } from '#main/store/core/store'
import { addEntry, zipped } from '../exports/formats/zip-entries'
import type { AuditKey } from './audit-key'

// The script is copied into each pack unchanged.
const scripts = import.meta.glob<string>('./pack/verify.mjs', { query: '?raw', import: 'default', eager: true })

/** The content of a pack. */
export interface PackOptions {
  readonly organization: Row<'organizations'>
  /** Instants; null: from the beginning, until now. `to` is excluded. */
  readonly from: string | null
  readonly to: string | null
  readonly made_at: Date
  readonly locale: Language
  readonly key: AuditKey
  /** More keys that have signed, according to the operator. */
  readonly earlier_keys: readonly string[]
}

interface NamedFile {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

/** The records that a pack's entries name. */
interface Named {
  readonly ids: Map<SharedRecordTable, Set<number>>
  readonly files: Set<string>
}

const tableOf = new Map<string, SharedRecordTable>([
  ...records.flatMap(({ subject, table }) => (subject === undefined ? [] : [[subject, table] as const])),
  ['Comment', 'comments'],
  ['Attachment', 'attachments'],
])
/** A person's own records, which are not for auditors. */
const leftOut: ReadonlySet<string> = new Set(['saved_views'])

/** Writes the auditor's pack of a period as a ZIP archive: trail, seals, files, records, key, instructions, and the script that verifies it. */
export function writePack(reader: Reader, blobs: Pick<BlobStore, 'verify' | 'withFile'>, options: PackOptions): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  return zipped(zip, () => new Pack(zip, { reader, blobs, options }).fill())
}

class Pack {
  readonly #files: NamedFile[] = []
  readonly #missing: string[] = []
  readonly #named: Named = { ids: new Map(), files: new Set() }
  constructor(
    readonly zip: ZipFile,
    readonly from: { reader: Reader; blobs: Pick<BlobStore, 'verify' | 'withFile'>; options: PackOptions },
  ) {}

  async fill(): Promise<void> {
    const { organization, key, locale, made_at, from, to, earlier_keys } = this.from.options
    await this.#add('verify.mjs', [scripts['./pack/verify.mjs'] ?? ''])
    await this.#add('README.txt', [translate(locale, 'audit:pack.readme')])
    const spki = createPublicKey({ key: Buffer.from(key.public_key, 'base64'), format: 'der', type: 'spki' })
    await this.#add('public-key.pem', [spki.export({ format: 'pem', type: 'spki' }).toString()])
    const seals = await this.#addSeals()
    await this.#add('trail.jsonl', this.#trail(seals))
    for (const sha256 of this.#named.files) await this.#addBlob(sha256)
    for (const [table, ids] of this.#named.ids)
      if (!leftOut.has(table)) await this.#add(`records/${table}.jsonl`, this.#rows(table, [...ids]))
    const manifest = {
      format: 'outlay-audit-pack-1',
      organization: { id: organization.id, uid: organization.uid, name: organization.name },
      from,
      to,
      made_at: toInstant(made_at),
      seals: { first: seals.first, last: seals.last, count: seals.count },
      earlier_keys,
      missing: this.#missing,
      files: this.#files,
    }
    const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
    this.zip.addBuffer(bytes, 'manifest.json', { mtime: made_at })
    this.zip.addBuffer(Buffer.from(`${key.sign(bytes)}\n`), 'manifest.sig', { mtime: made_at })
    this.zip.end()
  }

  async #add(name: string, texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const chunks = async function* () {
      for await (const text of texts) yield Buffer.from(text)
    }
    const { made_at } = this.from.options
    this.#files.push({ name, ...(await addEntry(this.zip, name, { chunks, mtime: made_at, compress: true })) })
  }

  /** Adds all seals of the organization; returns those with entries in the period. */
  async #addSeals() {
    const { reader, options } = this.from
    const organization_id = options.organization.id
    const period = await findPeriod(reader, { organization_id, from: options.from ?? '', to: options.to ?? '9999' })
    const found = { first: 0, last: 0, count: 0, range: { after: Number.MIN_SAFE_INTEGER, until: 0 } }
    const lines = async function* () {
      let before: Row<'audit_seals'> | undefined
      for await (const seal of readSeals(reader, organization_id)) {
        const { id: _id, ...shown } = seal
        const isIn = period.first !== null && period.last !== null && seal.last_id >= period.first && seal.first_id <= period.last
        if (isIn && found.first === 0) {
          found.first = seal.number
          found.range.after = before?.last_id ?? found.range.after
        }
        if (isIn) {
          found.last = seal.number
          found.range.until = seal.last_id
        }
        found.count += 1
        before = seal
        yield `${JSON.stringify(shown)}\n`
      }
    }
    await this.#add('seals.jsonl', lines())
    return found
  }

  /** The entries of whole seals, so that each root can be computed again. */
  async *#trail({ first, last, range }: { first: number; last: number; range: { after: number } }): AsyncGenerator<string> {
    const { reader, options } = this.from
    const organization_id = options.organization.id
    let { after } = range
    for await (const seal of readSeals(reader, organization_id, first - 1)) {
      if (first === 0 || seal.number > last) return
      const rows = await listEntriesOfChain(reader, { organization_id, after, until: seal.last_id, limit: seal.entries + 1 })
      after = seal.last_id
      for (const { entry, part } of await withParts(reader, rows)) {
        this.#note(entry)
        if (part?.sha256 != null) this.#named.files.add(part.sha256)
        const { sha256: file = null, salt = null, details_hash = null } = part ?? {}
        yield `${JSON.stringify({ seal: seal.number, ...entry, file, salt, details_hash })}\n`
      }
    }
  }

  #note({ subject_type, subject_id, source_type, source_id, user_id }: Row<'activities'>): void {
    for (const [type, id] of [
      [subject_type, subject_id],
      [source_type, source_id],
      ['User', user_id],
    ] as const) {
      const table = type === null ? undefined : tableOf.get(type)
      if (table === undefined || id === null) continue
      this.#named.ids.set(table, (this.#named.ids.get(table) ?? new Set<number>()).add(id))
    }
  }

  async *#rows(table: SharedRecordTable, ids: readonly number[]): AsyncGenerator<string> {
    for (let at = 0; at < ids.length; at += 1_000)
      for (const row of await listRecordRows(this.from.reader, table, ids.slice(at, at + 1_000))) yield `${JSON.stringify(row)}\n`
  }

  async #addBlob(sha256: string): Promise<void> {
    const { blobs, options } = this.from
    if ((await blobs.verify(sha256)).kind !== 'intact') {
      this.#missing.push(sha256)
      return
    }
    const name = `files/${sha256}`
    const written = await blobs.withFile(sha256, ({ path }) => {
      const chunks = () => createReadStream(path)
      return addEntry(this.zip, name, { chunks, mtime: options.made_at, compress: false })
    })
    this.#files.push({ name, ...written })
  }
}

async function* readSeals(reader: Reader, organization_id: number, after = Number.MIN_SAFE_INTEGER): AsyncGenerator<Row<'audit_seals'>> {
  for (let from = after; ;) {
    const seals = await listSeals(reader, { organization_id, after: from, limit: 100 })
    yield* seals
    const last = seals.at(-1)
    if (!last) return
    from = last.number
  }
}
