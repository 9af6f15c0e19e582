import { longestSheet, rateSources } from '#shared/domain/reports/rate-sheets'
import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** A sheet of exchange rates (`domain/reports/rate-sheets`): a month's published ones, or some entered by hand. */
const attributes = {
  name: { kind: 'text', longest: 200, writes: 'required', isFiltered: true },
  source: { kind: 'choice', values: rateSources, writes: 'required', isFiltered: true, isUnaudited: true },
  // The currency of the rates: the publisher's, or the entered one.
  currency: { kind: 'currency', writes: 'required' },
  // The lines as published.
  rates: { kind: 'text', longest: longestSheet, writes: 'required', isUnaudited: true },
} as const satisfies Attributes

export const exchangeRate = {
  table: 'exchange_rates',
  subject: 'ExchangeRate',
  segments: ['exchange_rates'],
  attributes,
  references: { organization_id: { to: 'organizations' } },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  trail: { in: 'reviews', column: 'organization_id' },
  sync: 'forward',
  isInOrganization: true,
} as const satisfies RecordDefinition
