import { z } from 'zod'
import { create } from 'zustand'
import { languages } from '#shared/domain/locales'
import { formNames, type FormName } from './form-names'
import { onReset } from '../api/page/page-state'

const valuesSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number()])).readonly()]),
)

const keptSchema = z.object({
  id: z.string().min(1),
  /** Empty before anyone has signed in. */
  user_uid: z.string(),
  form: z.enum(formNames),
  /** Which record, in the form's own words; empty for a new one. */
  record: z.string(),
  /** When it was last changed (ISO 8601). */
  at: z.string(),
  language: z.enum(languages),
  before: valuesSchema,
  value: valuesSchema,
})

/** An edit that is not saved, kept on this device for the person who made it. */
export type KeptForm = z.infer<typeof keptSchema>

const prefix = 'outlay.unsaved.'

/**
 * Unsaved edits, newest first, in memory and on this device. They are in local storage, not with the drafts of expenses: it
 * is written before a key press is over, so that a reload right after it finds everything; an edit is small.
 * `resumingId`: the edit that the next opened form continues. `isKept`: the last write succeeded.
 */
export const useKeptEdits = create<{ kept: readonly KeptForm[]; resumingId: string | null; isKept: boolean }>()(() => ({
  kept: readAll(),
  resumingId: null,
  isKept: true,
}))

onReset(() => useKeptEdits.setState({ kept: readAll(), resumingId: null, isKept: true }))

function parse(text: string | null): KeptForm | undefined {
  if (text === null) return undefined
  try {
    return keptSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function readAll(): readonly KeptForm[] {
  if (typeof localStorage === 'undefined') return []
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
  return inOrder(keys.flatMap((key) => (key.startsWith(prefix) ? (parse(localStorage.getItem(key)) ?? []) : [])))
}

function inOrder(kept: readonly KeptForm[]): readonly KeptForm[] {
  return kept.toSorted((a, b) => (a.at < b.at ? 1 : -1))
}

// Each edit has a separate entry, so that two tabs never overwrite each other's.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea === localStorage && (key === null || key.startsWith(prefix))) useKeptEdits.setState({ kept: readAll() })
  })

/** Keeps an edit, in place of what was kept under its id. */
export function keepEdit(edit: KeptForm): void {
  let isKept = true
  try {
    localStorage.setItem(prefix + edit.id, JSON.stringify(edit))
  } catch {
    isKept = false
  }
  useKeptEdits.setState(({ kept }) => ({ kept: inOrder([edit, ...kept.filter(({ id }) => id !== edit.id)]), isKept }))
}

/** Forgets edits: they are saved or discarded. */
export function dropEdits(ids: readonly string[]): void {
  const { kept } = useKeptEdits.getState()
  if (!kept.some(({ id }) => ids.includes(id))) return
  for (const id of ids) localStorage.removeItem(prefix + id)
  useKeptEdits.setState({ kept: kept.filter(({ id }) => !ids.includes(id)) })
}

/** Makes the next opened form continue a kept edit. */
export function resumeNext(id: string | null): void {
  useKeptEdits.setState({ resumingId: id })
}

/** What a kept edit belongs to. */
export type EditOwner = { readonly user_uid: string; readonly form: FormName; readonly record: string }

/** Whether an edit belongs there. */
export function belongsTo(kept: KeptForm, { user_uid, form, record }: EditOwner): boolean {
  return kept.user_uid === user_uid && kept.form === form && kept.record === record
}
