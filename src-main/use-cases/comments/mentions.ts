import type { Row } from '#db/schema'
import { listMentionablesNamed } from '#main/store/records/conversations/mentionable-reader'
import type { FollowableRef } from '#main/store/records/conversations/followable-columns'
import type { Tx } from '#main/store/core/store'

/** `@` and a name, not inside a word: the @ of an e-mail address is no mention. */
const mention = /(?<![\p{L}\p{N}_@.+-])@([\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+){0,24})/gu

/** The possible names in a text, longest first: in `@mel.Then` the mention is `mel`. */
function readings(name: string): string[] {
  const cuts = [...name.matchAll(/[.-]/g)].map(({ index }) => index).toReversed()
  return [name, ...cuts.map((cut) => name.slice(0, cut))]
}

/** A part of a comment: plain text, or the mention of a user as written, with `@`. */
export type CommentPart<U> =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'mention'; readonly text: string; readonly user: U }

/** Splits a comment at its mentions of these users. */
export function splitAtMentions<U extends { mention_name: string }>(content: string, users: readonly U[]): CommentPart<U>[] {
  const named = new Map(users.map((user) => [user.mention_name.toLowerCase(), user]))
  const parts: CommentPart<U>[] = []
  let end = 0
  for (const { 1: name = '', index } of content.matchAll(mention)) {
    const written = readings(name).find((reading) => named.has(reading.toLowerCase()))
    const user = written === undefined ? undefined : named.get(written.toLowerCase())
    if (written === undefined || !user) continue
    parts.push({ kind: 'text', text: content.slice(end, index) }, { kind: 'mention', text: `@${written}`, user })
    end = index + 1 + written.length
  }
  return [...parts, { kind: 'text' as const, text: content.slice(end) }].filter(({ text }) => text !== '')
}

/** The users that a comment mentions, each once (contract 2.11). Names of other users than the record's mentionables are plain text. */
export async function findMentioned(tx: Tx, followable: FollowableRef, content: string): Promise<Row<'users'>[]> {
  const names = [...content.matchAll(mention)].flatMap(({ 1: name = '' }) => readings(name))
  const users = await listMentionablesNamed(tx, { followable, asked_by: tx.actor.user_id }, [...new Set(names)])
  const mentioned = splitAtMentions(content, users).flatMap((part) => (part.kind === 'mention' ? [part.user] : []))
  return [...new Set(mentioned)]
}
