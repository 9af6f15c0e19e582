import type BetterSqlite3 from 'better-sqlite3'
import { beginSpan, spanOf } from '#main/spans'

/** Runs every statement that a connection prepares from now on in a span with its text, without values. */
export function traceStatements(raw: BetterSqlite3.Database): void {
  const prepare = raw.prepare.bind(raw)
  const traced = (text: string) => {
    const statement = prepare(text)
    for (const name of ['all', 'get', 'run'] as const) {
      const method: (...values: unknown[]) => unknown = statement[name].bind(statement)
      const inSpan = (...values: unknown[]) => {
        const span = beginSpan(...spanOf(text))
        try {
          return method(...values)
        } finally {
          span?.end()
        }
      }
      Object.assign(statement, { [name]: inSpan })
    }
    return statement
  }
  Object.assign(raw, { prepare: traced })
}
