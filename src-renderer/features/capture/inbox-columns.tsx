import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Capture } from '#shared/contract/captures'
import { pictureUrl } from '../../api/attachments'
import type { OutboxFile } from '../../state/draft-db'
import { type FileState, useOutbox } from '../../state/outbox'
import type { GridColumn } from '../../ui/grid/grid-types'
import { Instant } from '../../ui/values/instant'
import classes from './inbox.module.css'
import type { InboxRow } from './inbox-rows'
import { FileIcon } from './receipt-card'

/** The height of a row of the inbox: two lines next to a picture. */
export const inboxRowPx = 52

/** The columns of the inbox: the picture; name, source, moment and note; and whether it is saved. */
export function useInboxColumns(): GridColumn<InboxRow>[] {
  const { t } = useTranslation('capture')
  return useMemo(
    () => [
      { id: 'picture', header: t('inbox.picture'), width: 64, fixed: true, render: (row) => <Picture row={row} /> },
      { id: 'name', header: t('inbox.name'), width: 108, fill: true, fixed: true, render: (row) => <Name row={row} /> },
      { id: 'state', header: t('inbox.state'), width: 136, render: (row) => <State row={row} /> },
    ],
    [t],
  )
}

function Picture({ row }: { row: InboxRow }) {
  const contentType = row.kind === 'saved' ? row.capture.content_type : row.queued.file.type
  const url = row.kind === 'saved' ? pictureUrl(row.capture, 'thumb') : undefined
  return (
    <span className={classes.picture} data-place={row.place}>
      {url === undefined ? <FileIcon contentType={contentType} /> : <img src={url} alt="" loading="lazy" decoding="async" />}
    </span>
  )
}

function Name({ row }: { row: InboxRow }) {
  const { t } = useTranslation('capture')
  const { source } = row.kind === 'saved' ? row.capture : row.queued
  const name = row.kind === 'saved' ? row.capture.file_name : row.queued.file.name
  return (
    <span className={classes.lines}>
      <span className={classes.line} title={name}>
        {name}
      </span>
      <span className={`${classes.line} ${classes.quiet}`}>
        {t(`source.${source}`)}
        {row.kind === 'saved' && (
          <>
            {' · '}
            <Instant value={row.capture.captured_at} show="moment" />
            {aside(row.capture, t).map((text) => ` · ${text}`)}
          </>
        )}
      </span>
    </span>
  )
}

function aside({ note, repeat_of, problem }: Capture, t: (key: string) => string): string[] {
  return [...(problem ? [problem.message] : []), ...(repeat_of === null ? [] : [t('inbox.repeat')]), ...(note === null ? [] : [note])]
}

/** How far a file is that the server does not have yet, as a text of the inbox. "On this device" is said only once it is on its disk. */
export function stateKey({ refusal }: OutboxFile, state: FileState | undefined): 'refused' | 'onDevice' | 'failed' | 'savingOne' {
  if (refusal !== null) return 'refused'
  if (state === undefined) return 'onDevice'
  return state.kind === 'failed' ? 'failed' : 'savingOne'
}

function State({ row }: { row: InboxRow }) {
  const { t } = useTranslation('capture')
  const state = useOutbox(({ states }) => states[row.key])
  if (row.kind === 'saved')
    return row.capture.state === 'unusable' ? <span className={classes.wrong}>{t('inbox.unusable')}</span> : t('inbox.saved')
  const key = stateKey(row.queued, state)
  return <span className={key === 'failed' || key === 'refused' ? classes.wrong : classes.quiet}>{t(`inbox.${key}`)}</span>
}
