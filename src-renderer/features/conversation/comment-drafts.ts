import { create } from 'zustand'
import type { Parent } from '../../api/parents'

const useDrafts = create<{ drafts: Readonly<Record<string, string>> }>()(() => ({ drafts: {} }))

/** What is written and not yet sent about a record; it is there again after a look at another one. */
export function useCommentDraft({ kind, id }: Parent): { draft: string; setDraft: (draft: string) => void } {
  const key = `${kind} ${id}`
  const draft = useDrafts(({ drafts }) => drafts[key] ?? '')
  const setDraft = (next: string) => useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: next } }))
  return { draft, setDraft }
}
