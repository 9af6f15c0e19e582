import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textsOfPdf } from '#main/files/ocr/pdf-text'
import { bytesOfPages } from '#main/tables/statements/pdf-rows'
import type { TableSource } from '#main/tables/table-source'
import { plainSource } from '#main/tables/workbook'
import { type ReadStatement, readStatement } from '#main/use-cases/statements/read-statement'
import type { KeptAccount } from '#shared/domain/statements/accounts'
import type { KeptMappings, StatementFormat } from '#shared/domain/statements/mapping'

/** A file as a bank of a country gives it, and what must come of it. Absent values are not looked at. */
export interface StatementFixture {
  readonly file: string
  readonly country: string
  readonly oddity: string
  readonly source: string
  readonly currency: string
  /** The last digits of the card's number, and what its earlier files have shown. */
  readonly card?: string
  readonly kept?: KeptMappings
  readonly accounts?: readonly KeptAccount[]
  /** The account that a person chooses. */
  readonly chosen?: string
  readonly lines: readonly string[]
  readonly kinds?: readonly string[]
  readonly encoding?: string
  readonly account?: string
  readonly opening?: number
  readonly closing?: number
  readonly difference?: number | null
  readonly reason?: string
  readonly left_out?: Readonly<Record<string, number>>
  readonly undecided?: readonly string[]
  readonly notes?: number
  /** The lines that cannot be read. */
  readonly problems?: readonly string[]
  readonly columns?: Readonly<Record<string, string>>
}

/** Where the files are. */
export const fixtureFolder = join(import.meta.dirname, '../../fixtures/statements')
/** The files, each with what must come of it. */
export const statementFixtures = JSON.parse(readFileSync(join(fixtureFolder, 'index.json'), 'utf8')) as StatementFixture[]

/** The bytes of a file. */
export const bytesOf = ({ file }: StatementFixture): Uint8Array => readFileSync(join(fixtureFolder, file))

/** Reads a file, or other bytes in its place, as for its card. */
export function readFixture(
  {
    currency,
    card = '0000',
    kept = {},
    accounts = [],
    chosen,
  }: Pick<StatementFixture, 'currency' | 'card' | 'kept' | 'accounts' | 'chosen'>,
  source: TableSource,
  format?: StatementFormat,
): ReadStatement {
  const account = { last4: card, kept: accounts, hashOf: (key: string) => key, chosen }
  return readStatement(source, { mapping: {}, kept, currency, locale: 'en', account, format })
}

/** The texts of a PDF at this path, as an import gets them. */
export const pagesAt = (path: string) => textsOfPdf(path, { maxPixels: 1_000_000, maxTiffPages: 1, maxPdfPages: 100, maxXmlDepth: 1 })

/** Reads a file of a bank as an import does. */
export async function readFixtureFile(fixture: StatementFixture): Promise<ReadStatement> {
  const path = join(fixtureFolder, fixture.file)
  if (fixture.file.endsWith('.pdf')) return readFixture(fixture, bytesOfPages(await pagesAt(path)), 'pdf')
  const { source, format } = await plainSource(path)
  return readFixture(fixture, source, format)
}
