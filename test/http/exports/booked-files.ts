import { spawnSync } from 'node:child_process'
import { saved } from '#test/support/exports'

/** What a file books of one expense, as its reader finds it: the account of its tag, the one it is booked against, and the sum in cents. */
export interface Booked {
  readonly tag: string
  readonly against: string
  readonly cents: number
}

const cents = (text: string) => Math.round(Number(text.replace(' EUR', '').replace(',', '.')) * 100)
const rowsOf = (text: string, separator: string) =>
  text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(separator).map((cell) => cell.replace(/^"(.*)"$/, '$1').trim()))

/** The rows of a table by the names of its columns. */
function tableOf(text: string, separator = ','): Array<Record<string, string>> {
  const [names = [], ...rows] = rowsOf(text, separator)
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
}

/** Postings of one transaction, or lines of one bill: what was spent, and against what. An account is owed to a claimant where a bill names no other. */
function pairUp(
  lines: ReadonlyArray<{ document: string; account: string; amount: string }>,
  isSpent: (account: string) => boolean,
): Booked[] {
  return [...Map.groupBy(lines, ({ document }) => document).values()].map((own) => {
    const spent = own.filter(({ account }) => isSpent(account))
    const against = own.filter(({ account }) => !isSpent(account))
    if (spent.length !== 1 || against.length > 1) throw new Error(`A booking has the postings ${JSON.stringify(own)}.`)
    const [one, other] = [spent[0]?.amount ?? '', against[0]]
    if (other && cents(one) + cents(other.amount) !== 0) throw new Error(`A booking does not balance: ${JSON.stringify(own)}.`)
    return { tag: (spent[0]?.account ?? '').split(':').at(-1) ?? '', against: other?.account ?? 'owed', cents: cents(one) }
  })
}

/** What a program prints, which is to complain of nothing. */
function run(program: string, args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, LANG: 'C.UTF-8' } })
  if (status !== 0 || stderr !== '') throw new Error(`${program} complains: ${stderr}`)
  return stdout
}

type ReadBooked = (bytes: Buffer, folder: string) => Promise<Booked[]> | Booked[]

/** How each accounting format is read back; hledger and Beancount by the programs themselves. */
export const bookedReaders: Readonly<Record<'hledger' | 'beancount' | 'quickbooks' | 'xero' | 'datev' | 'profile', ReadBooked>> = {
  hledger: async (bytes, folder) => {
    const path = await saved(folder, 'read.journal', bytes)
    const lines = tableOf(run('hledger', ['-f', path, 'register', '--strict', '-O', 'csv']))
    return pairUp(
      lines.map(({ txnidx = '', account = '', amount = '' }) => ({ document: txnidx, account, amount })),
      (account) => account.startsWith('expenses:'),
    )
  },
  beancount: async (bytes, folder) => {
    const path = await saved(folder, 'read.beancount', bytes)
    const lines = tableOf(run('bean-query', ['-f', 'csv', path, 'select id, account, number']))
    return pairUp(
      lines.map(({ id = '', account = '', number = '' }) => ({ document: id, account: account.toLowerCase(), amount: number })),
      (account) => account.startsWith('expenses:'),
    )
  },
  quickbooks: (bytes) =>
    pairUp(
      tableOf(bytes.toString('utf8')).map((row) => ({
        ...{ document: row['Bill No'] ?? '', account: row.Account ?? '', amount: row['Line Amount'] ?? '' },
      })),
      isTag,
    ),
  xero: (bytes) =>
    pairUp(
      tableOf(bytes.toString('utf8')).map((row) => ({
        ...{ document: row['*InvoiceNumber'] ?? '', account: row['*AccountCode'] ?? '', amount: row['*UnitAmount'] ?? '' },
      })),
      isTag,
    ),
  datev: (bytes) =>
    rowsOf(bytes.toString('latin1'), ';')
      .slice(2)
      .map((row) => ({ tag: row[23] ?? '', against: row[7] ?? '', cents: cents(row[0] ?? '') * (row[1] === 'S' ? 1 : -1) })),
  profile: (bytes) =>
    tableOf(bytes.toString('utf8'), ';').map(({ Tag = '', Account = '', Amount = '' }) => ({
      tag: Tag,
      against: Account,
      cents: cents(Amount),
    })),
}

function isTag(account: string): boolean {
  return account.startsWith('t-')
}

/** All that is booked under each tag, against each account, without what adds up to nothing. */
export function sumBooked(booked: readonly Booked[]): string[] {
  const sums = new Map<string, number>()
  for (const { tag, against, cents: amount } of booked) {
    const key = `${tag.toLowerCase()} ${against.toLowerCase()}`
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
  return [...sums]
    .filter(([, sum]) => sum !== 0)
    .map(([key, sum]) => `${key} ${sum}`)
    .toSorted()
}
