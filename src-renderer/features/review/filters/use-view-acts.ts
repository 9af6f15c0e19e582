import { useTranslation } from 'react-i18next'
import { expenseArea } from '../../../records/expense/expense-moves'
import { usePreferences } from '../../../state/preferences'
import { type SavedView, usePersonInOrganization, useSavedViews } from '../../../state/saved-views'
import { offerUndo } from '../../../state/undo-stack'
import { now } from '../../../ui/values/clock'

/** What a person does with saved views; each act can be undone. `find`: the view with this name, whatever its capitals. */
export type ViewActs = {
  readonly find: (name: string) => SavedView | undefined
  readonly save: (name: string, address: string) => void
  readonly rename: (view: SavedView, name: string) => void
  readonly remove: (view: SavedView) => void
}

const isNamed = (name: string) => (view: SavedView) => view.name.toLocaleLowerCase() === name.toLocaleLowerCase()

type Views = readonly SavedView[]

/** Another tab may have changed the list since: only the view itself changes. */
function change(edit: (views: Views) => Views): void {
  const { savedViews, set } = usePreferences.getState()
  set({ savedViews: [...edit(savedViews)] })
}

/** The acts on the views of who is signed in, in the organization that is shown. */
export function useViewActs(): ViewActs {
  const { t } = useTranslation('review')
  const of = usePersonInOrganization()
  const views = useSavedViews()
  const act = (label: string, edit: (views: Views) => Views, back: (views: Views) => Views) => {
    change(edit)
    offerUndo({ area: expenseArea, label, at: now().toISOString(), undo: () => Promise.resolve(change(back)) })
  }
  const isOwn = (view: SavedView) => (view.of ?? of) === of
  const swap = (old: SavedView, put: SavedView) => (known: Views) =>
    known.map((view) => (isOwn(view) && isNamed(old.name)(view) ? put : view))
  const without = (name: string) => (known: Views) => known.filter((view) => !(isOwn(view) && isNamed(name)(view)))
  const find = (name: string) => views.find(isNamed(name))
  return {
    find,
    save: (name, address) => {
      const view = { name, address, of }
      const old = find(name)
      if (old) act(t('saved.replaced', { name }), swap(old, view), swap(view, old))
      else act(t('saved.done', { name }), (known) => [...known, view], without(name))
    },
    rename: (view, name) => {
      const renamed = { ...view, name }
      act(t('saved.renamed', { name }), swap(view, renamed), swap(renamed, view))
    },
    remove: (view) => {
      const at = usePreferences.getState().savedViews.findIndex((known) => isOwn(known) && isNamed(view.name)(known))
      const back = (known: Views) => [...without(view.name)(known)].toSpliced(at, 0, view)
      act(t('saved.removed', { name: view.name }), without(view.name), back)
    },
  }
}
