import { useQuery } from '@tanstack/react-query'
import { tagRoutes } from '#shared/contract/tags'
import { organizationRecordApi } from './organization-records'

/** What a tag is made of. */
export interface TagFields {
  readonly name: string
  readonly group: string | null
  /** Empty: every member may use it. */
  readonly restricted_user_ids: number[]
}

const tags = organizationRecordApi('tags', tagRoutes)

/** Every tag of an organization, and their writes (contract 4.7). */
export const { useAll: useTags, useWrite: useTagWrite } = tags

/** The names of the organization's tags that the user may give; none while they are not known. */
export function useUsableTags(organization_id: number | null): string[] {
  const { data = [] } = useQuery({ ...tags.allOf(organization_id ?? 0), enabled: organization_id !== null, retry: false })
  return data.filter(({ usable }) => usable).map(({ name }) => name)
}
