import { expenseStatuses } from '#shared/domain/expense-status'
import { expenseKinds } from '#shared/domain/policies/terms'
import { type Attributes, type NamesWith, attributesWith } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'
import { seenAsPaid } from '#shared/records/settlement'

const distance = { writes: 'extension', onlyOfKind: 'distance' } as const
const latitude = { kind: 'number', min: -90, max: 90 } as const
const longitude = { kind: 'number', min: -180, max: 180 } as const

/** An expense (contract 2.3 and supplement 2). */
const attributes = {
  amount: {
    kind: 'amount',
    currency: 'currency',
    writes: 'required',
    isFiltered: true,
    isExported: true,
    isDecided: true,
    mergeGroup: 'money',
  },
  description: { kind: 'text', writes: 'optional', isFiltered: true, isSearched: true, isExported: true },
  currency: { kind: 'currency', writes: 'optional', isFiltered: true, isExported: true, isDecided: true, mergeGroup: 'money' },
  occurred_at: { kind: 'instant', writes: 'required', isFiltered: true, isExported: true, isDecided: true },
  kind: {
    kind: 'choice',
    values: expenseKinds,
    initial: 'monetary',
    wordedAs: 'kind',
    writes: 'extension',
    isFiltered: true,
    isExported: true,
    isDecided: true,
    mergeGroup: 'money',
  },
  location: {
    kind: 'text',
    longest: 500,
    writes: 'optional',
    isPlainField: true,
    isFiltered: true,
    isSearched: true,
    isExported: true,
    importedFrom: [
      'location',
      'place',
      'city',
      'local',
      'localizacao',
      'localidade',
      'cidade',
      'municipio',
      'lugar',
      'ubicacion',
      'ciudad',
    ],
  },
  supplier_name: {
    kind: 'text',
    longest: 200,
    writes: 'extension',
    isPlainField: true,
    isFiltered: true,
    isSearched: true,
    isExported: true,
    importedFrom: [
      'supplier',
      'supplier name',
      'vendor',
      'merchant',
      'payee',
      'fornecedor',
      'estabelecimento',
      'razao social',
      'proveedor',
      'comercio',
      'establecimiento',
      'razon social',
    ],
  },
  // As printed: people write it with points and dashes.
  supplier_tax_id: {
    kind: 'text',
    longest: 40,
    writes: 'extension',
    isPlainField: true,
    isFiltered: true,
    isSearched: true,
    isExported: true,
    importedFrom: ['cnpj cpf', 'cpf cnpj', 'cnpj', 'cpf', 'tax number', 'tax id', 'vat number', 'cuit', 'rfc', 'ruc', 'nit'],
  },
  latitude: { ...latitude, writes: 'optional' },
  longitude: { ...longitude, writes: 'optional' },
  distance: { kind: 'number', min: 0, max: 1_000_000, ...distance, isDecided: true, mergeGroup: 'money' },
  distance_kind: { kind: 'choice', values: ['km', 'mi'], isNullable: true, ...distance, isDecided: true, mergeGroup: 'money' },
  origin: { kind: 'text', longest: 500, ...distance, isSearched: true },
  origin_latitude: { ...latitude, ...distance },
  origin_longitude: { ...longitude, ...distance },
  destination: { kind: 'text', longest: 500, ...distance, isSearched: true },
  destination_latitude: { ...latitude, ...distance },
  destination_longitude: { ...longitude, ...distance },
  travel_time: { kind: 'count', min: 0, max: 1_000_000, ...distance },
  payer: { kind: 'party', of: 'Organization', writes: 'required', isFiltered: true, mergeGroup: 'parties' },
  receiver: { kind: 'party', of: 'User', writes: 'optional', isFiltered: true, isDecided: true, mergeGroup: 'parties' },
  corporative_card_id: { kind: 'record', to: 'corporative_cards', writes: 'extension', isFiltered: true },
  liquidate_through_advancement: { kind: 'flag', writes: 'optional', isFiltered: true },
  tags: { kind: 'tags', writes: 'optional', isExported: true },
  status: { kind: 'choice', values: expenseStatuses, initial: 'awaiting_analysis', wordedAs: 'status', isFiltered: true, isExported: true },
  approved_amount: {
    kind: 'amount',
    currency: 'approved_amount_currency',
    isNullable: true,
    isFiltered: true,
    isExported: true,
    mergeGroup: 'approval',
  },
  approved_amount_currency: { kind: 'currency', isNullable: true, isExported: true, mergeGroup: 'approval' },
  ignore_noncompliant: { kind: 'flag', isNullable: true },
  responsible_user: { kind: 'party', of: 'User', isNullable: true, isFiltered: true },
  pre_expense_id: { kind: 'record', to: 'pre_expenses', isFiltered: true },
  reimbursement_id: { kind: 'record', to: 'reimbursements' },
  author: { kind: 'party', of: 'User', isHidden: true },
  // The findings of policies as JSON, most severe first, and the highest severity: `domain/policies`.
  flags: { kind: 'text', isHidden: true, isUnaudited: true },
  flag_level: { kind: 'count', min: 1, max: 3, isUnaudited: true, isFiltered: true },
  // The claimant's reason for breaking a policy.
  justification: {
    kind: 'text',
    longest: 500,
    writes: 'extension',
    isPlainField: true,
    isFiltered: true,
    isSearched: true,
    isExported: true,
  },
  // The first instant of its month, if its own month was closed before it arrived: `domain/closing/months`.
  booked_on: { kind: 'instant', isNullable: true, isFiltered: true, isExported: true },
  // The day on which the card was charged, from its statement.
  paid_on: { kind: 'instant', isNullable: true, isFiltered: true },
  // An importer's identity of the row.
  external_id: { kind: 'text', isHidden: true, isExported: true },
} as const satisfies Attributes

export const expense = {
  table: 'expenses',
  subject: 'Expense',
  segments: ['expenses'],
  attributes,
  references: {
    // A representation that is sent back contains it.
    pre_expense_id: { to: 'pre_expenses', whenGone: 'empty', writtenAs: ['pre_expense_id'] },
  },
  link: { table: 'expense_tags', owner: 'expense_id', column: 'tag_id', to: 'tags', order: 'position' },
  counts: ['attachments', 'comments', 'activities'],
  visible: seenAsPaid,
  seenIn: 'reviews',
  isSharedInPart: true,
  sync: { create: 'add', replace: 'merge', update: 'merge', destroy: 'conditional', 'status.update': 'conditional' },
  isGuarded: true,
  isLeased: true,
  wording: { key: 'expense', tells: 'text' },
  screen: '/expenses',
} as const satisfies RecordDefinition

/** An attribute of an expense that an import reads unchanged from a column. */
export type ImportedText = NamesWith<typeof attributes, { readonly importedFrom: unknown }>
/** The texts that an import reads from their own columns. */
export const importedTexts: readonly ImportedText[] = attributesWith(attributes, 'importedFrom').map(([name]) => name)

/** An attribute of an expense that forms, details, filters and lists treat as plain text. */
export type PlainField = NamesWith<typeof attributes, { readonly isPlainField: unknown }>
/** The plain texts of an expense. */
export const plainFields: readonly PlainField[] = attributesWith(attributes, 'isPlainField').map(([name]) => name)
