import { contractLocales, languages } from '#shared/domain/locales'
import type { RecordDefinition } from './definition'

/** An address of a user. It has no version and is never marked as deleted. */
export const userEmail = {
  table: 'user_emails',
  // The person's representation shows the address; no request writes it.
  attributes: {
    user: { kind: 'party', of: 'User', isHidden: true },
    email: { kind: 'text', writes: 'required', isHidden: true },
    main: { kind: 'flag', isHidden: true },
  },
  references: {},
  visible: [{ own: 'user_id' }, { all: [{ flagged: 'main' }, { fellow: 'user_id' }] }],
  isSharedInPart: true,
  sync: {},
} as const satisfies RecordDefinition

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
