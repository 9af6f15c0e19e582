import { z } from 'zod'
import { type Encoding, decodeText, detectEncoding, findEncoding } from './encodings'
import { readRecords } from './records'
import type { TableSource } from './table-source'

const DELIMITERS = [';', ',', '\t', '|', '~'] as const

/** The possible delimiters. */
export type Delimiter = (typeof DELIMITERS)[number]

/** How a file's bytes become records. `header_line` is the physical line of the column names, from 1. */
export interface TableFormat {
  encoding: Encoding
  delimiter: Delimiter
  header_line: number
  quote: '"' | "'" | ''
}

/** The parts of a format that a map file or an option may state; others are detected. */
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

/** Enough records to tell a rule from an exception. */
const SAMPLE_RECORDS = 100

/**
 * Detects a file's format: its encoding as in {@link detectEncoding}; the delimiter by how evenly it splits the first 100 records; the header line as
 * the first with as many fields as most have, so that lines above the header are skipped. Stated parts take precedence. Throws {@link
 * UnreadableTable} if the file is not text.
 */
export function detectFormat(source: TableSource, overrides: FormatOverrides = {}): TableFormat {
  const encoding = overrides.encoding ?? detectEncoding(source)
  const quote = overrides.quote ?? '"'
  const candidates = (overrides.delimiter === undefined ? DELIMITERS : [overrides.delimiter]).map((delimiter) =>
    weighDelimiter(decodeText(source, encoding), { delimiter, quote }),
  )
  const best = candidates.reduce((winner, candidate) => (candidate.weight > winner.weight ? candidate : winner))
  const { delimiter } = best.weight > 0 || overrides.delimiter !== undefined ? best : { delimiter: ',' as const }
  return { encoding, delimiter, quote, header_line: overrides.header_line ?? best.header_line }
}

interface WeighedDelimiter {
  delimiter: Delimiter
  weight: number
  header_line: number
}

function weighDelimiter(text: Iterable<string>, syntax: { delimiter: Delimiter; quote: string }): WeighedDelimiter {
  const sample: { line: number; fields: string[] }[] = []
  let read = 0
  for (const record of readRecords(text, syntax)) {
    if (record.kind === 'record') sample.push(record)
    read += 1
    // A line without an end is not text, and the rest tells nothing.
    if (read === SAMPLE_RECORDS || (record.kind === 'problem' && record.reason.code === 'long_line')) break
  }
  const counts = new Map<number, number>()
  for (const { fields } of sample) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1)
  const usual = [...counts].sort(([width, seen], [otherWidth, otherSeen]) => otherSeen - seen || otherWidth - width)[0]
  const [width, seen] = usual ?? [1, 0]
  const header = sample.find(({ fields }) => fields.length === width)
  // Squared, so that commas in a few texts do not outweigh a narrow table's delimiter.
  return { delimiter: syntax.delimiter, weight: seen ** 2 * (width - 1), header_line: header?.line ?? 1 }
}
