const captures = ['captures'] as const
const expenses = ['expenses'] as const

/**
 * The first words of the keys under which the page keeps what it read. They stand apart from the requests, so that what says which of them a
 * change concerns loads none of these.
 */
export const keyRoots = {
  accountabilities: ['accountabilities'],
  /** Below expenses, which move balances too. */
  advancements: [...expenses, 'advancements'],
  apiTokens: ['api-tokens'],
  browserSessions: ['browser-sessions'],
  captures,
  cards: ['corporative-cards'],
  devices: ['devices'],
  distanceRules: ['distance-rule'],
  expenses,
  exports: ['exports'],
  imports: ['imports'],
  inbox: ['user-notifications'],
  joinNotices: ['join-notices'],
  notifications: ['notification-preferences'],
  organizations: ['organizations'],
  passkeys: ['passkeys'],
  preExpenses: ['pre-expenses'],
  preferences: ['preferences'],
  /** What receipts say, and which card lines they are. */
  readings: [...captures, 'readings'],
  recoveries: ['recoveries'],
  recoveryCodes: ['recovery-codes'],
  /** Below expenses, whose lists show what was paid. */
  reimbursements: [...expenses, 'reimbursements'],
  replica: ['replica'],
  reports: ['reports'],
  session: ['session'],
  webhooks: ['webhooks'],
} as const
