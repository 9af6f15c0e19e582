import { z } from 'zod'
import { unfiltered } from '#shared/contract/followables'
import { type Condition, type ListFilter, parseFilter } from '#shared/contract/filters'
import type { ExportBody } from '#shared/contract/instance/exports'
import type { ListOptions } from '#shared/contract/route'
import { DomainError, invalid } from '#shared/domain/errors'
import type { ExportFormat } from '#shared/domain/exports/export-formats'
import { type OtherList, type TableFormat, listsOfOrganizations, tableFormats } from '#shared/domain/exports/exported-lists'
import { type ListKey, orderSteps } from '#main/store/core/list-query'
import type { Reader } from '#main/store/core/store'
import { getVisibleOrganization } from '../../access/get-visible-organization'
import { narrowed } from '../export-rows'
import { type Cell, type Cells, type ListColumn } from './list-columns'
import { type ListSource, listSources } from './list-sources'
import { readNames } from './names'
import { readTrail, trailColumns, trailOptions } from './trail'

/** Which records of a list are exported, and for whom. */
export interface ListScope {
  readonly list: OtherList
  readonly user_id: number
  readonly organization_id: number | undefined
  readonly state: ExportBody['state']
  readonly filter: ListFilter
}

/** A record as a file states it, by column. */
export type ListedRecord = Readonly<Record<string, Cell>>

const pageSize = 500

const optionsOf = (list: OtherList): ListOptions => (list === 'activities' ? trailOptions : (listSources[list].route.list ?? unfiltered))

/** The columns of a list, in their order. */
export function columnsOfList(list: OtherList): readonly ListColumn[] {
  return list === 'activities' ? trailColumns : listSources[list].columns
}

function isOfOrganization(list: OtherList): boolean {
  return listsOfOrganizations.some((one) => one === list)
}

/** The format of a table. Throws {@link DomainError} for any other. */
export function tableFormatOf(format: ExportFormat): TableFormat {
  const known = tableFormats.find((one) => one === format)
  if (!known) throw invalid('format', 'invalid')
  return known
}

/** What was asked for of a list that is not of expenses. Throws {@link DomainError} where it cannot be read. */
export function listScopeOf(list: OtherList, asked: ExportBody, user_id: number): ListScope {
  const { q, ids, except_ids, format, organization_id, state } = asked
  tableFormatOf(format)
  if (organization_id === undefined && isOfOrganization(list)) throw invalid('organization_id', 'blank')
  if (organization_id !== undefined && list === 'pre_expenses') throw invalid('organization_id', 'invalid')
  if (list === 'activities' && (ids || except_ids)) throw invalid('ids', 'invalid')
  const parsed = parseFilter(optionsOf(list), q ?? {})
  if (parsed.kind === 'invalid') throw new DomainError({ kind: 'invalid', fields: { q: parsed.errors } })
  const { organization } = list === 'activities' ? {} : listSources[list]
  const conditions: Condition[] =
    organization_id !== undefined && organization
      ? [{ attribute: organization, kind: 'integer', predicate: 'eq', values: [organization_id] }]
      : []
  const filter = narrowed(parsed.filter, { ids, except_ids })
  return { list, user_id, organization_id, state, filter: { ...filter, conditions: [...conditions, ...filter.conditions] } }
}

/** Throws 404 or 403 where the user may not read the list of that organization. */
export async function assertListVisible(reader: Reader, { list, organization_id: id, user_id }: ListScope): Promise<void> {
  if (id === undefined) return
  const action = list === 'activities' || !isOfOrganization(list) ? undefined : listSources[list].route.action
  await getVisibleOrganization(reader, { id, user_id, ...(action && { action }) })
}

/** How many records there are. */
export async function countList(reader: Reader, scope: ListScope): Promise<number> {
  if (scope.list === 'activities') return (await readTrail(reader, scope, { limit: 1, offset: 0 })).count
  const { count } = await listSources[scope.list].page(reader, scope, { filter: scope.filter, sort: [], limit: 1, offset: 0 })
  return count
}

/** The records of a list as files state them, newest first, page by page. */
export async function* readList(reader: Reader, scope: ListScope): AsyncGenerator<ListedRecord> {
  const columns = columnsOfList(scope.list)
  for await (const page of pagesOf(reader, scope)) {
    const attributes = scope.list === 'activities' ? {} : listSources[scope.list].attributes
    const names = await readNames(reader, page, { attributes, user_id: scope.user_id })
    for (const row of page) yield Object.fromEntries(columns.map(({ name, read }) => [name, read(row, names)]))
  }
}

async function* pagesOf(reader: Reader, scope: ListScope): AsyncGenerator<readonly Cells[]> {
  const read = scope.list === 'activities' ? trailPage : pageReaderOf(listSources[scope.list])
  for (let after: ListKey | undefined; ;) {
    const { rows, last, isEnd } = await read(reader, scope, after)
    yield rows
    if (isEnd || !last) return
    after = last
  }
}

interface ReadPage {
  readonly rows: readonly Cells[]
  readonly last: ListKey | undefined
  readonly isEnd: boolean
}
type PageReader = (reader: Reader, scope: ListScope, after: ListKey | undefined) => Promise<ReadPage>

const key = z.array(z.union([z.string(), z.number(), z.null()]))

function pageReaderOf({ page, complete }: ListSource): PageReader {
  return async (reader, scope, after) => {
    const query = { filter: scope.filter, sort: [], limit: pageSize, offset: 0, ...(after && { after }) }
    const { rows } = await page(reader, scope, query)
    const end = rows.at(-1)
    const last = end && key.parse(orderSteps([]).map(({ column }) => end[column]))
    return { rows: complete ? await complete(reader, rows, scope) : rows, last, isEnd: rows.length < pageSize }
  }
}

const trailPage: PageReader = async (reader, scope, after) => {
  const { rows, last } = await readTrail(reader, scope, { limit: pageSize, offset: 0, ...(after && { after }) })
  return { rows, last, isEnd: last === undefined }
}
