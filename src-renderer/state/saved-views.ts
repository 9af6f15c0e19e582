import { useFrame } from './frame'
import { type Preferences, usePreferences } from './preferences'

/** A view of Review that a person named. `address`: without the question mark; `of`: whose it is, and in which organization. */
export type SavedView = Preferences['savedViews'][number]

/** Who is signed in and the organization that is shown, as one text: what is kept for both together is kept under it. */
export function usePersonInOrganization(): string {
  const user_id = useFrame((state) => state.user?.id ?? 0)
  const organizationId = usePreferences((state) => state.organizationId ?? 0)
  return `${user_id} ${organizationId}`
}

/** The views that this person saved in this organization, in the order of their keys. One without an owner is from before there were any: everyone has it. */
export function useSavedViews(): readonly SavedView[] {
  const owner = usePersonInOrganization()
  const views = usePreferences((state) => state.savedViews)
  return views.filter((view) => (view.of ?? owner) === owner)
}

/** The keys of the first saved views, in their order. */
export const viewKeys: readonly string[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => `v ${digit}`)
