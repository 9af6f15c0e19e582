import type { Mentionable } from '#shared/contract/mentionables'

/** A mention being written: the position of its `@`, and the text up to the caret. */
export type MentionDraft = { readonly start: number; readonly query: string }

/** The mention that the caret is in the middle of writing, if any. */
export function mentionAt(text: string, caret: number): MentionDraft | undefined {
  const match = /(^|[\s(\[{,;:>"'])@([\p{L}\p{N}._-]{0,60})$/u.exec(text.slice(0, caret))
  return match ? { start: caret - (match[2]?.length ?? 0) - 1, query: match[2] ?? '' } : undefined
}

const mostSuggestions = 6

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Who the query may mean, by mention name or any word of the name; accents and case aside. */
export function suggestMentions(people: readonly Mentionable[], query: string): readonly Mentionable[] {
  const wanted = plain(query)
  const isMeant = ({ name, mention_name }: Mentionable) =>
    plain(mention_name).startsWith(wanted) ||
    plain(name)
      .split(/\s+/)
      .some((word) => word.startsWith(wanted))
  return people.filter(isMeant).slice(0, mostSuggestions)
}

/** The text with the mention written out, and the new caret position. */
export function writeMention(text: string, draft: MentionDraft, mention_name: string): { text: string; caret: number } {
  const after = text.slice(draft.start + 1 + draft.query.length)
  const before = `${text.slice(0, draft.start)}@${mention_name}${/^\s/.test(after) ? '' : ' '}`
  return { text: before + after, caret: before.length + (/^\s/.test(after) ? 1 : 0) }
}

/** A piece of a comment: plain text, or the mention of a person. */
export type CommentPart =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'mention'; readonly text: string; readonly name: string }

/** A comment cut into text and mentions; a mention is an `@` before the mention name of a mentioned person. */
export function toCommentParts(content: string, mentioned: ReadonlyArray<{ name: string; mention_name: string }>): CommentPart[] {
  const names = new Map(mentioned.map(({ name, mention_name }) => [mention_name.toLowerCase(), name]))
  const parts: CommentPart[] = []
  let rest = 0
  for (const match of content.matchAll(/@([\p{L}\p{N}._-]+)/gu)) {
    const written = longestKnown(match[1] ?? '', names)
    const name = written && names.get(written.toLowerCase())
    if (written === undefined || name === undefined) continue
    if (match.index > rest) parts.push({ kind: 'text', text: content.slice(rest, match.index) })
    rest = match.index + 1 + written.length
    parts.push({ kind: 'mention', text: `@${written}`, name })
  }
  if (rest < content.length) parts.push({ kind: 'text', text: content.slice(rest) })
  return parts
}

/** A mention at the end of a sentence is followed by a full stop that could be part of a name. */
function longestKnown(written: string, names: ReadonlyMap<string, string>): string | undefined {
  if (names.has(written.toLowerCase())) return written
  const trimmed = written.replace(/[._-]+$/, '')
  return names.has(trimmed.toLowerCase()) ? trimmed : undefined
}
