import { useTranslation } from 'react-i18next'
import type { SavedViewRepresentation } from '#shared/contract/organization-records/saved-views'
import { failureText } from '../../api/failure-text'
import { expenseArea } from '../expense/expense-moves'
import { type SavedView, useSavedViews, useViewWrite } from '../saved-views'
import { notifyFailure } from '../../state/notices'
import { usePreferences } from '../../state/preferences'
import { offerUndo } from '../../state/undo-stack'
import { now } from '../../ui/values/clock'
import { onReset } from '../../api/page/page-state'

/** What is said of a view. */
type ViewFields = { readonly name: string; readonly query: string; readonly is_shared: boolean }

/** What a person does with saved views; each act can be undone. `find`: their own view with this name, whatever its capitals. */
export type ViewActs = {
  readonly find: (name: string) => SavedView | undefined
  readonly save: (fields: ViewFields) => void
  readonly rename: (view: SavedView, name: string) => void
  readonly share: (view: SavedView, is_shared: boolean) => void
  readonly remove: (view: SavedView) => void
}

/** A view as the server last had it. */
type Known = SavedViewRepresentation

const fieldsOf = ({ name, query, is_shared }: Known): ViewFields => ({ name, query, is_shared })

/** What became of views since an act: changed, or saved again after they were deleted. By uid. */
const latest = new Map<string, Known>()
onReset(() => latest.clear())

let writes: Promise<unknown> = Promise.resolve()

/** One write after the other: a view that is saved again is known before what is done next to it. */
function inTurn<T>(write: () => Promise<T>): Promise<T> {
  const written = writes.then(write)
  writes = written.catch(() => undefined)
  return written
}

function latestOf(view: Known): Known {
  const next = latest.get(view.uid)
  if (!next) return view
  return next.uid === view.uid ? (next.version > view.version ? next : view) : latestOf(next)
}

/** The acts on saved views in the organization that is shown. */
export function useViewActs(): ViewActs {
  const { t } = useTranslation('review')
  const { views } = useSavedViews()
  const { mutateAsync } = useViewWrite(usePreferences((state) => state.organizationId) ?? 0)
  const create = (fields: ViewFields, before?: Known) =>
    inTurn(async () => {
      const created = await mutateAsync({ kind: 'create', fields })
      if (created && before) latest.set(before.uid, created)
      return created
    })
  const change = (view: Known, fields: Partial<ViewFields>) =>
    inTurn(async () => {
      const record = latestOf(view)
      const changed = await mutateAsync({ kind: 'change', record, fields: { ...fieldsOf(record), ...fields } })
      if (changed) latest.set(changed.uid, changed)
    })
  const remove = (view: Known) => inTurn(() => mutateAsync({ kind: 'delete', record: latestOf(view) }))
  const act = (label: string, work: () => Promise<() => Promise<unknown>>) =>
    void work().then(
      (undo) => offerUndo({ area: expenseArea, label, at: now().toISOString(), undo }),
      (error: unknown) => notifyFailure({ title: t('saved.failed'), message: failureText(error) }),
    )
  const edit = (label: string, view: SavedView, fields: Partial<ViewFields>) =>
    act(label, async () => {
      await change(view, fields)
      return () => change(view, fieldsOf(view))
    })
  const find = (name: string) => views.find((view) => view.isOwn && view.name.toLocaleLowerCase() === name.toLocaleLowerCase())
  return {
    find,
    save: (fields) => {
      const old = find(fields.name)
      if (old) return edit(t('saved.replaced', { name: fields.name }), old, fields)
      act(t('saved.done', { name: fields.name }), async () => {
        const created = await create(fields)
        return async () => created && remove(created)
      })
    },
    rename: (view, name) => edit(t('saved.renamed', { name }), view, { name }),
    share: (view, is_shared) => edit(t(is_shared ? 'saved.shared' : 'saved.unshared', { name: view.name }), view, { is_shared }),
    remove: (view) =>
      act(t('saved.removed', { name: view.name }), async () => {
        await remove(view)
        return () => create(fieldsOf(view), view)
      }),
  }
}
