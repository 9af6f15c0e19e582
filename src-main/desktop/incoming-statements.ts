import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { z } from 'zod'
import { corporativeCardRoutes } from '#shared/contract/corporative-cards'
import { type CaptureOutcome, failureIn, requestOf } from './incoming-files'
import type { Responding } from './protocol'

/** The extensions of files that are always statements. */
const endings = new Set(['.ofx', '.qfx', '.qif', '.csv', '.sta', '.mt940'])
/** Identifies a CAMT statement by its head, as e-invoices have the same extension. */
const camt = /camt\.05[234]|<(\w+:)?BkToCstmr/
const headBytes = 4_096

/** Whether a file is a card statement. @throws if it cannot be read */
export async function isStatementFile(path: string): Promise<boolean> {
  const ending = extname(path).toLowerCase()
  if (ending !== '.xml') return endings.has(ending)
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes)
    return camt.test(buffer.toString('latin1', 0, bytesRead))
  } finally {
    await file.close()
  }
}

/** The result of a statement; `added`: the number of new lines, and their card. */
export interface StatementOutcome extends CaptureOutcome {
  readonly added?: { readonly count: number; readonly card: string }
}

const cardsSchema = z.object({ corporative_cards: z.array(corporativeCardRoutes.show.response) })
const reportSchema = z.object({ added: z.number() })

/**
 * Adds a statement's lines to a card: the one whose last four digits are in the file's name, or the only card. `say`: words for an unknown card. Safe
 * to repeat.
 */
export async function importStatementFile(
  responding: Responding,
  path: string,
  say: (why: 'whichCard' | 'open') => string,
): Promise<StatementOutcome> {
  const { server } = responding
  const listed = await server.inject(requestOf(responding, 'GET', '/corporative_cards?per_page=100&q[active_eq]=true'))
  if (listed.statusCode !== 200) return { path, problem: failureIn(listed.payload) }
  const card = cardOf(basename(path), cardsSchema.parse(JSON.parse(listed.payload)).corporative_cards)
  if (!card) return { path, problem: say('whichCard') }
  const address = `/organizations/${card.organization.id}/statements?corporative_card_id=${card.id}`
  const response = await server.inject({ ...requestOf(responding, 'POST', address), payload: createReadStream(path) })
  // The person chooses on screen what the file leaves open, and sees a difference from its balances.
  if (response.statusCode === 422 && /"(mapping|account|difference)"/.test(response.payload)) return { path, problem: say('open') }
  if (response.statusCode >= 300) return { path, problem: failureIn(response.payload) }
  return { path, problem: undefined, added: { count: reportSchema.parse(JSON.parse(response.payload)).added, card: card.name } }
}

function cardOf<Card extends { readonly number: string }>(file_name: string, cards: readonly Card[]): Card | undefined {
  const named = cards.filter(({ number }) => new RegExp(String.raw`(?<!\d)${number.slice(-4)}(?!\d)`).test(file_name))
  const wanted = named.length > 0 ? named : cards
  return wanted.length === 1 ? wanted[0] : undefined
}
