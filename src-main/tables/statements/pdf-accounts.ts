import { accountIn, toAccount } from './account-numbers'
import type { HeadRecord, HeadedTable } from './csv-rows'
import type { ReadRow, TextRow } from './pdf-rows'
import { findSums } from './pdf-sums'

/** A row that names an account, in it or in the row below. */
export interface AccountRow extends HeadRecord {
  readonly number: string
  readonly page: number
}

/** The account that a row names, or the row with the one below it; undefined if it names none. */
export function accountAt(rows: readonly TextRow[], index: number): AccountRow | undefined {
  const { line = 0, cells = [], page = 0 } = rows[index] ?? {}
  const next = rows[index + 1]
  const below = next?.page === page ? (next?.cells ?? []) : []
  const texts = [
    ...cells.flatMap((cell, at) => [
      [cell.text],
      [cell.text, cells[at + 1]?.text ?? ''],
      [cell.text, below.find((other) => other.right > cell.left && other.left < cell.right)?.text ?? ''],
    ]),
    cells.map(({ text }) => text),
  ]
  for (const fields of texts) {
    const number = accountIn(fields.join(' '))
    if (number !== undefined) return { line, page, fields, number }
  }
  return undefined
}

/** Whether two numbers are of one account: one can be the end of the other, as of an IBAN. */
function isSameAccount(one: string, other: string): boolean {
  const [longer, shorter] = [one, other].map((number) => toAccount(number, null).key).toSorted((a, b) => b.length - a.length)
  const seen = /\d{4,}$/.exec(shorter ?? '')?.[0]
  return longer === shorter || (seen !== undefined && (longer ?? '').endsWith(seen))
}

/** The lines of rows that name accounts, if these are several: an account's name on each of its pages is no furniture then. */
export function linesOfAccounts(rows: readonly TextRow[]): ReadonlySet<number> {
  const found = rows.flatMap((_, index) => accountAt(rows, index) ?? [])
  const isOne = found.every(({ number }) => isSameAccount(number, found[0]?.number ?? ''))
  return new Set(isOne ? [] : found.flatMap(({ line }) => [line, line + 1]))
}

/** The records above the first booking, and those at which the bookings of another account begin. `booked`: the lines of bookings. */
export function headsOf(
  rows: readonly ReadRow[],
  accounts: readonly AccountRow[],
  booked: readonly number[],
): Pick<HeadedTable, 'head' | 'later'> {
  const [first = 0] = booked
  const above = accounts.filter(({ line }) => line < first)
  const starts: Array<AccountRow | undefined> = [above.at(-1)]
  for (const account of accounts) {
    const before = starts.at(-1)
    if (account.line > first && (!before || !isSameAccount(before.number, account.number))) starts.push(account)
  }
  let at = 0
  const sectionOf = (line: number) => {
    while (line >= (starts[at + 1]?.line ?? Infinity)) at += 1
    return at
  }
  const ofRows = Map.groupBy(rows, ({ line }) => sectionOf(line))
  at = 0
  const ofBooked = Map.groupBy(booked, sectionOf)
  const sections = starts.map((account, nth) => {
    const [own, from] = [ofBooked.get(nth) ?? [], account?.line ?? 0]
    const sums = findSums(ofRows.get(nth) ?? [], { first: own[0] ?? from, last: own.at(-1) ?? from })
    return { account: account ? [account] : [], sums }
  })
  if (sections.length === 1) return { head: [...above.slice(0, 1), ...(sections[0]?.sums ?? [])] }
  // Balances of all accounts together prove none of them.
  const isEach = sections.every(({ sums }) => sums.length === 2)
  const [head = [], ...later] = sections.map(({ account, sums }) => [...account, ...(isEach ? sums : [])])
  return { head, later }
}
