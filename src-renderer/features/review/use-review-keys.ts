import type { TFunction } from 'i18next'
import type { DetailCommand } from '../../records/expense/detail-slot'
import { useShortcuts } from '../../ui/keys/shortcuts'
import type { Shortcut } from '../../ui/keys/shortcut-registry'
import { expenseArea } from '../../records/expense/expense-moves'
import { useUndoKeys } from '../../ui/feedback/use-undo'
import type { ReviewAction } from './deciding/review-actions'
import { chosenGroup, nextSort, type ReviewView } from '../../records/filters/review-view'
import type { ReviewAddress } from './filters/use-review-address'
import { findRow, lookAgain } from '#renderer/records/expense/expense-store'
import { type ReviewSummary, shownQueues } from './list/queue-sums'
import type { ReviewFocus } from './list/use-review-focus'
import type { SelectedExpenses } from './list/use-review-selection'
import type { ReviewWork } from './deciding/use-review-work'
import type { Rows } from './list/use-rows'

type KeysInput = {
  t: TFunction<'review'>
  actions: readonly ReviewAction[]
  work: ReviewWork
  focus: ReviewFocus
  selected: SelectedExpenses
  rows: Rows
  view: ReviewView
  summary: ReviewSummary | undefined
  onShow: ReviewAddress['show']
  onMenu: () => void
  onBulk: () => void
  onSearch: () => void
  onClose: (() => void) | undefined
  onCommand: (kind: DetailCommand['kind']) => void
}

/** Every key of the review screen. */
export function useReviewKeys(input: KeysInput): void {
  const { t, actions, work } = input
  useUndoKeys(expenseArea, { scope: 'review-undo', title: t('review:shortcuts.title') })
  useShortcuts({ scope: 'review', title: t('review:shortcuts.title') }, [
    ...lookKeys(input),
    ...actions.map((action) => ({
      id: action.id,
      keys: action.keys,
      label: t(`review:action.${action.id}`),
      run: () => work.perform(action),
      when: () => work.asking.kind === 'none',
      inFull: true,
    })),
    {
      id: 'approve-clean',
      keys: 'shift+a',
      label: t('review:action.approveClean'),
      run: work.approveClean,
      when: () => work.asking.kind === 'none' && actions.some(({ id }) => id === 'approve'),
    },
    {
      id: 'bulk',
      keys: 'shift+e',
      label: t('review:action.bulk'),
      run: input.onBulk,
      when: () => input.selected.count > 0 && work.asking.kind === 'none',
    },
    ...viewKeys(input),
  ])
}

function lookKeys({ t, selected, rows, onCommand, onBulk }: KeysInput): Shortcut[] {
  const hasRows = () => (rows.snapshot.count ?? 0) > 0
  return [
    { id: 'receipt', keys: 'space', label: t('review:action.receipt'), run: () => onCommand('receipt'), when: hasRows },
    { id: 'comment', keys: 'c', label: t('review:action.comment'), run: () => onCommand('comment'), when: hasRows },
    {
      id: 'edit',
      keys: 'e',
      form: 'expense-edit',
      label: t('review:action.edit'),
      run: () => (selected.count > 0 ? onBulk() : onCommand('edit')),
      when: hasRows,
    },
  ]
}

function viewKeys({ t, focus, selected, rows, view, summary, onShow, onMenu, onSearch, onClose }: KeysInput): Shortcut[] {
  const chosen = chosenGroup(view)
  const told = () => (focus.target ? findRow(focus.target.uid)?.state : undefined)
  const step = (by: number) => {
    const queues = shownQueues(summary, view.queue)
    onShow({ queue: queues[(queues.indexOf(view.queue) + by + queues.length) % queues.length] ?? view.queue })
  }
  const backToGroups = () => onShow({ terms: view.terms.filter((term) => term !== chosen) })
  return [
    {
      id: 'look-again',
      keys: 'l',
      label: t('review:action.lookAgain'),
      run: () => {
        if (focus.target) lookAgain(focus.target.uid)
      },
      when: () => ['changed', 'refused'].includes(told()?.kind ?? ''),
      inFull: true,
    },
    {
      id: 'walk',
      keys: 'shift+f',
      label: t('review:action.walk'),
      run: () => onShow({ walksFlagged: !view.walksFlagged }, { isReplacing: true }),
    },
    { id: 'sort', keys: 's', label: t('review:action.sort'), run: () => onShow({ sort: nextSort(view.sort) }) },
    { id: 'filter', keys: 'f', label: t('review:filter.add'), run: onMenu },
    { id: 'search', keys: '/', label: t('review:search.label'), run: onSearch },
    { id: 'next-queue', keys: 'shift+arrowright', label: t('review:action.nextQueue'), run: () => step(1) },
    { id: 'previous-queue', keys: 'shift+arrowleft', label: t('review:action.previousQueue'), run: () => step(-1) },
    { id: 'refresh', keys: '.', label: t('review:action.refresh'), run: rows.refresh },
    { id: 'group-back', keys: 'backspace', label: t('review:group.back'), run: backToGroups, when: () => chosen !== undefined },
    { id: 'close', keys: 'escape', label: t('review:action.close'), run: () => onClose?.(), when: () => onClose !== undefined },
    { id: 'clear', keys: 'escape', label: t('review:selection.clear'), run: selected.clear, when: () => selected.count > 0 },
    { id: 'group-leave', keys: 'escape', label: t('review:group.back'), run: backToGroups, when: () => chosen !== undefined },
  ]
}
