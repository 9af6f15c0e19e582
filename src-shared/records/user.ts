import type { RecordDefinition } from '#shared/records/definition'

/**
 * A user. Not by attribute: the language of the preferences is two columns, no request writes the names, and what others are shown is the
 * person, not the preferences.
 */
export const user = {
  table: 'users',
  subject: 'User',
  // A membership is named by its user.
  segments: ['users', 'memberships'],
  references: {},
  files: ['avatar_sha256'],
  visible: [{ fellow: 'id' }],
  trail: { own: 'id' },
  isSharedInPart: true,
  keepsName: true,
  namedOnly: {
    kept: ['id', 'uid', 'first_name', 'last_name', 'mention_name', 'avatar_sha256'],
    rest: { default_currency: 'BRL', locale: 'en', timezone: 'Etc/UTC' },
  },
  routes: ['preferences', 'user.preferences'],
  sync: { replace: 'merge', update: 'merge' },
  isGuarded: true,
} as const satisfies RecordDefinition
