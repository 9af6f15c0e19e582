import type { RecordDefinition } from './definition'
import { returned } from '#shared/records/settlement'

export const advancementDevolution = {
  table: 'advancement_devolutions',
  subject: 'AdvancementDevolution',
  attributes: returned,
  references: {},
  visible: [{ in: 'reviews', column: 'payer_id' }, { own: 'receiver_id' }],
  seenIn: 'reviews',
  sync: { create: 'add' },
  isLeased: true,
  wording: { key: 'devolution', tells: 'money' },
} as const satisfies RecordDefinition
