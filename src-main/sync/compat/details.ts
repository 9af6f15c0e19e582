import type { FollowableKind } from '#shared/contract/followables'
import { followablePaths } from '#shared/contract/followables'
import { getAudience } from '#main/store/sync/audience'
import { type PlainFollowable, convertComments, convertParticipants, listKnown } from './convert-children'
import { readAs } from './plain-api'
import type { PlainExchange } from './reading'
import type { Converted, Reading } from './rows'
import { z } from 'zod'

/** What belongs to a record and is listed separately; undefined if it was not requested. */
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

/** The followable record of a row; undefined if nothing can belong to it. */
export function followableOf({ table, row }: Pick<Converted, 'table' | 'row'>): PlainFollowable | undefined {
  const kind = kinds[table]
  return kind && { kind, id: row.id }
}

/** Requests what belongs to a record if its counts are above zero: a request each would be too much for thousands of records. */
export async function fetchDetails(exchange: PlainExchange, converted: Converted): Promise<Details | undefined> {
  const followable = followableOf(converted)
  if (!followable) return undefined
  const { row } = converted
  const { reader } = exchange.store
  const isCommented = Number(row.comments_count) > 0
  const hadComments = isCommented || (await listKnown({ reader }, 'comments', followable)).length > 0
  const audience = await getAudience(reader, exchange.user_id)
  // There are participants only if someone commented or took it over, or if its user sees it only as a participant.
  const isSeenAnyway = row.receiver_id === exchange.user_id || audience.reviews.includes(Number(row.payer_id))
  const isFollowed = isCommented || row.responsible_user_id !== null || !isSeenAnyway
  return {
    followable,
    comments: hadComments ? await fetchComments(exchange, followable) : undefined,
    participants: isFollowed ? await fetchParticipants(exchange, followable) : undefined,
  }
}

/** Requests everything that belongs to a record. */
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

/** Adds the rows of comments, participants and receipts. */
export async function convertDetails(reading: Reading, { followable, comments, participants }: Details): Promise<void> {
  if (comments) await convertComments(reading, followable, comments)
  if (participants) await convertParticipants(reading, followable, participants)
}
