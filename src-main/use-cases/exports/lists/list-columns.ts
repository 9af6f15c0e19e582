import { columnOf, type Attribute, type Attributes } from '#shared/records/attributes'
import { fromListColumn, shownValue } from '#shared/records/columns'
import { toTagCell } from '#main/tables/tag-cell'
import type { Names } from './names'

/** A row as the store has it. */
export type Cells = Readonly<Record<string, unknown>>
export type Cell = string | number | boolean | null

/** A column of an exported list: what a spreadsheet makes of its values, and how it is read. `currency`: the column of an amount's currency. */
export interface ListColumn {
  readonly name: string
  readonly kind: 'plain' | 'instant' | 'amount'
  readonly currency?: string
  readonly read: (cells: Cells, names: Names) => Cell
}

/** A column whose value is in the row. */
export const plainColumn = (name: string, kind: ListColumn['kind'] = 'plain'): ListColumn => ({
  name,
  kind,
  read: ({ [name]: value }) => (typeof value === 'string' || typeof value === 'number' ? value : null),
})

const idIn = (cells: Cells, column: string): number => Number(cells[column] ?? 0)

/** Whose address a file says, so that accounting finds the person. */
const addressed = new Set(['receiver', 'user'])

function partyColumns(name: string, attribute: Attribute & { kind: 'party' }): ListColumn[] {
  const column = columnOf(name, attribute)
  if (attribute.of === 'Organization')
    return [
      {
        name: name === 'payer' ? 'organization' : name,
        kind: 'plain',
        read: (cells, { organizations }) => organizations.get(idIn(cells, column)) ?? null,
      },
    ]
  const person: ListColumn = { name, kind: 'plain', read: (cells, { users }) => users.get(idIn(cells, column)) ?? null }
  if (!addressed.has(name)) return [person]
  return [person, { name: `${name}_email`, kind: 'plain', read: (cells, { emails }) => emails.get(idIn(cells, column)) ?? null }]
}

function recordColumns(name: string, to: string): ListColumn[] {
  const id = plainColumn(name)
  if (to !== 'tags' && to !== 'corporative_cards') return [id]
  const read: ListColumn['read'] = (cells, names) => names[to].get(idIn(cells, name)) ?? null
  return [{ name: name.replace(/_id$/, ''), kind: 'plain', read }]
}

function listColumns(name: string, of: Parameters<typeof fromListColumn>[0]): ListColumn[] {
  const valuesIn = ({ [name]: text }: Cells) => fromListColumn(of, typeof text === 'string' ? text : null)
  const named = { tags: 'tags', users: 'users' } as const
  const names = of === 'tags' || of === 'users' ? named[of] : undefined
  if (names === undefined) return [{ name, kind: 'plain', read: (cells) => valuesIn(cells).join(', ') || null }]
  const read: ListColumn['read'] = (cells, known) =>
    toTagCell(valuesIn(cells).map((id) => known[names].get(Number(id)) ?? String(id))) || null
  return [{ name: name.replace(/_ids$/, 's'), kind: 'plain', read }]
}

/** The columns of an attribute; none where files do not show it. */
function columnsOfAttribute(name: string, attribute: Attribute): ListColumn[] {
  switch (attribute.kind) {
    case 'party':
      return partyColumns(name, attribute)
    case 'record':
      return recordColumns(name, attribute.to)
    case 'list':
      return listColumns(name, attribute.of)
    case 'tags':
      return [plainColumn(name)]
    case 'ids':
    case 'image':
      return []
    case 'instant':
    case 'amount': {
      const { kind } = attribute
      const read: ListColumn['read'] = (cells) => shownValue(name, attribute, cells)
      return [{ name, kind, read, ...(kind === 'amount' && { currency: attribute.currency }) }]
    }
    default:
      return [{ name, kind: 'plain', read: (cells) => shownValue(name, attribute, cells) }]
  }
}

/** The organization that a record is in. */
export const organizationColumn: ListColumn = {
  name: 'organization',
  kind: 'plain',
  read: (cells, { organizations }) => organizations.get(idIn(cells, 'organization_id')) ?? null,
}

/** The columns of a list of records, from their definition; `shows`: hidden attributes that a file shows nevertheless. */
export function columnsOfRecord(
  attributes: Attributes,
  { shows = [], more = [] }: { shows?: readonly string[]; more?: readonly ListColumn[] } = {},
): ListColumn[] {
  const shown = Object.entries(attributes).filter(([name, { isHidden }]) => !isHidden || shows.includes(name))
  return [
    plainColumn('id'),
    ...shown.flatMap(([name, attribute]) => columnsOfAttribute(name, attribute)),
    ...more,
    plainColumn('created_at', 'instant'),
    plainColumn('updated_at', 'instant'),
  ]
}
