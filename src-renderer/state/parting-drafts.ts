import { type Draft, parseDraft } from './draft'
import { onReset } from '../api/page/page-state'

const prefix = 'outlay.draft.'
const keyOf = (id: string) => prefix + id
/** Those that this page noted or has read: another page's notes are not ours to forget. */
const own = new Set<string>()
onReset(() => own.clear())

/**
 * Notes a draft of a page that goes: local storage has it before the page ends, while the disk may get it only after the next page has
 * read the drafts. Its receipts are on the disk already. Where local storage refuses, the disk alone has it.
 */
export function noteParting(draft: Draft): void {
  own.add(draft.id)
  try {
    localStorage.setItem(keyOf(draft.id), JSON.stringify(draft))
  } catch {
    // Full, or switched off.
  }
}

/** Forgets what was noted of a draft: the disk has it. */
export function forgetParting(id: string): void {
  if (own.delete(id)) localStorage.removeItem(keyOf(id))
}

/** The drafts of a user that a page noted before it went, newer than those on the disk. */
export function readParting(user_uid: string): Draft[] {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
  const noted = keys.flatMap((key) => (key.startsWith(prefix) ? (parse(localStorage.getItem(key)) ?? []) : []))
  const theirs = noted.filter((draft) => draft.user_uid === user_uid)
  for (const { id } of theirs) own.add(id)
  return theirs
}

function parse(text: string | null): Draft | undefined {
  try {
    return parseDraft(JSON.parse(text ?? 'null'))
  } catch {
    return undefined
  }
}
