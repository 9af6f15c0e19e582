import { create } from 'zustand'

const useDrafts = create<{ drafts: Readonly<Record<number, string>> }>()(() => ({ drafts: {} }))

/** What is written and not yet sent about an expense; it is there again after a look at another one. */
export function useCommentDraft(expense_id: number): { draft: string; setDraft: (draft: string) => void } {
  const draft = useDrafts(({ drafts }) => drafts[expense_id] ?? '')
  const setDraft = (next: string) => useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [expense_id]: next } }))
  return { draft, setDraft }
}
