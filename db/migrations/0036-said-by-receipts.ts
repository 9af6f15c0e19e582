import { type Kysely, sql } from 'kysely'

interface Reading {
  readonly field: string
  readonly value: string
  readonly probability: number
  readonly source: string
}

const statements = [
  // The day and the total that a receipt says for sure, by which repeats of its purchase are looked up, and its seller's tax number.
  `ALTER TABLE receipt_readings ADD COLUMN said TEXT`,
  `ALTER TABLE receipt_readings ADD COLUMN seller TEXT`,
  `CREATE INDEX receipt_readings_said ON receipt_readings (said) WHERE said IS NOT NULL`,
  // Whether the signature of an XML file does not fit what it says. Those that are here are read again for it.
  `ALTER TABLE invoice_keys ADD COLUMN is_altered INTEGER NOT NULL DEFAULT 0`,
  `UPDATE invoice_keys SET is_read = 0 WHERE sha256 IN (SELECT sha256 FROM blobs WHERE content_type IN ('application/xml', 'text/xml'))`,
]

function readingsOf(stored: unknown): Reading[] {
  return Array.isArray(stored) ? stored.filter(isReading) : []
}

function isReading(value: unknown): value is Reading {
  return typeof value === 'object' && value !== null && 'field' in value && 'value' in value && 'probability' in value && 'source' in value
}

const sources = ['code', 'invoice', 'text', 'pixels']

function sureValue(fields: readonly Reading[], field: string, from: number): string | null {
  const rank = ({ source }: Reading) => sources.indexOf(source)
  const [best] = fields.filter((one) => one.field === field).toSorted((a, b) => rank(a) - rank(b) || b.probability - a.probability)
  return best && best.probability >= from ? best.value : null
}

/** What receipts say for sure, and invoices that were altered. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  const read = await sql<{ sha256: string; fields: string }>`SELECT sha256, fields FROM receipt_readings WHERE fields IS NOT NULL`.execute(
    db,
  )
  for (const { sha256, fields: json } of read.rows) {
    const fields = readingsOf(JSON.parse(json))
    const [day, total] = [sureValue(fields, 'date', 0.75), sureValue(fields, 'total', 0.7)]
    if (day === null || total === null) continue
    const [said, seller] = [`${day} ${total}`, sureValue(fields, 'supplier_tax_id', 0.99)]
    await sql`UPDATE receipt_readings SET said = ${said}, seller = ${seller} WHERE sha256 = ${sha256}`.execute(db)
  }
}
