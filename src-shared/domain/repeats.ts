/** Repeats: evidence that two expenses are one purchase, claimed twice. The same on every device, from stored values only. */
import { type Compared, compareDocuments, fold } from '#shared/domain/repeats/document-numbers'
import { maxPictureDistance, pictureDistance } from './picture-hash'

/**
 * The evidence for a repeat, strongest first. A copy of a picture counts only with the same amount and currency; a document, supplier, description or
 * claimant only on nearly the same day, too. `receipt`: day and total read from receipts. `split`: one is a whole purchase and the other a part of
 * it, and a third one is the rest.
 */
export const repeatEvidence = ['invoice', 'file', 'picture', 'document', 'receipt', 'supplier', 'description', 'claimant', 'split'] as const
export type RepeatEvidence = (typeof repeatEvidence)[number]

/**
 * The data of a receipt for comparison. `invoice_key`: of an electronic invoice; `picture`: its perceptual hash; `said`: its day and total, if read
 * with certainty; `seller`: its tax number, if certain.
 */
export interface ComparedReceipt {
  readonly sha256: string
  readonly invoice_key: string | null
  readonly picture: string | null
  readonly said?: string | null
  readonly seller?: string | null
}

/** The compared values of an expense. `occurred_at`: a UTC instant. */
export interface ComparedExpense {
  readonly kind: 'monetary' | 'distance'
  readonly occurred_at: string
  readonly amount_minor: number
  readonly currency: string
  readonly receiver_id: number
  readonly description: string | null
  readonly supplier_name: string | null
  readonly supplier_tax_id: string | null
  readonly receipts: readonly ComparedReceipt[]
}

/** Why two expenses may be the same purchase, and the certainty: 1 to 99. */
export interface Repeat {
  readonly evidence: readonly RepeatEvidence[]
  readonly score: number
}

/** By how many days the dates of one purchase's expenses may differ. */
export const repeatDays = 3
/** This many others with the same amount and text mean a usual price, such as a daily allowance: not repeats. */
export const usualPrice = 5

/**
 * An amount that a claimant pays a supplier this often within some weeks, outside the compared days, is a regular price, such as a fare: evidence
 * only on the same day.
 */
export const regularPrice = { times: 4, days: 45 } as const

/**
 * If a claimant buys from a supplier this often within some weeks, outside the compared days, equal amounts on two days are chance: evidence only
 * with the same words.
 */
export const frequentSupplier = { times: 8, days: 45 } as const

/** The weight of each kind of evidence: how often it alone means a repeat. */
const weights: Readonly<Record<RepeatEvidence, number>> = {
  invoice: 0.99,
  file: 0.97,
  picture: 0.95,
  document: 0.9,
  receipt: 0.7,
  supplier: 0.5,
  description: 0.45,
  claimant: 0.4,
  split: 0.6,
}
/** The score lost for each day between the two. */
const perDay = 5

/** Evidence that a usual price cannot explain. */
const telling: ReadonlySet<RepeatEvidence> = new Set(['invoice', 'file', 'picture', 'document'])

/** Whether the evidence is more than a similar amount and text. */
export function isTelling({ evidence }: Pick<Repeat, 'evidence'>): boolean {
  return evidence.some((one) => telling.has(one))
}

/** The repeat of an expense that was claimed whole and in two parts. */
export const splitRepeat: Repeat = { evidence: ['split'], score: 100 * weights.split }

