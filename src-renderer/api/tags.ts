import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Tag, tagRoutes } from '#shared/contract/tags'
import { call, etagOf } from './client'
import { expenseKeys } from './expenses'
import { pageSize as per_page, readWhole } from './pages'

const tagsOf = (organization_id: number) =>
  queryOptions({
    queryKey: ['organizations', organization_id, 'tags'],
    queryFn: ({ signal }) =>
      readWhole(async (page) => {
        const { tags, count } = await call(tagRoutes.list, {
          params: { organization_id },
          query: { sort: '-created_at', page, per_page },
          signal,
        })
        return { rows: tags, count }
      }),
  })

/** Every tag of an organization. */
export function useTags(organization_id: number) {
  return useQuery(tagsOf(organization_id))
}

/** The names of the organization's tags that the user may give; none while they are not known. */
export function useUsableTags(organization_id: number | null): string[] {
  const { data = [] } = useQuery({ ...tagsOf(organization_id ?? 0), enabled: organization_id !== null, retry: false })
  return data.filter(({ usable }) => usable).map(({ name }) => name)
}

/** What a tag is made of. */
export interface TagFields {
  readonly name: string
  readonly group: string | null
  /** Empty: every member may use it. */
  readonly restricted_user_ids: number[]
}

/** A write of tags; `tag` as the user saw it. */
export type TagWrite =
  | { readonly kind: 'create'; readonly fields: TagFields }
  | { readonly kind: 'change'; readonly tag: Tag; readonly fields: TagFields }
  | { readonly kind: 'delete'; readonly tag: Tag }

/** Creates, changes and deletes tags (contract 4.7); returns the resulting tag. Lists of expenses contain the names too. */
export function useTagWrite(organization_id: number) {
  const client = useQueryClient()
  return useMutation<Tag | null, Error, TagWrite>({
    mutationFn: (write) => {
      switch (write.kind) {
        case 'create':
          return call(tagRoutes.create, { params: { organization_id }, body: write.fields })
        case 'change':
          return call(tagRoutes.update, {
            params: { organization_id, id: write.tag.id },
            body: write.fields,
            ifMatch: etagOf(write.tag),
          })
        case 'delete':
          return call(tagRoutes.destroy, { params: { organization_id, id: write.tag.id }, ifMatch: etagOf(write.tag) })
      }
    },
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ['organizations', organization_id] })
      await client.invalidateQueries({ queryKey: expenseKeys.all })
    },
  })
}
