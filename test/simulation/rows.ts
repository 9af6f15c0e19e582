import { sql } from 'kysely'
import { type Statement, Placeholder } from '#main/store/core/statement'
import type { Site } from './site'

/** A row of any table. */
export type AnyRow = Readonly<Record<string, string | number | null>>

const statements = new Map<string, Statement<{ after: number }, AnyRow>>()

/** What a query finds at a site, committed. It is asked at once, at the moment of the call; `:after` stands for a number. */
export function select(site: Site, text: string, after = 0): Promise<AnyRow[]> {
  const [head = '', ...rest] = text.split(':after')
  const known = statements.get(text)
  const query: Statement<{ after: number }, AnyRow> = known ?? {
    build: (db) => {
      const raw = rest.reduce((built, part) => sql<AnyRow>`${built}${new Placeholder('after')}${sql.raw(part)}`, sql.raw<AnyRow>(head))
      return { compile: () => raw.compile(db) }
    },
  }
  if (!known && statements.size < 300) statements.set(text, query)
  return site.store.reader.all(query, { after })
}

/** The numbers in a column of what a query finds. */
export async function selectIds(site: Site, text: string): Promise<number[]> {
  return (await select(site, text)).map(({ id }) => Number(id))
}
