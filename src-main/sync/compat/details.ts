import type { ParentKind } from '#shared/contract/parents'
import { parentPaths } from '#shared/contract/parents'
import { getAudience } from '#main/store/sync/audience'
import { type PlainParent, convertComments, convertParticipants, listKnown } from './convert-children'
import { readAs } from './plain-api'
import type { PlainExchange } from './reading'
import type { Converted, Reading } from './rows'
import * as shapes from './shapes'
import { z } from 'zod'

/** What belongs to a record and is listed apart from it; undefined where it was not asked for. */
export interface Details {
  readonly parent: PlainParent
  readonly comments: readonly unknown[] | undefined
  readonly participants: readonly unknown[] | undefined
}

const kinds: Readonly<Record<string, ParentKind>> = {
  expenses: 'expense',
  reimbursements: 'reimbursement',
  advancements: 'advancement',
}

/** The parent that a record is, if anything can stand under it. */
export function parentOf({ table, row }: Pick<Converted, 'table' | 'row'>): PlainParent | undefined {
  const kind = kinds[table]
  return kind && { kind, id: row.id }
}

/** Asks for what belongs to a record, where its counts say that there is something; a request each is much for thousands. */
export async function fetchDetails(exchange: PlainExchange, converted: Converted): Promise<Details | undefined> {
  const parent = parentOf(converted)
  if (!parent) return undefined
  const { row } = converted
  const { reader } = exchange.store
  const isCommented = Number(row.comments_count) > 0
  const hadComments = isCommented || (await listKnown({ reader }, 'comments', parent)).length > 0
  const audience = await getAudience(reader, exchange.user_id)
  // Who comments, takes over or sees it without belonging to it takes part.
  const isSeenAnyway = row.receiver_id === exchange.user_id || audience.reviews.includes(Number(row.payer_id))
  const isFollowed = isCommented || row.responsible_user_id !== null || !isSeenAnyway
  return {
    parent,
    comments: hadComments ? await fetchComments(exchange, parent) : undefined,
    participants: isFollowed ? await fetchParticipants(exchange, parent) : undefined,
  }
}

/** Asks for all that belongs to a record. */
export async function fetchAllDetails(exchange: PlainExchange, parent: PlainParent): Promise<Details> {
  return {
    parent,
    comments: await fetchComments(exchange, parent),
    participants: await fetchParticipants(exchange, parent),
  }
}

async function fetchComments({ api }: PlainExchange, { kind, id }: PlainParent): Promise<unknown[]> {
  const comments: unknown[] = []
  const list = { path: `${parentPaths[kind]}/${id}/comments`, name: 'comments', query: { emoji_in_unicode: 'true' } }
  for await (const { items } of api.pages(list)) comments.push(...items)
  return comments
}

async function fetchParticipants({ api }: PlainExchange, { kind, id }: PlainParent): Promise<unknown[] | undefined> {
  const body = await api.read(`${parentPaths[kind]}/${id}/participants`)
  return body === undefined
    ? undefined
    : readAs(z.object({ participants: z.array(z.unknown()) }), body, 'participants').participants
}

/** Adds the rows of what belongs to a record. */
export async function convertDetails(reading: Reading, { parent, comments, participants }: Details): Promise<void> {
  if (comments) await convertComments(reading, parent, comments)
  if (participants) await convertParticipants(reading, parent, participants)
}

/** The comments among these that a person made, by their id and words. */
export function readComments(list: readonly unknown[], user_id: number): Array<{ id: number; content: string }> {
  return list
    .map((raw) => readAs(shapes.comment, raw, 'a comment'))
    .filter(({ user, deleted_at }) => user.id === user_id && deleted_at === null)
}
