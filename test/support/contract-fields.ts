/** What the contract says of a field: how its value is told from a wrong one. */
export type FieldKind =
  | 'integer'
  | 'float'
  | 'string'
  | 'boolean'
  | 'datetime'
  | 'currency'
  | 'party'
  | 'user'
  | 'images'
  | 'links'
  | 'strings'
  | 'integers'
  | 'objects'
  | 'object'

/** A resource of the contract's section 2: its fields as its table or its line names them. `?`: null is a value. */
export interface ContractResource {
  readonly section: string
  readonly fields: Readonly<Record<string, FieldKind | `${FieldKind}?`>>
  /** The `rel` and method of each of its links. */
  readonly links: readonly string[]
}

const settled = {
  id: 'integer',
  description: 'string',
  amount: 'float',
  currency: 'currency',
  tags: 'strings',
  payer: 'party',
  receiver: 'party',
  responsible_user: 'party',
  created_at: 'datetime',
  updated_at: 'datetime',
  _links: 'links',
} as const
const record = ['self GET', 'update PUT', 'partial_update PATCH', 'destroy DELETE'] as const
const withoutPatch = ['self GET', 'update PUT', 'destroy DELETE'] as const

/** Section 2 of the contract, resource by resource. */
export const contractResources = {
  reimbursement: {
    section: '2.2',
    fields: { ...settled, expenses: 'objects', activities_count: 'integer', comments_count: 'integer' },
    links: record,
  },
  expense: {
    section: '2.3',
    fields: {
      id: 'integer',
      description: 'string',
      amount: 'float',
      approved_amount: 'float',
      approved_amount_currency: 'currency',
      status: 'string',
      occurred_at: 'datetime',
      payer: 'party',
      receiver: 'party',
      attachments: 'objects',
      tags: 'string',
      currency: 'currency',
      latitude: 'float',
      longitude: 'float',
      location: 'string',
      attachments_count: 'integer',
      comments_count: 'integer',
      activities_count: 'integer',
      liquidate_through_advancement: 'boolean',
      pre_expense_id: 'integer',
      created_at: 'datetime',
      updated_at: 'datetime',
      _links: 'links',
    },
    links: record,
  },
  advancement: { section: '2.4', fields: { ...settled, date: 'datetime' }, links: record },
  devolution: {
    section: '2.5',
    fields: {
      id: 'integer',
      amount: 'float',
      date: 'datetime',
      payer: 'party',
      receiver: 'party',
      currency: 'currency',
      created_at: 'datetime',
      updated_at: 'datetime',
      _links: 'links',
    },
    links: ['create POST'],
  },
  balance: { section: '2.6', fields: { amount: 'float', currency: 'currency', payer: 'party', receiver: 'party' }, links: [] },
  accountability: {
    section: '2.7',
    fields: {
      id: 'integer',
      title: 'string',
      description: 'string',
      status: 'string',
      expense_ids: 'integers',
      payer: 'party',
      receiver: 'party',
      activities_count: 'integer',
    },
    links: [],
  },
  corporative_card: {
    section: '2.8',
    fields: {
      id: 'integer',
      name: 'string',
      number: 'string',
      flag: 'object',
      expiration_date: 'string',
      expiration_month: 'integer',
      expiration_year: 'integer',
      active: 'boolean',
      user: 'party',
      organization: 'party',
      created_at: 'datetime',
      updated_at: 'datetime',
      _links: 'links',
    },
    links: record,
  },
  attachment: {
    section: '2.9',
    fields: {
      id: 'integer',
      description: 'string',
      uploaded_at: 'datetime',
      content_type: 'string',
      file_name: 'string',
      url: 'string',
      user: 'user',
    },
    links: [],
  },
  tag: {
    section: '2.10',
    fields: {
      id: 'integer',
      name: 'string',
      created_at: 'datetime',
      updated_at: 'datetime',
      restricted_user_ids: 'integers',
      _links: 'links',
    },
    links: withoutPatch,
  },
  comment: {
    section: '2.11',
    fields: {
      id: 'integer',
      content: 'string',
      created_at: 'datetime',
      updated_at: 'datetime',
      user: 'user',
      mentioned_users: 'objects',
      _links: 'links',
    },
    links: withoutPatch,
  },
  mentionable: {
    section: '2.12',
    fields: { id: 'integer', name: 'string', email: 'string', mention_name: 'string', avatar: 'images' },
    links: [],
  },
  membership: { section: '2.13', fields: { role: 'string', user: 'user', organization: 'object', _links: 'links' }, links: withoutPatch },
  pre_expense: {
    section: '2.14',
    fields: {
      id: 'integer',
      description: 'string',
      amount: 'float',
      status: 'string',
      occurred_at: 'datetime',
      ignored_at: 'datetime?',
      converted_at: 'datetime?',
      receiver: 'party',
      tags: 'string',
      currency: 'currency',
      extra_information: 'object',
      created_at: 'datetime',
      updated_at: 'datetime',
      deleted_at: 'datetime?',
      _links: 'links',
    },
    links: ['self GET', 'ignore PUT', 'restore PATCH', 'destroy DELETE'],
  },
  distance_rule: {
    section: '2.15',
    fields: { id: 'integer?', organization_id: 'integer', amount: 'float', distance_kind: 'string', currency: 'currency' },
    links: [],
  },
  status_entry: {
    section: '2.16',
    fields: { slug: 'string', name: 'string', background_color: 'string', text_color: 'string' },
    links: [],
  },
  preferences: {
    section: '2.17',
    fields: {
      id: 'integer',
      locale: 'string',
      timezone: 'string',
      mention_name: 'string',
      default_currency: 'currency',
      avatar: 'images',
      _links: 'links',
    },
    links: ['self GET', 'update PUT', 'partial_update PATCH'],
  },
  notification_preferences: {
    section: '2.18',
    fields: { user: 'object', _links: 'links' },
    links: ['self GET', 'update PUT', 'partial_update PATCH'],
  },
  webhook: {
    section: '2.19',
    fields: { id: 'integer', url: 'string', description: 'string', secret: 'string', _links: 'links' },
    links: withoutPatch,
  },
  upload_credentials: {
    section: '2.20',
    fields: {
      signature: 'string',
      access_key: 'string',
      policy: 'string',
      host: 'string',
      acl: 'string',
      key: 'string',
      expiration: 'datetime',
    },
    links: [],
  },
} as const satisfies Record<string, ContractResource>
