import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Webhook } from '#shared/contract/webhooks'
import { EmptyState } from '../../ui/feedback/empty-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SplitPane } from '../../ui/panes/split-pane'
import { useGridFocus } from '../../ui/grid/use-grid-focus'
import { useRowFocus } from '../../ui/grid/use-row-focus'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { NewWebhook } from './new-webhook'
import classes from './webhooks.module.css'

/** The props of the list. `isMaking`: a new one is being created next to it. */
export type WebhookListProps = { organizationId: number; canWrite: boolean; webhooks: readonly Webhook[]; isMaking: boolean }

/** The webhooks of an organization. */
export function WebhookList({ organizationId, canWrite, webhooks, isMaking }: WebhookListProps) {
  const { t } = useTranslation('webhooks')
  const [, navigate] = useLocation()
  const columns = useWebhookColumns()
  const count = webhooks.length
  const [focusIndex, setFocusIndex] = useRowFocus('webhooks', count)
  const { ref: gridRef, focus: focusGrid } = useGridFocus(count > 0 && !isMaking)
  const make = () => navigate('/webhooks/new')
  const open = (index: number) => {
    const webhook = webhooks[index]
    if (webhook) navigate(`/webhooks/${webhook.id}`)
  }
  useShortcuts({ scope: 'webhooks', title: t('title') }, [...(canWrite ? [{ id: 'new', keys: 'n', label: t('new.open'), run: make }] : [])])
  return (
    <div className={classes.screen}>
      <SplitPane
        paneId="webhooks"
        detailLabel={t('new.title')}
        list={
          <>
            <div className={classes.bar}>
              <span className={`${classes.quiet} tabular`}>{t('count', { count })}</span>
              <span className={classes.spring} />
              {canWrite && (
                <Button leftSection={<Plus size={14} aria-hidden />} rightSection={<KeyHint keys="n" />} onClick={make}>
                  {t('new.open')}
                </Button>
              )}
            </div>
            {count === 0 ? (
              <EmptyState sentence={t('empty')} action={canWrite ? { label: t('new.open'), run: make, keys: 'n' } : undefined} />
            ) : (
              <div ref={gridRef} className={classes.rows}>
                <VirtualGrid
                  gridId="webhooks"
                  label={t('title')}
                  columns={columns}
                  rowCount={count}
                  getRow={(index) => webhooks[index]}
                  focusIndex={focusIndex}
                  onFocusIndex={setFocusIndex}
                  onOpen={open}
                />
              </div>
            )}
          </>
        }
        detail={
          isMaking && canWrite ? (
            <NewWebhook
              organizationId={organizationId}
              onDone={(webhook) => navigate(`/webhooks/${webhook.id}`, { replace: true })}
              onClose={() => {
                navigate('/webhooks', { replace: true })
                focusGrid()
              }}
            />
          ) : undefined
        }
      />
    </div>
  )
}

function useWebhookColumns(): GridColumn<Webhook>[] {
  const { t } = useTranslation('webhooks')
  return useMemo(
    () => [
      { id: 'url', header: t('field.url'), width: 240, fill: true, fixed: true, render: ({ url }) => <span title={url}>{url}</span> },
      {
        id: 'description',
        header: t('field.description'),
        width: 240,
        render: ({ description }) => description ?? <span className={classes.quiet}>–</span>,
      },
      { id: 'created', header: t('field.created'), width: 112, whole: true, render: ({ created_at }) => <Instant value={created_at} /> },
    ],
    [t],
  )
}
