import { ActionIcon, Button, Portal } from '@mantine/core'
import { ArrowLeft, Bookmark, RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import { expenseArea } from '../../records/expense/expense-moves'
import { ExportAct } from '../../records/export/export-act'
import { PolicyCheck } from '../../records/policy-check'
import type { ExportableList } from '../../records/export/exportable-list'
import { ColumnMenu } from '../../ui/grid/column-menu'
import { footId } from '../../ui/feedback/status-line'
import { HistoryMenu } from '../../ui/feedback/history-menu'
import { formatCount } from '../../ui/values/format'
import { reviewColumns } from './list/columns'
import { queueSums, type ReviewSummary } from './list/queue-sums'
import classes from './review.module.css'
import { chosenGroup, groupings, namedSorts, nameOfSort, sortNames, type ReviewView } from '../../records/filters/review-view'
import { SavedViews } from '../../records/filters/saved-views'
import { useTotalsText } from '#renderer/records/expense/deciding/totals-text'
import type { Rows } from './list/use-rows'
import { Menu } from '../../ui/panes/menu'

type ToolsProps = {
  view: ReviewView
  rows: Rows
  summary: ReviewSummary | undefined
  exported: ExportableList
  onShow: (change: Partial<ReviewView>) => void
}

/** The end of the filter bar: grouping, order, saved views, undo, columns, reading again; and the sum at the foot of the page. */
export function ReviewTools({ view, rows, summary, exported, onShow }: ToolsProps) {
  const { t } = useTranslation('review')
  const columns = useMemo(() => reviewColumns(t, { queue: view.queue, hasTwoLines: false, isDetailOpen: false }), [t, view.queue])
  return (
    <div className={classes.tools}>
      <GroupMenu view={view} onShow={onShow} />
      <SortMenu view={view} onShow={onShow} />
      {view.walksFlagged && (
        <Button variant="light" title={t('key', { label: t('action.walk'), key: '⇧F' })} onClick={() => onShow({ walksFlagged: false })}>
          {t('walk')}
        </Button>
      )}
      <PolicyCheck />
      <QueueSum view={view} summary={summary} />
      <SavedViews view={view} icon={<Bookmark size={16} />} />
      <ExportAct list={exported} />
      <HistoryMenu area={expenseArea} />
      <ColumnMenu gridId="review" columns={columns} />
      {rows.isOutdated ? (
        <Button
          variant="subtle"
          leftSection={<RefreshCw size={14} aria-hidden />}
          title={t('key', { label: t('action.refresh'), key: '.' })}
          onClick={rows.refresh}
        >
          {t('list.outdated')}
        </Button>
      ) : (
        <ActionIcon aria-label={t('action.refresh')} title={t('key', { label: t('action.refresh'), key: '.' })} onClick={rows.refresh}>
          <RefreshCw size={16} />
        </ActionIcon>
      )}
    </div>
  )
}

function QueueSum({ view, summary }: { view: ReviewView; summary: ReviewSummary | undefined }) {
  const { t } = useTranslation('review')
  const language = usePreferences((state) => state.language)
  const totalsText = useTotalsText()
  if (!summary) return null
  const { count, totals, claimed } = queueSums(summary, view.queue)
  if (count === 0) return null
  return (
    <Portal target={`#${footId}`}>
      <span className={classes.sums} title={t('list.count', { count })}>
        {`${formatCount(count, language)} · ${totalsText(totals, claimed)}`}
      </span>
    </Portal>
  )
}

function SortMenu({ view, onShow }: { view: ReviewView; onShow: (change: Partial<ReviewView>) => void }) {
  const { t } = useTranslation('review')
  const name = nameOfSort(view.sort)
  return (
    <Menu
      position="bottom-end"
      target={
        <Button variant="subtle" color="gray" title={t('key', { label: t('sort.label'), key: 'S' })}>
          {name === undefined ? t('sort.other') : t(`sort.${name}`)}
        </Button>
      }
    >
      {(Parts) => (
        <Parts.Dropdown>
          {sortNames.map((known) => (
            <Parts.RadioItem
              key={known}
              value={known}
              checked={known === name}
              closeMenuOnClick
              onChange={() => onShow({ sort: namedSorts[known] })}
            >
              {t(`sort.${known}`)}
            </Parts.RadioItem>
          ))}
        </Parts.Dropdown>
      )}
    </Menu>
  )
}

function GroupMenu({ view, onShow }: { view: ReviewView; onShow: (change: Partial<ReviewView>) => void }) {
  const { t } = useTranslation('review')
  const chosen = chosenGroup(view)
  return (
    <>
      {chosen && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<ArrowLeft size={14} aria-hidden />}
          title={t('key', { label: t('group.back'), key: '⌫' })}
          onClick={() => onShow({ terms: view.terms.filter((term) => term !== chosen) })}
        >
          {t('group.back')}
        </Button>
      )}
      <Menu
        position="bottom-end"
        target={
          <Button variant="subtle" color="gray">
            {view.group === null ? t('group.choose') : t('group.grouped', { by: t(`group.by.${view.group}`).toLocaleLowerCase() })}
          </Button>
        }
      >
        {(Parts) => (
          <Parts.Dropdown>
            <Parts.RadioItem value="" checked={view.group === null} closeMenuOnClick onChange={() => onShow({ group: null })}>
              {t('group.off')}
            </Parts.RadioItem>
            {groupings.map((group) => (
              <Parts.RadioItem key={group} value={group} checked={view.group === group} closeMenuOnClick onChange={() => onShow({ group })}>
                {t(`group.by.${group}`)}
              </Parts.RadioItem>
            ))}
          </Parts.Dropdown>
        )}
      </Menu>
    </>
  )
}
