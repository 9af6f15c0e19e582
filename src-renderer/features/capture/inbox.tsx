import { Button } from '@mantine/core'
import { FilePlus2, Files, Inbox as InboxIcon, Trash2 } from 'lucide-react'
import { memo, useDeferredValue, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Capture } from '#shared/contract/captures'
import { useCaptures } from '../../api/captures'
import { useSession } from '../../api/session'
import { useOutbox } from '../../state/outbox'
import { ErrorState } from '../../ui/feedback/error-state'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import type { OfferUndo } from '../../ui/feedback/use-undo'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import classes from './inbox.module.css'
import { inboxRowPx, useInboxColumns } from './inbox-columns'
import { toUnits } from './inbox-rows'
import { Unsent } from './unsent'
import { type InboxData, useInbox } from './use-inbox'

/** What the inbox is given. `onMake`: makes one expense of each list of captures. */
export type InboxProps = { offerUndo: OfferUndo; onMake: (units: readonly (readonly Capture[])[]) => void; onQuickCapture: () => void }

/**
 * Captures that are on no expense yet, for keyboard and pointer. Typing elsewhere does not draw it again; and
 * hundreds of incoming files redraw it after the key that is pressed meanwhile, not before.
 */
export const Inbox = memo(function Inbox(props: InboxProps) {
  const captures = useCaptures()
  const data = useDeferredValue(captures.data)
  const files = useDeferredValue(useOutbox((state) => state.files))
  const queued = useMemo(() => files.filter(({ expense_id }) => expense_id === null), [files])
  const error = captures.data === undefined ? captures.error : null
  return <InboxList {...props} data={data} queued={queued} error={error} retry={captures.refetch} />
})

type InboxListProps = InboxProps & InboxData & { error: Error | null; retry: () => Promise<unknown> }

const InboxList = memo(function InboxList({ data, queued, error, retry, offerUndo, onMake, onQuickCapture }: InboxListProps) {
  const { t } = useTranslation('capture')
  const isOffline = useSession().data?.is_remembered === true
  const inbox = useInbox({ data, queued, offerUndo })
  const ref = useRef<HTMLElement>(null)
  const columns = useInboxColumns()
  const { rows, captures, chosen, focusIndex } = inbox
  const usable = chosen.filter(({ state }) => state !== 'unusable')
  const units = toUnits(usable)
  const focusGrid = () => ref.current?.querySelector<HTMLElement>('[role=grid]')?.focus()
  const make = (each: readonly (readonly Capture[])[]) => {
    inbox.clear()
    onMake(each)
  }
  const remove = () => inbox.remove(chosen)
  const canMake = () => usable.length > 0
  const canRemove = () => chosen.length > 0
  useShortcuts({ scope: 'capture-inbox', title: t('inbox.title') }, [
    { id: 'quick', keys: 'q', label: t('quick.open'), run: onQuickCapture },
    { id: 'inbox', keys: 'i', label: t('inbox.focus'), run: focusGrid, when: () => rows.length > 0 },
    ...[
      { id: 'make', keys: 'enter', label: t('inbox.make'), run: () => make([usable]), when: canMake },
      { id: 'each', keys: 'e', label: t('oneEach'), run: () => make(units), when: canMake },
      { id: 'delete', keys: 'backspace', label: t('inbox.delete'), run: remove, when: canRemove },
    ].map(({ when = always, ...shortcut }) => ({ ...shortcut, when: () => isGridFocused() && when() })),
  ])
  return (
    <section ref={ref} className={classes.inbox} aria-labelledby="inbox-title" data-inbox>
      <header className={classes.head}>
        <h2 id="inbox-title" className={classes.title}>
          {captures && captures.length > 0 ? t('inbox.count', { count: captures.length }) : t('inbox.title')}
        </h2>
        <span className={classes.spring} />
        <Button variant="default" rightSection={<KeyHint keys="q" />} onClick={onQuickCapture}>
          {t('quick.open')}
        </Button>
      </header>
      <Unsent rows={rows.flatMap((row) => (row.kind === 'queued' ? row.queued : []))} />
      {error && !isOffline && rows.length === 0 ? (
        <ErrorState happened={t('inbox.error')} kept={t('inbox.errorKept')} onRetry={() => void retry()} error={error} />
      ) : rows.length === 0 ? (
        <div className={classes.empty}>
          <InboxIcon size={20} strokeWidth={1.5} aria-hidden />
          <p>{t(error ? 'inbox.offline' : 'inbox.empty')}</p>
        </div>
      ) : (
        <>
          <div className={classes.list} style={{ height: `min(${rows.length * inboxRowPx + 34}px, 60vh)` }}>
            <VirtualGrid
              gridId="captures"
              label={t('inbox.title')}
              columns={columns}
              rowCount={rows.length}
              getRow={(index) => rows[index]}
              rowPx={inboxRowPx}
              focusIndex={focusIndex}
              onFocusIndex={inbox.move}
              selection={inbox.selection}
            />
          </div>
          <div className={classes.acts}>
            <span className={classes.quiet}>{inbox.isSelected ? t('inbox.selected', { count: chosen.length }) : t('inbox.hint')}</span>
            <span className={classes.spring} />
            <Button
              disabled={usable.length === 0}
              leftSection={<FilePlus2 size={14} aria-hidden />}
              rightSection={<KeyHint keys="enter" />}
              onClick={() => make([usable])}
            >
              {t('inbox.make')}
            </Button>
            {units.length > 1 && (
              <Button
                variant="default"
                leftSection={<Files size={14} aria-hidden />}
                rightSection={<KeyHint keys="e" />}
                onClick={() => make(units)}
              >
                {t('oneEach')}
              </Button>
            )}
            <Button
              variant="default"
              disabled={chosen.length === 0}
              leftSection={<Trash2 size={14} aria-hidden />}
              rightSection={<KeyHint keys="backspace" />}
              onClick={remove}
            >
              {t('inbox.delete')}
            </Button>
          </div>
        </>
      )}
    </section>
  )
})

const always = () => true

function isGridFocused(): boolean {
  return document.activeElement?.matches('[data-inbox] [role=grid]') ?? false
}
