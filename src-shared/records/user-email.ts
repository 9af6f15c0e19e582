import type { RecordDefinition } from '#shared/records/definition'

/** An address of a user. It has no version and is never marked as deleted. */
export const userEmail = {
  table: 'user_emails',
  references: { user_id: { to: 'users' } },
  visible: [{ own: 'user_id' }, { all: [{ flagged: 'main' }, { fellow: 'user_id' }] }],
  isSharedInPart: true,
  sync: {},
} as const satisfies RecordDefinition