/** The evidence that two expenses are one purchase, if any; symmetric. */
export function compareExpenses(one: ComparedExpense, other: ComparedExpense): Repeat | undefined {
  const document = compareDocuments(one.description, other.description)
  // A landlord's receipts look the same every month.
  const isOther = document === 'different' || compareSuppliers(one, other) === 'different'
  const receipts = compareReceipts(one.receipts, other.receipts, !isOther && isSameMoney(one, other))
  const isSaid = !isOther && !receipts.areOthers && saysTheSame(one, other)
  const found = new Set<RepeatEvidence>([
    ...receipts.evidence,
    ...(isSaid ? ['receipt' as const] : []),
    ...(receipts.areOthers ? [] : compareFields(one, other)),
  ])
  const evidence = repeatEvidence.filter((name) => found.has(name))
  if (evidence.length === 0) return undefined
  const doubt = evidence.reduce((product, name) => product * (1 - weights[name]), 1)
  // The days on receipts count more than typed ones.
  const days = isSaid ? 0 : Math.min(daysBetween(one, other), repeatDays)
  return { evidence, score: Math.max(1, Math.min(99, Math.round(100 * (1 - doubt)) - perDay * days)) }
}

function isSameMoney(one: ComparedExpense, other: ComparedExpense): boolean {
  return one.amount_minor === other.amount_minor && one.currency === other.currency
}

/**
 * `areOthers`: both have electronic invoices, and none is the same. An application's pictures of two purchases, such as receipts of rides, differ
 * only in a few digits, which a perceptual hash does not see: `canBeCopies` if the amount is the same, and neither document numbers nor suppliers
 * differ.
 */
function compareReceipts(
  some: readonly ComparedReceipt[],
  others: readonly ComparedReceipt[],
  canBeCopies: boolean,
): { evidence: RepeatEvidence[]; areOthers: boolean } {
  const shares = (same: (one: ComparedReceipt, other: ComparedReceipt) => boolean) =>
    some.some((one) => others.some((other) => same(one, other)))
  const isInvoice = shares((one, other) => one.invoice_key !== null && one.invoice_key === other.invoice_key)
  const isFile = shares((one, other) => one.sha256 === other.sha256)
  const isPicture = canBeCopies && shares((one, other) => one.sha256 !== other.sha256 && isCopy(one.picture, other.picture))
  const areOthers = !isInvoice && shares((one, other) => one.invoice_key !== null && other.invoice_key !== null)
  return {
    evidence: [
      ...(isInvoice ? ['invoice' as const] : []),
      ...(isFile ? ['file' as const] : []),
      ...(isPicture ? ['picture' as const] : []),
    ],
    areOthers,
  }
}

/** Whether each has a receipt with the same day and total, and not from different sellers. Receipts with the same file count already. */
function saysTheSame(one: ComparedExpense, other: ComparedExpense): boolean {
  if (one.currency !== other.currency) return false
  return one.receipts.some(({ sha256, said, seller }) =>
    other.receipts.some((receipt) => {
      if (!said || receipt.said !== said || receipt.sha256 === sha256) return false
      const [own, others] = [toTaxRoot(seller ?? null), toTaxRoot(receipt.seller ?? null)]
      return own === undefined || others === undefined || own === others
    }),
  )
}

/** Whether two perceptual hashes belong to copies of one picture. */
export function isCopy(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && pictureDistance(one, other) <= maxPictureDistance
}

function compareFields(one: ComparedExpense, other: ComparedExpense): RepeatEvidence[] {
  if (!isSameMoney(one, other) || one.kind !== other.kind) return []
  // The same trip costs the same every day.
  if (daysBetween(one, other) > (one.kind === 'distance' ? 0 : repeatDays)) return []
  const document = compareDocuments(one.description, other.description)
  const supplier = compareSuppliers(one, other)
  if (document === 'different' || supplier === 'different') return []
  const evidence: RepeatEvidence[] = [
    ...(document === 'same' ? ['document' as const] : []),
    ...(supplier === 'same' ? ['supplier' as const] : []),
    ...(isAlike(one.description, other.description) ? ['description' as const] : []),
  ]
  if (one.receiver_id !== other.receiver_id) {
    // Colleagues buy from one supplier at the same prices, and write "Taxi": on two days that alone proves nothing.
    const isCommon = evidence.length === 1 && (evidence[0] === 'supplier' || (evidence[0] === 'description' && !isSpecific(one, other)))
    return isCommon && daysBetween(one, other) > 0 ? [] : evidence
  }
  // The same amount on two days with different descriptions is two purchases.
  const isTwice = one.description !== null && other.description !== null && evidence.length === 0 && daysBetween(one, other) > 0
  return isTwice ? [] : [...evidence, 'claimant']
}

