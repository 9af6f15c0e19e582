import { useEffect } from 'react'
import { type SavedViewRepresentation, savedViewRoutes } from '#shared/contract/organization-records/saved-views'
import { may } from '#shared/domain/permissions'
import { call } from '../api/client'
import { organizationRecordApi } from '../api/organization-records'
import { useFrame } from '../state/frame'
import { useRole } from '../state/membership'
import { type Preferences, usePreferences } from '../state/preferences'

/** A view of Review that a member named: their own, or one that another shares. `isEditable`: this person may change and delete it. */
export type SavedView = SavedViewRepresentation & { readonly isOwn: boolean; readonly isEditable: boolean }

const api = organizationRecordApi('saved_views', savedViewRoutes)

/** Writes of saved views. */
export const { useWrite: useViewWrite } = api

/** The keys of the first saved views, in their order. */
export const viewKeys: readonly string[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => `v ${digit}`)

const inOrder = (a: SavedView, b: SavedView) => Number(b.isOwn) - Number(a.isOwn) || a.name.localeCompare(b.name) || a.id - b.id

/** The saved views that this person sees in the organization that is shown, in the order of their keys: their own by name, then those of others. */
export function useSavedViews(): { readonly views: readonly SavedView[]; readonly state: 'loading' | 'failed' | 'read' } {
  const user_id = useFrame((state) => state.user?.id)
  const role = useRole()
  const { data, isError } = api.useAll(usePreferences((state) => state.organizationId))
  const views = (data ?? []).map((view) => {
    const isOwn = view.user.id === user_id
    return { ...view, isOwn, isEditable: may('saved_views.write', { role, is_author: isOwn }) }
  })
  return { views: views.toSorted(inOrder), state: data ? 'read' : isError ? 'failed' : 'loading' }
}

type KeptView = Preferences['savedViews'][number]

/** Views that this browser keeps from before the server did, of one person in one organization; `of` is missing from the oldest. */
const keptBy = (owner: string) => (view: KeptView) => (view.of ?? owner) === owner

/** Has the views that this browser keeps moved to the server. */
export function useMovedViews(): void {
  const user_id = useFrame((state) => state.user?.id)
  const organization_id = usePreferences((state) => state.organizationId)
  const isAny = usePreferences((state) => state.savedViews.length > 0)
  useEffect(() => {
    if (user_id === undefined || organization_id === null || !isAny) return
    void moveViews(user_id, organization_id).catch(() => undefined)
  }, [user_id, organization_id, isAny])
}

/** Sends the views that this browser keeps to the server, once; what the server does not take stays for the next visit. */
export async function moveViews(user_id: number, organization_id: number): Promise<void> {
  const owner = `${user_id} ${organization_id}`
  for (const kept of usePreferences.getState().savedViews.filter(keptBy(owner))) {
    const { name, address: query } = kept
    // Another tab may send it at the same time: under the same key it is saved once.
    const idempotencyKey = encodeURIComponent(`kept view ${owner} ${name} ${query}`).slice(0, 255)
    await call(savedViewRoutes.create, { params: { organization_id }, body: { name: name.slice(0, 80), query }, idempotencyKey })
    const { savedViews, set } = usePreferences.getState()
    set({ savedViews: savedViews.filter((view) => !keptBy(owner)(view) || view.name !== name || view.address !== query) })
  }
}
