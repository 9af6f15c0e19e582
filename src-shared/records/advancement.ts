import type { RecordDefinition } from './definition'
import { paid, seenAsPaid } from '#shared/records/settlement'

export const advancement = {
  table: 'advancements',
  subject: 'Advancement',
  segments: ['advancements', 'advancement'],
  attributes: paid,
  references: {},
  link: { table: 'advancement_tags', owner: 'advancement_id', column: 'tag_id', to: 'tags', order: 'position' },
  counts: ['comments', 'activities'],
  visible: seenAsPaid,
  seenIn: 'reviews',
  sync: { create: 'add', replace: 'merge', update: 'merge', destroy: 'conditional' },
  isGuarded: true,
  isLeased: true,
  wording: { key: 'advancement', tells: 'money' },
  screen: '/advances',
} as const satisfies RecordDefinition
