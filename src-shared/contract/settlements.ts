import { z } from 'zod'
import { optional, required } from './attributes'
import { amount, currency, instant, optionalText, party, tags } from './fields'
import { instantText, link, partyObject } from './representations'
import type { ListOptions } from './route'

/**
 * What a reimbursement and an advancement have in common: both are money that an organization hands to one of its users. The
 * contract gives them the same attributes and the same filters (4.1, 4.2).
 */
export const settlementAttributes = {
  payer: required(party('Organization')),
  receiver: required(party('User')),
  amount: required(amount),
  date: required(instant),
  currency: optional(currency),
  description: optional(optionalText()),
  tags: optional(tags),
} as const

/** The attributes that both show (contract 2.2, 2.4). */
export const settlementShape = {
  id: z.int(),
  uid: z.string(),
  version: z.int(),
  description: z.string().nullable(),
  amount: z.number(),
  currency: z.string(),
  date: instantText,
  tags: z.array(z.string()),
  payer: partyObject,
  receiver: partyObject,
  responsible_user: partyObject,
  activities_count: z.int(),
  comments_count: z.int(),
  created_at: instantText,
  updated_at: instantText,
  _links: z.array(link),
} as const

/** How both are filtered and sorted (contract 4.1; supplement 3, "Filter and sort attributes"). */
export const settlementListOptions = {
  attributes: {
    id: 'integer',
    amount: 'amount',
    currency: 'text',
    payer_id: 'integer',
    receiver_id: 'integer',
    responsible_user_id: 'integer',
    date: 'instant',
    description: 'text',
    created_at: 'instant',
    updated_at: 'instant',
  },
  tagged: true,
} as const satisfies ListOptions
