import { type MatchedLine, earliestDays, latestDays } from './compare'

/** A receipt in a person's inbox, or an upload, as it was read. `currency`: null if it was not read; the amount is then in hundredths. */
export interface InboxReceipt {
  readonly capture_ids: readonly number[]
  /** The Location of an upload that is no capture. */
  readonly upload?: string
  readonly file_name: string
  readonly day: number
  readonly amount_minor: number
  readonly currency: string | null
  /** Whether all of this was read with certainty. */
  readonly isSure: boolean
}

/** A receipt that may be a line's. `isSure`: it is the only one for the line, and the line the only one for it. */
export interface ReceiptOfLine {
  readonly line_id: number
  readonly receipt: InboxReceipt
  readonly isSure: boolean
}

/** Which receipts have a line's amount in its currency, or that abroad, and a day at which it may have been posted. All are one person's. */
export function findReceipts(lines: readonly MatchedLine[], receipts: readonly InboxReceipt[]): ReceiptOfLine[] {
  const bySum = Map.groupBy(receipts, ({ amount_minor }) => amount_minor)
  const pairs = lines.flatMap((line) => {
    const sums = new Set([line.amount_minor, line.original_minor ?? line.amount_minor])
    return [...sums].flatMap((sum) =>
      (bySum.get(sum) ?? []).filter((receipt) => isLike(line, receipt)).map((receipt) => ({ line_id: line.id, receipt })),
    )
  })
  const [ofLine, ofReceipt] = [Map.groupBy(pairs, ({ line_id }) => line_id), Map.groupBy(pairs, ({ receipt }) => receipt)]
  return pairs.map(({ line_id, receipt }) => ({
    ...{ line_id, receipt },
    isSure: receipt.isSure && ofLine.get(line_id)?.length === 1 && ofReceipt.get(receipt)?.length === 1,
  }))
}

function isLike(line: MatchedLine, { day, amount_minor, currency }: InboxReceipt): boolean {
  const gap = line.day - day
  const isOf = (sum: number | null, of: string | null) => sum === amount_minor && of !== null && (currency ?? of) === of
  return (
    line.amount_minor > 0 &&
    gap >= earliestDays &&
    gap <= latestDays &&
    (isOf(line.amount_minor, line.currency) || isOf(line.original_minor, line.original_currency))
  )
}
