import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { z } from 'zod'
import { corporativeCardRoutes } from '#shared/contract/corporative-cards'
import { type CaptureOutcome, failureIn, requestOf } from './incoming-files'
import type { Responding } from './protocol'

/** Files that nothing but a statement is, by their ending. */
const endings = new Set(['.ofx', '.qfx', '.qif', '.csv'])
/** What the head of a CAMT statement names, which ends as e-invoices do. */
const camt = /camt\.05[234]|<(\w+:)?BkToCstmr/
const headBytes = 4_096

/** Whether a file is the statement of a card. @throws when it cannot be read */
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

/** What became of a statement; `added`: its new lines, and the card that has them. */
export interface StatementOutcome extends CaptureOutcome {
  readonly added?: { readonly count: number; readonly card: string }
}

const cardsSchema = z.object({ corporative_cards: z.array(corporativeCardRoutes.show.response) })
const reportSchema = z.object({ added: z.number() })

/**
 * Adds the lines of a statement to its card: the one whose last four digits are in the file's name, else the only one. `say`: why it cannot be
 * known, in words. Safe to repeat.
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
  // How its columns are read is chosen on the screen once; the next statement of the card is read the same way.
  if (response.statusCode === 422 && response.payload.includes('"mapping"')) return { path, problem: say('open') }
  if (response.statusCode >= 300) return { path, problem: failureIn(response.payload) }
  return { path, problem: undefined, added: { count: reportSchema.parse(JSON.parse(response.payload)).added, card: card.name } }
}

function cardOf<Card extends { readonly number: string }>(file_name: string, cards: readonly Card[]): Card | undefined {
  const named = cards.filter(({ number }) => new RegExp(String.raw`(?<!\d)${number.slice(-4)}(?!\d)`).test(file_name))
  const wanted = named.length > 0 ? named : cards
  return wanted.length === 1 ? wanted[0] : undefined
}
