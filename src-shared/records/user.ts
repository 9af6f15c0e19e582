import { contractLocales, languages } from '#shared/domain/locales'
import type { RecordDefinition } from '#shared/records/definition'

/** A user; the attributes are the preferences (contract 2.17). */
export const user = {
  table: 'users',
  subject: 'User',
  // A membership's path names its user.
  segments: ['users', 'memberships'],
  // By hand: the names, which no request writes; the two columns of the language; and what others see, which is the person and not the preferences.
  attributes: {
    locale: { kind: 'choice', values: contractLocales, writes: 'optional' },
    // Any of Outlay's languages; `locale` has only the contract's. The trail has it as the locale.
    language: { kind: 'choice', values: languages, writes: 'extension', isUnaudited: true },
    timezone: { kind: 'text', longest: 100, writes: 'required' },
    // Letters, digits and underscores, with dots and hyphens between them.
    mention_name: { kind: 'text', longest: 50, matches: /^\w+([.-]\w+)*$/, writes: 'required' },
    default_currency: { kind: 'currency', writes: 'optional' },
    avatar: { kind: 'image', writes: 'extension' },
  },
  references: {},
  // An erased person has no private data left, and every replica that knew the name must erase it.
  visible: [{ fellow: 'id' }, { isGone: true }],
  trail: { own: 'id' },
  isSharedInPart: true,
  keepsName: true,
  namedOnly: {
    kept: ['id', 'uid', 'first_name', 'last_name', 'mention_name', 'avatar_sha256', 'deleted_at'],
    rest: { default_currency: 'BRL', locale: 'en', timezone: 'Etc/UTC' },
  },
  routes: ['preferences', 'user.preferences'],
  sync: { replace: 'merge', update: 'merge' },
  isGuarded: true,
} as const satisfies RecordDefinition
