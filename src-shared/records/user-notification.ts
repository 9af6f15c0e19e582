import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** Why something concerns a user. */
export const userNotificationKinds = ['mention', 'comment', 'decision', 'money', 'deleted', 'question', 'role', 'stand_in'] as const

/** An entry of the audit trail that concerns a user. `activity_id`: the entry, which a replica may not have. */
const attributes = {
  kind: { kind: 'choice', values: userNotificationKinds },
  is_seen: { kind: 'flag', isUnaudited: true },
  user: { kind: 'party', of: 'User', isUnaudited: true },
} as const satisfies Attributes

export const userNotification = {
  table: 'user_notifications',
  attributes,
  references: {},
  visible: [{ own: 'user_id' }],
  sync: 'add',
} as const satisfies RecordDefinition
