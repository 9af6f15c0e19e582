import type { FollowableKind } from '#shared/contract/followables'
import { followablePaths } from '#shared/contract/followables'
import { getAudience } from '#main/store/sync/audience'
import { type PlainFollowable, convertComments, convertParticipants, listKnown } from './convert-children'
import { readAs } from './plain-api'
import type { PlainExchange } from './reading'
import type { Converted, Reading } from './rows'
import { z } from 'zod'

/** What belongs to a record and is listed apart from it; undefined where it was not asked for. */
export interface Details {
  readonly followable: PlainFollowable
  readonly comments: readonly unknown[] | undefined
  readonly participants: readonly unknown[] | undefined
}

const kinds: Readonly<Record<string, FollowableKind>> = {
  expenses: 'expense',
  reimbursements: 'reimbursement',
  advancements: 'advancement',
}

/** The followable record that a record is, if anything can stand under it. */
export function followableOf({ table, row }: Pick<Converted, 'table' | 'row'>): PlainFollowable | undefined {
  const kind = kinds[table]
  return kind && { kind, id: row.id }
}

/** Asks for what belongs to a record, where its counts say that there is something; a request each is much for thousands. */
export async function fetchDetails(exchange: PlainExchange, converted: Converted): Promise<Details | undefined> {
  const followable = followableOf(converted)
  if (!followable) return undefined
  const { row } = converted
  const { reader } = exchange.store
  const isCommented = Number(row.comments_count) > 0
  const hadComments = isCommented || (await listKnown({ reader }, 'comments', followable)).length > 0
  const audience = await getAudience(reader, exchange.user_id)
  // Who comments, takes over or sees it without belonging to it takes part.
  const isSeenAnyway = row.receiver_id === exchange.user_id || audience.reviews.includes(Number(row.payer_id))
  const isFollowed = isCommented || row.responsible_user_id !== null || !isSeenAnyway
  return {
    followable,
    comments: hadComments ? await fetchComments(exchange, followable) : undefined,
    participants: isFollowed ? await fetchParticipants(exchange, followable) : undefined,
  }
}

/** Asks for all that belongs to a record. */
export async function fetchAllDetails(exchange: PlainExchange, followable: PlainFollowable): Promise<Details> {
  return { followable, comments: await fetchComments(exchange, followable), participants: await fetchParticipants(exchange, followable) }
}

async function fetchComments({ api }: PlainExchange, { kind, id }: PlainFollowable): Promise<unknown[]> {
  const comments: unknown[] = []
  const list = { path: `${followablePaths[kind]}/${id}/comments`, name: 'comments', query: { emoji_in_unicode: 'true' } }
  for await (const { items } of api.pages(list)) comments.push(...items)
  return comments
}

async function fetchParticipants({ api }: PlainExchange, { kind, id }: PlainFollowable): Promise<unknown[] | undefined> {
  const body = await api.read(`${followablePaths[kind]}/${id}/participants`)
  return body === undefined ? undefined : readAs(z.object({ participants: z.array(z.unknown()) }), body, 'participants').participants
}

/** Adds the rows of what belongs to a record. */
export async function convertDetails(reading: Reading, { followable, comments, participants }: Details): Promise<void> {
  if (comments) await convertComments(reading, followable, comments)
  if (participants) await convertParticipants(reading, followable, participants)
}
