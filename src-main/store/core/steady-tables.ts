import type { Schema } from '#db/schema'

/** Tables that every request reads and that rarely change. On PostgreSQL a write to one raises `log_head.steady_version`. */
export const steadyTables: ReadonlySet<string> = new Set<keyof Schema>([
  ...(['api_tokens', 'approval_rules', 'closings', 'memberships', 'notification_preferences', 'organizations'] as const),
  ...(['policies', 'stand_ins', 'sync_state', 'tags', 'user_emails', 'users', 'webhooks'] as const),
])

/** Whether a text may write to a steady table. */
export function mayWriteSteady(text: string): boolean {
  if (/^(begin|select|savepoint|release|rollback|commit)\b/i.test(text)) return false
  const [, table] = /^(?:insert into|update|delete from) "?(\w+)/i.exec(text) ?? []
  return table === undefined || steadyTables.has(table)
}

/** Whether a query reads only steady tables. */
export function readsSteady(text: string): boolean {
  const names = [...text.matchAll(/\b(?:from|join) "?(\w*)"?(?: as "\w+")?(,?)/gi)]
  return names.every(([, name = '', comma]) => steadyTables.has(name) && comma === '')
}
