import { type DecimalSign, parseDecimal } from '../detect-values'

/** An amount's digits with its minus sign, and the side that the file marks with Cr, Dr or a word. */
export interface Figure {
  readonly text: string
  readonly side: 'in' | 'out' | null
}

const sides: ReadonlyArray<readonly [RegExp, 'in' | 'out']> = [
  [/^(cr|c|credit|haben|h)\.?$/i, 'in'],
  [/^(dr|d|debit|db|soll|s)\.?$/i, 'out'],
]
/** A currency's sign or code, or a mark of its side. */
const mark = String.raw`[\p{L}\p{Sc}.]{0,5}`
const shape = new RegExp(
  String.raw`^(?<open>\()?\s*(?<before>${mark}\s?[-+]?\s?${mark})\s*(?<digits>\d[\d.,'’\s]*|[.,]\d+)\s*(?<after>[-+]?\s?${mark}(?:\s${mark})?)\s*(?<close>\))?$`,
  'u',
)

/** Longer texts are no amounts. */
const longest = 60

/** The digits of an amount, such as `R$ 1.234,50`, `(12.00)`, `12,00-`, `1,23,456.78 Cr` or `−5`. Undefined if the text is none. */
export function readFigure(written: string): Figure | undefined {
  // Most amounts are written so.
  if (/^-?\d{1,15}([.,]\d{1,2})?$/.test(written)) return { text: written, side: null }
  if (written.length > 4 * longest) return undefined
  const text = written
    .normalize('NFKC')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\u200E\u200F\u202A-\u202E\u2066-\u2069"]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (text.length > longest) return undefined
  const { open, before = '', digits, after = '', close } = shape.exec(text)?.groups ?? {}
  if (digits === undefined || (open === undefined) !== (close === undefined)) return undefined
  const words = `${before} ${after}`.split(/[\s+-]+/)
  const side = sides.find(([form]) => words.some((word) => form.test(word)))?.[1] ?? null
  const isNegative = open !== undefined || `${before}${after}`.includes('-')
  return { text: `${isNegative ? '-' : ''}${digits.trim().replaceAll('’', "'")}`, side }
}

/** The digits of an amount as {@link readFigure}, '' if there are none: for detecting the decimal sign. */
export const toNumberText = (text: string): string => readFigure(text)?.text ?? ''

/** The canonical decimal of a figure's text; also of Indian groups, such as `1,23,456.78`. */
export function parseFigure(text: string, decimal: DecimalSign): string | undefined {
  const plain = decimal === '.' && /^-?\d{1,2}(,\d\d)+,\d{3}(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
  return parseDecimal(plain.replace(/[.,]$/, ''), decimal)
}