const dayMs = 86_400_000
type Dated = Pick<ComparedExpense, 'occurred_at'>

/** The number of days between two expenses. */
export function daysBetween(one: Dated, other: Dated): number {
  const day = ({ occurred_at }: Dated) => Date.parse(occurred_at.slice(0, 10))
  return Math.abs(day(one) - day(other)) / dayMs
}

/**
 * The least number of digits of a tax number, as masked ones have fewer; and how many are compared, as a Brazilian company's branches share the first
 * ones.
 */
const taxDigits = { least: 8, compared: 8 } as const
type Supplied = Pick<ComparedExpense, 'supplier_name' | 'supplier_tax_id'>

/** Whether two expenses name the same supplier. */
export function compareSuppliers(one: Supplied, other: Supplied): Compared {
  const [ownId, otherId] = [toTaxRoot(one.supplier_tax_id), toTaxRoot(other.supplier_tax_id)]
  if (ownId !== undefined && otherId !== undefined) return ownId === otherId ? 'same' : 'different'
  const [own, others] = [toNameWords(one.supplier_name), toNameWords(other.supplier_name)]
  if (own.size === 0 || others.size === 0) return 'unknown'
  const shared = own.intersection(others).size / Math.min(own.size, others.size)
  const similarity = similarityOf([...own].join(' '), [...others].join(' '))
  if (shared > 0.5 || similarity >= 0.6) return 'same'
  return shared < 0.4 && similarity < 0.4 ? 'different' : 'unknown'
}

function toTaxRoot(taxId: string | null): string | undefined {
  const characters = (taxId ?? '').toUpperCase().replaceAll(/[^0-9A-Z*]/g, '')
  return characters.length < taxDigits.least || characters.includes('*') ? undefined : characters.slice(0, taxDigits.compared)
}

/** Words for a company's type, not its name. */
const companyWords = new Set(
  [
    'ltda eireli epp mei cia com comercio comercial servicos inc llc ltd lda gmbh srl the das',
    'dos del para posto auto combustiveis restaurante hotel taxi radio viagens turismo comunicacao transportes restaurant combustible',
  ].flatMap((words) => words.split(' ')),
)

function toNameWords(name: string | null): Set<string> {
  const words = fold(name ?? '').match(/[a-z0-9]{3,}/g) ?? []
  return new Set(words.filter((word) => !companyWords.has(word)))
}

/** Whether two descriptions are nearly the same, ignoring order, case and numbers. */
export function isAlike(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false
  const [own, others] = [toLetters(one), toLetters(other)]
  if (own.length < 3 || others.length < 3) return false
  return own === others || similarityOf(own, others) >= 0.6
}

/** Whether two descriptions have the same words, ignoring numbers and signs. */
export function hasSameWords(one: string | null, other: string | null): boolean {
  return toLetters(one ?? '') === toLetters(other ?? '')
}

/** Whether both descriptions have at least three words. */
function isSpecific(...expenses: readonly ComparedExpense[]): boolean {
  return expenses.every(({ description }) => toLetters(description ?? '').split(' ').length >= 3)
}

function toLetters(text: string): string {
  return (fold(text).match(/[a-z]{2,}/g) ?? []).join(' ')
}

/** The share of three-letter groups that two texts have in common: 0 to 1. */
function similarityOf(one: string, other: string): number {
  if (one === other) return 1
  const [own, others] = [toTriples(one), toTriples(other)]
  return (2 * own.intersection(others).size) / (own.size + others.size)
}

function toTriples(text: string): Set<string> {
  return new Set(
    text.split(' ').flatMap((word) => {
      const padded = ` ${word} `
      return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3))
    }),
  )
}
