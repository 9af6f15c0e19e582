import { useMembers } from '../api/organization-lists'
import { useUsableTags } from '../api/tags'
import { useMembership } from './membership'

/** What a settlement of the shown organization can be written with: its members, and the tags that the user may give. */
export type SettlementChoices = {
  readonly people: ReadonlyArray<{ readonly id: number; readonly name: string }>
  readonly tags: readonly string[]
  readonly isTagRestricted: boolean
}

/** The choices of the organization that the screens show. */
export function useSettlementChoices(): SettlementChoices {
  const organization = useMembership()?.organization
  const people = useMembers(organization?.id ?? null)
  const tags = useUsableTags(organization?.id ?? null)
  return { people, tags, isTagRestricted: organization?.restricted_tags ?? false }
}
