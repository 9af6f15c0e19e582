import { createContext, useContext, useEffect, useLayoutEffect, useState } from 'react'
import type { Language } from '#shared/domain/locales'
import {
  beginEdit,
  type FieldDifference,
  followStored,
  type FormEdit,
  type FormValues,
  isDirty,
  isLike,
  isSame,
  resumeEdit,
  withPlainDay,
} from '../../state/form-edit'
import { dayOf } from '../../state/date-input'
import type { FormName } from '../../state/form-names'
import { newUid } from '../../state/draft'
import { belongsTo, dropEdits, type EditOwner, keepEdit, type KeptForm, resumeNext, useKeptEdits } from '../../state/kept-edits'
import { markDirty } from '../../state/open-forms'
import { usePreferences } from '../../state/preferences'
import { now as readClock } from '../values/clock'

/** Whose edits are kept and offered: the uid of the person signed in; empty before that. */
export const EditOwnerContext = createContext('')

/** The options of a form. `record`: the record it edits; empty for a new one. `stored`: its fields as stored now. */
export type FormDraftInput<T extends FormValues> = {
  readonly form: FormName
  readonly record: string | number
  readonly stored: T
  /** Whether there is typed text that must not be kept on the device, such as a secret. */
  readonly hasUnkept?: boolean
  /** Whether what was left is there again without asking: for a text alone, which says itself what it is. */
  readonly isRestored?: boolean
}

/** The part of a draft that does not depend on its fields: what the form around them needs. */
export type DraftOfForm = {
  readonly form: FormName
  readonly isDirty: boolean
  /** An earlier edit of this record, to resume or to discard. */
  readonly offered: KeptForm | undefined
  readonly difference: readonly FieldDifference[]
  /** The fields in which saving replaces what someone else changed after the edit began. */
  readonly replaced: readonly FieldDifference[]
  readonly resume: () => void
  readonly discardOffered: () => void
  /** Resets everything to the stored record. */
  readonly discard: () => void
}

/** A form's fields while editing. Unsaved changes are kept on this device, however the form is left. */
export type FormDraft<T extends FormValues> = DraftOfForm & {
  readonly value: T
  readonly change: (part: Partial<T>) => void
  /** What was edited is saved; `next` is what the form shows then, where it is not closed. */
  readonly done: (next?: T) => void
}

type Shown<T extends FormValues> = { readonly id: string; readonly record: string; readonly edit: FormEdit<T> }

/** Keeps a form's fields, follows its record, and keeps unsaved changes. The one place where forms hold typed values. */
export function useFormDraft<T extends FormValues>({
  form,
  record: of,
  stored,
  hasUnkept = false,
  isRestored = false,
}: FormDraftInput<T>): FormDraft<T> {
  const record = String(of)
  const user_uid = useContext(EditOwnerContext)
  const language = usePreferences((state) => state.language)
  const now = { stored, language, isNew: record === '' || form.endsWith('-new'), isRestored }
  const owner = { user_uid, form, record }
  const [shown, setShown] = useState(() => begin(owner, now))
  if (shown.record !== record) setShown(begin(owner, now))
  else if (shown.edit.language !== language || !isSame(shown.edit.stored, stored))
    setShown({ ...shown, edit: followStored(shown.edit, now) })
  const { id, edit } = shown
  const dirty = isDirty(edit) || hasUnkept
  const { base, value, difference } = edit
  useKeeping({ ...owner, id }, edit)
  useGuard({ id, form, isDirty: dirty, hasUnkept })
  useResumed(id)
  const offered = useOffer(owner, { stored, isAsked: !dirty })
  const set = (next: (before: FormEdit<T>) => FormEdit<T>) => setShown((before) => ({ ...before, edit: next(before.edit) }))
  const settle = (next: T) => {
    dropEdits([id])
    set((before) => ({ ...before, base: next, value: next, difference: [] }))
  }
  return {
    form,
    value,
    isDirty: dirty,
    offered,
    difference,
    replaced: difference.filter(({ field, now: theirs, mine }) => mine !== undefined && !isSame(value[field] ?? null, theirs)),
    change: (part) => set((before) => ({ ...before, value: { ...before.value, ...part } })),
    resume: () => {
      if (offered && isLike(offered.value, stored)) setShown(take(offered, now) ?? shown)
    },
    discardOffered: () => offered && dropEdits([offered.id]),
    discard: () => settle(base),
    done: (next) => {
      if (next) return settle(next)
      // What was typed while it was being saved is not saved yet.
      dropEdits([id])
      set((before) => ({ ...before, base: value, difference: [] }))
    },
  }
}

type Now<T extends FormValues> = { stored: T; language: Language; isNew: boolean; isRestored: boolean }

function begin<T extends FormValues>(owner: EditOwner, now: Now<T>): Shown<T> {
  const { kept, resumingId } = useKeptEdits.getState()
  const wanted = kept.find((known) => (now.isRestored || known.id === resumingId) && belongsTo(known, owner))
  const taken = wanted && take(wanted, now)
  return taken ?? { id: newUid(), record: owner.record, edit: beginEdit(now.stored, now.language) }
}

function take<T extends FormValues>({ id, record, before, value, language }: KeptForm, now: Now<T>): Shown<T> | undefined {
  if (!isLike(value, now.stored) || !isLike(before, now.stored)) return undefined
  return { id, record, edit: resumeEdit({ before, value, language }, now) }
}

/** Keeps an edit until it is saved. */
function useKeeping<T extends FormValues>({ id, user_uid, form, record }: EditOwner & { id: string }, edit: FormEdit<T>): void {
  const { base, value, language } = edit
  useLayoutEffect(() => {
    if (isSame(base, value)) return dropEdits([id])
    const at = readClock()
    const kept = withPlainDay(value, dayOf(at, usePreferences.getState().timezone))
    keepEdit({ id, user_uid, form, record, at: at.toISOString(), language, before: base, value: kept })
  }, [id, user_uid, form, record, base, value, language])
}

type Guard = { readonly id: string; readonly form: FormName; readonly isDirty: boolean; readonly hasUnkept: boolean }

/** Marks the form as having unsaved changes; the browser asks only before losing changes that are not kept. */
function useGuard({ id, form, isDirty: dirty, hasUnkept }: Guard): void {
  useLayoutEffect(() => (dirty ? markDirty(id, form) : undefined), [dirty, id, form])
  const isKept = useKeptEdits((state) => state.isKept)
  useEffect(() => {
    if (!dirty || (isKept && !hasUnkept)) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty, isKept, hasUnkept])
}

/** An edit is taken up once: a form that opens later asks first. */
function useResumed(id: string): void {
  useEffect(() => {
    if (useKeptEdits.getState().resumingId === id) resumeNext(null)
  }, [id])
}

function useOffer(owner: EditOwner, { stored, isAsked }: { stored: FormValues; isAsked: boolean }): KeptForm | undefined {
  const kept = useKeptEdits((state) => state.kept.find((known) => belongsTo(known, owner)))
  return isAsked && kept && isLike(kept.value, stored) && isLike(kept.before, stored) ? kept : undefined
}

/** The edit of a record that was left, newest first, for where the record is shown and its form is not open. */
export function useKeptEdit(form: FormName, record: string | number): KeptForm | undefined {
  const user_uid = useContext(EditOwnerContext)
  const owner = { user_uid, form, record: String(record) }
  return useKeptEdits((state) => state.kept.find((known) => belongsTo(known, owner)))
}
