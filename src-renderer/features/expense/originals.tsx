import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { ChevronDown, ChevronRight, Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { may } from '#shared/domain/permissions'
import { type Original, localUrl, useOriginals } from '../../api/attachments'
import { useMembership } from '../../state/membership'
import { usePreferences } from '../../state/preferences'
import { formatBytes } from '../../ui/values/format-bytes'
import { Instant } from '../../ui/values/instant'
import classes from './expense.module.css'

/** The files of an expense as they were captured, for admins; read when they ask. */
export function Originals({ expense }: { expense: Expense }) {
  const { t } = useTranslation('expense')
  const membership = useMembership()
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useOriginals(expense, isOpen)
  if (membership?.organization.id !== expense.payer.id || !may('originals.list', { role: membership.role })) return null
  return (
    <section className={classes.block} aria-labelledby="expense-originals">
      <div className={classes.blockHead}>
        <Button
          id="expense-originals"
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('originals.title')}
        </Button>
        {isOpen && error && (
          <Button variant="default" onClick={() => void refetch()}>
            {t('ui:retry')}
          </Button>
        )}
      </div>
      {isOpen && (data || error) && (
        <p className={classes.small} role={error ? 'alert' : undefined}>
          {t(error ? 'originals.error' : data?.length ? 'originals.text' : 'originals.none')}
        </p>
      )}
      {isOpen && data && data.length > 0 && (
        <ul className={classes.list}>
          {data.map((original) => (
            <OriginalRow key={`${original.attachment_id} ${original.replaced_at} ${original.sha256}`} original={original} />
          ))}
        </ul>
      )}
    </section>
  )
}

function OriginalRow({ original }: { original: Original }) {
  const { t } = useTranslation('expense')
  const language = usePreferences((state) => state.language)
  const { file_name: name, bytes, sha256, captured_at, received_at, deleted_at, replaced_at, url } = original
  const gone = replaced_at ?? deleted_at
  return (
    <li className={classes.attachment}>
      <span className={classes.attachmentText}>
        <span className={classes.clip} title={name}>
          {name}
        </span>
        <span className={`${classes.originalFacts} tabular`}>
          {formatBytes(bytes, language)} · {t(captured_at === null ? 'originals.received' : 'originals.captured')}{' '}
          <Instant value={captured_at ?? received_at} show="moment" />
          {gone !== null && (
            <>
              {' · '}
              {t(replaced_at === null ? 'originals.deleted' : 'originals.replaced')} <Instant value={gone} show="moment" />
            </>
          )}
        </span>
        <span className={classes.originalFacts}>
          SHA-256 <code>{sha256}</code>
        </span>
      </span>
      <Tooltip label={t('originals.download')}>
        <ActionIcon component="a" href={localUrl(url)} download={name} aria-label={t('originals.downloadOne', { name })}>
          <Download size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}
