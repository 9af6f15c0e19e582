import type { RecordDefinition } from '#shared/records/definition'

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
