import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RawNode,
} from 'kysely'
import type { Schema } from '#db/schema'
import { pickDialect } from '../core/dialect'

/** Runs a query. */
export type Execute = (query: Pick<CompiledQuery, 'sql' | 'parameters'>) => Promise<QueryResult<unknown>>

class Compiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(pickDialect(node, 'postgres'))
  }
}

class Driver extends DummyDriver {
  readonly #execute: Execute
  constructor(execute: Execute) {
    super()
    this.#execute = execute
  }
  override acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve({
      // The query's type comes from the migrated schema; here rows become typed.
      executeQuery: <R>(query: CompiledQuery) => this.#execute(query) as Promise<QueryResult<R>>,
      streamQuery: () => {
        throw new Error('Queries are not streamed.')
      },
    })
  }
}

/** A Kysely that compiles for PostgreSQL and passes queries to `execute`. */
export function createKysely(execute: Execute): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(execute),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new Compiler(),
    },
  })
}
