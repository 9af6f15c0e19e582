import { useTranslation } from 'react-i18next'
import type { ReplicaList, ReplicaOperation } from '#shared/contract/instance/replica'
import { CountCell } from '../../ui/grid/count-cell'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { formatAbsolute } from '../../ui/values/format'
import { formatBytes } from '../../ui/values/format-bytes'
import type { GridColumn, GridSelection } from '../../ui/grid/grid-types'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { formatAge } from './age'
import { wordLine } from '../../api/field-errors'
import { cameOf, responseOf } from './answer'
import { useDecisionWork } from './held-decisions'
import { FirstDifference, OperationState } from './operation-parts'
import { RefusedText } from './refused-text'
import { useSentence } from './use-sentence'

type Column = GridColumn<ReplicaOperation>
type ColumnId = 'what' | 'difference' | 'age' | 'attempts' | 'answer' | 'came' | 'by' | 'bytes' | 'state'

/** The columns of each list of operations; next to the open detail, which says the rest, only the identifying ones. */
const shown: Readonly<Record<ReplicaList, { wide: readonly ColumnId[]; compact: readonly ColumnId[] }>> = {
  waiting: { wide: ['what', 'age', 'state', 'attempts', 'answer', 'bytes'], compact: ['what', 'state', 'age'] },
  conflicts: { wide: ['what', 'difference', 'came', 'by', 'age'], compact: ['what', 'difference'] },
  failed: { wide: ['what', 'answer', 'attempts', 'age'], compact: ['what', 'answer'] },
  quarantined: { wide: ['what', 'answer', 'age', 'bytes'], compact: ['what', 'age'] },
}

type OperationGridProps = {
  list: ReplicaList
  isCompact: boolean
  operations: readonly ReplicaOperation[]
  focusIndex: number
  onFocusIndex: (index: number) => void
  selection?: GridSelection<ReplicaOperation>
}

/** The operations of a list, oldest first. */
export function OperationGrid({ list, isCompact, operations, ...grid }: OperationGridProps) {
  const { t } = useTranslation('sync')
  const columns = useColumns()
  return (
    <VirtualGrid
      gridId={`sync-${list}`}
      label={t(`tabs.${list}`)}
      columns={shown[list][isCompact ? 'compact' : 'wide'].map((id) => columns[id])}
      rowCount={operations.length}
      getRow={(index) => operations[index]}
      {...grid}
    />
  )
}

/** What the last answer says, in words. */
export function useResponseText(): (operation: Pick<ReplicaOperation, 'answer' | 'attempts'>) => string {
  const { t } = useTranslation('sync')
  return (operation) => {
    const said = responseOf(operation)
    return 'text' in said ? wordLine(said.text) : t(`answer.${said.key}`, { status: operation.answer?.status ?? 0 })
  }
}

function useColumns(): Readonly<Record<ColumnId, Column>> {
  const { t } = useTranslation('sync')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const sentenceOf = useSentence()
  const responseText = useResponseText()
  const refusals = useDecisionWork((state) => state.refusals)
  const column = (id: ColumnId, width: number, render: Column['render']): Column => ({ id, header: t(`column.${id}`), width, render })
  const text = (content: string) => <span title={content}>{content}</span>
  return {
    what: {
      ...column('what', 220, (operation) => <RefusedText text={sentenceOf(operation)} refusal={refusals.get(operation.op_id)} />),
      fill: true,
      fixed: true,
    },
    difference: column('difference', 340, (operation) => <FirstDifference operation={operation} />),
    age: column('age', 96, ({ created_at }) => {
      const options = { language, timezone, now: now() }
      return (
        <time className="tabular" dateTime={created_at} title={formatAbsolute(created_at, options)}>
          {formatAge(created_at, options) ?? t('justNow')}
        </time>
      )
    }),
    attempts: { ...column('attempts', 92, ({ attempts }) => <CountCell count={attempts} of="attempts" />), align: 'end' },
    answer: column('answer', 200, (operation) => text(responseText(operation))),
    came: column('came', 232, (operation) => text(t(`came.${cameOf(operation)}`))),
    by: column('by', 120, ({ answer: response }) => text(response?.by ?? '–')),
    bytes: { ...column('bytes', 84, ({ bytes }) => <span className="tabular">{formatBytes(bytes, language)}</span>), align: 'end' },
    state: column('state', 132, ({ state }) => <OperationState state={state} />),
  }
}
