import { z } from 'zod'
import { readRecords } from './records'

/** The encodings a tabular file may have, by their WHATWG names. */
export type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252'

const DELIMITERS = [';', ',', '\t', '|'] as const

/** The characters that may stand between fields. */
export type Delimiter = (typeof DELIMITERS)[number]

/** How the bytes of a file become records. `header_line` is the physical line of the column names, from 1. */
export interface TableFormat {
  encoding: Encoding
  delimiter: Delimiter
  header_line: number
  quote: '"' | "'" | ''
}

/** The encoding a label such as `latin1`, `ISO-8859-1`, `utf8` or `UTF-16` stands for, if it can be read. */
export function findEncoding(label: string): Encoding | undefined {
  try {
    const { encoding } = new TextDecoder(label)
    return encoding === 'utf-8' || encoding === 'utf-16le' || encoding === 'windows-1252' ? encoding : undefined
  } catch {
    return undefined
  }
}

/** The parts of a format that a map file or an option may state; what is left out is detected. */
export const formatOverridesSchema = z.strictObject({
  encoding: z
    .string()
    .transform((label, context) => {
      const encoding = findEncoding(label)
      if (encoding !== undefined) return encoding
      context.addIssue({ code: 'custom', message: `cannot read the encoding ${label}` })
      return z.NEVER
    })
    .optional(),
  delimiter: z.enum(DELIMITERS).optional(),
  header_line: z.int().min(1).optional(),
  quote: z.enum(['"', "'", '']).optional(),
})

/** The stated parts of a format. */
export type FormatOverrides = Partial<TableFormat>

/** Enough records to tell a habit from an accident. */
const SAMPLE_RECORDS = 100

/**
 * Finds how a file is written: encoding by byte order mark, else UTF-8 where the bytes are valid, else
 * windows-1252; delimiter by how evenly it cuts the first 100 records; header line as the first
 * with as many fields as most have, so that lines above the header are skipped.
 */
export function detectFormat(bytes: Uint8Array, overrides: FormatOverrides = {}): TableFormat {
  return decodeTable(bytes, overrides).format
}

/** As `detectFormat`, with the decoded text. Bytes that are not of the stated encoding become U+FFFD. */
export function decodeTable(bytes: Uint8Array, overrides: FormatOverrides = {}): { format: TableFormat; text: string } {
  const encoding = overrides.encoding ?? detectEncoding(bytes)
  const text = new TextDecoder(encoding).decode(bytes)
  const quote = overrides.quote ?? '"'
  const candidates = (overrides.delimiter === undefined ? DELIMITERS : [overrides.delimiter]).map((delimiter) =>
    weighDelimiter(text, { delimiter, quote }),
  )
  const best = candidates.reduce((winner, candidate) => (candidate.weight > winner.weight ? candidate : winner))
  const { delimiter } = best.weight > 0 || overrides.delimiter !== undefined ? best : { delimiter: ',' as const }
  return { text, format: { encoding, delimiter, quote, header_line: overrides.header_line ?? best.header_line } }
}

function detectEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

interface WeighedDelimiter {
  delimiter: Delimiter
  weight: number
  header_line: number
}

function weighDelimiter(text: string, syntax: { delimiter: Delimiter; quote: string }): WeighedDelimiter {
  const sample: { line: number; fields: string[] }[] = []
  let read = 0
  for (const record of readRecords(text, syntax)) {
    if (record.kind === 'record') sample.push(record)
    read += 1
    if (read === SAMPLE_RECORDS) break
  }
  const counts = new Map<number, number>()
  for (const { fields } of sample) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1)
  const usual = [...counts].sort(([width, seen], [otherWidth, otherSeen]) => otherSeen - seen || otherWidth - width)[0]
  const [width, seen] = usual ?? [1, 0]
  const header = sample.find(({ fields }) => fields.length === width)
  // Squared, so that commas in a few texts do not outweigh a narrow table's own delimiter.
  return { delimiter: syntax.delimiter, weight: seen ** 2 * (width - 1), header_line: header?.line ?? 1 }
}
