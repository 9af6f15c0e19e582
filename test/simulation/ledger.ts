import { type AnyRow, select } from './rows'
import type { Seat } from './seat'
import type { Site } from './site'

/** What of an expense a person decides by. */
const seenColumns =
  'uid, amount_minor, currency, description, status, kind, approved_amount_minor, approved_amount_currency, attachments_count'

/** How an operation stood when it was last looked at. */
interface Known {
  readonly seat: string
  state: string
  /** Why its end may be invisible: whoever restores a folder loses what was in it. */
  excuse?: string
}

/** A move or a payment as it was decided. */
interface Decision {
  readonly seat: string
  readonly path: string
  /** Every expense as the person saw it. */
  readonly seen: ReadonlyMap<string, string>
}

/** What an operation changed at the remote: how an expense was just before it. */
interface Effect {
  readonly op_id: string
  readonly uid: string
  readonly before: string | undefined
}

/** What an all-knowing observer remembers of a history, beside the databases. */
export class Ledger {
  readonly known = new Map<string, Known>()
  readonly decisions = new Map<string, Decision>()
  readonly effects: Effect[] = []
  /** Files that a fault has taken away for good. */
  readonly lostFiles = new Set<string>()
  wasRemoteRestored = false
  /** Someone's rights have changed, or a folder was restored: what one has made may be out of sight. */
  hasUpheaval = false
  /** Amounts as someone wrote them, with their currencies, by expense. */
  readonly written = new Map<string, Set<string>>()
  /** Amounts of the expenses that were there from the beginning. */
  readonly before = new Map<string, string>()
  /** What did not hold at some moment. */
  readonly violations: string[] = []
  #states = new Map<string, string>()
  #seq = 0
  #pending: Promise<void> = Promise.resolve()

  /** Every expense of a site, as a person sees it there. */
  async seenAt(site: Site): Promise<Map<string, string>> {
    const rows = await select(site, `SELECT ${seenColumns} FROM expenses WHERE deleted_at IS NULL`)
    return new Map(rows.map((row) => [String(row.uid), describe(row)]))
  }

  /** Notes the operations of a seat's journal. */
  async note(seat: Seat): Promise<string[]> {
    const rows = await select(seat.site, 'SELECT op_id, state FROM sync_journal')
    const fresh: string[] = []
    for (const row of rows) {
      const op_id = String(row.op_id)
      const known = this.known.get(op_id)
      if (known) known.state = String(row.state)
      else {
        fresh.push(op_id)
        this.known.set(op_id, { seat: seat.name, state: String(row.state) })
      }
    }
    return fresh
  }

  /** Notes the amounts that a site holds after someone wrote money there. */
  async noteMoney(site: Site, expense_id: number | 'all'): Promise<void> {
    const rows = await select(site, 'SELECT id, uid, amount_minor, currency FROM expenses')
    for (const row of rows.filter(({ id }) => expense_id === 'all' || id === expense_id)) {
      const uid = String(row.uid)
      this.written.set(uid, (this.written.get(uid) ?? new Set()).add(`${row.amount_minor} ${row.currency}`))
    }
  }

  /** A replica's folder was put back: what it had taken since is gone with it, unless the remote has it. */
  async excuseLost(seat: Seat): Promise<void> {
    const rows = await select(seat.site, 'SELECT op_id FROM sync_journal')
    const left = new Set(rows.map(({ op_id }) => String(op_id)))
    for (const [op_id, known] of this.known) if (known.seat === seat.name && !left.has(op_id)) known.excuse = 'its replica was restored'
  }

  /** Begins to follow the remote's expenses: after each of its commits, what changed and how it was before. */
  async watch(remote: Site): Promise<void> {
    await this.reload(remote)
    for (const row of await select(remote, 'SELECT uid, amount_minor, currency FROM expenses'))
      this.before.set(String(row.uid), `${row.amount_minor} ${row.currency}`)
    remote.onCommit = () => {
      // The query itself runs at once, at the moment of the commit; only its answer is awaited.
      const rows = select(
        remote,
        `SELECT seq, op_id, ${seenColumns
          .split(', ')
          .map((column) => `expenses.${column}`)
          .join(', ')}, deleted_at FROM change_log JOIN expenses ON expenses.id = record_id
         WHERE table_name = 'expenses' AND seq > :after ORDER BY seq`,
        this.#seq,
      )
      this.#pending = Promise.all([this.#pending, rows]).then(([, found]) => this.#learn(found))
    }
  }

  /** The remote is another than before: its expenses are read again. */
  async reload(remote: Site): Promise<void> {
    await this.settle()
    const rows = await select(remote, `SELECT ${seenColumns} FROM expenses`)
    this.#states = new Map(rows.map((row) => [String(row.uid), describe(row)]))
    const [last] = await select(remote, 'SELECT coalesce(max(seq), 0) AS seq FROM change_log')
    this.#seq = Number(last?.seq ?? 0)
  }

  settle(): Promise<void> {
    return this.#pending
  }

  #learn(rows: readonly AnyRow[]): void {
    const touched = new Map<string, AnyRow>()
    const first = this.#seq
    for (const row of rows) {
      if (Number(row.seq) <= first) continue
      const key = `${String(row.uid)} ${String(row.op_id)}`
      if (row.op_id !== null && !touched.has(key))
        this.effects.push({ op_id: String(row.op_id), uid: String(row.uid), before: this.#states.get(String(row.uid)) })
      touched.set(key, row)
      this.#seq = Math.max(this.#seq, Number(row.seq))
    }
    for (const row of rows) this.#states.set(String(row.uid), describe(row))
  }
}

function describe(row: AnyRow): string {
  return JSON.stringify(seenColumns.split(', ').map((column) => row[column] ?? null))
}
