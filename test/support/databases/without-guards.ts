import type { Tx } from '#main/store/core/store'
import { isOnPostgres } from './database-of'

const triggers = ['activities', 'audit_seals', 'audit_parts'].flatMap((table) =>
  ['update', 'delete'].map((verb) => `DROP TRIGGER ${table}_append_only_${verb}`),
)

/** Lets a transaction change what only grows, and what others refer to, as a program with every right on the database can. */
export async function withoutGuards(tx: Tx): Promise<void> {
  dropGuards(tx)
  await deferGuards(tx)
}

/** The part of it that a file keeps: committed, it is done once for many transactions. After each, SQLite reads the whole schema again. */
export function dropGuards(tx: Tx): void {
  if (!isOnPostgres) tx.replica.exec(triggers)
}

/** The part of it that each transaction needs. */
export async function deferGuards(tx: Tx): Promise<void> {
  if (isOnPostgres) await tx.write('SET LOCAL session_replication_role = replica', [])
  else tx.replica.exec(['PRAGMA defer_foreign_keys = ON'])
}
