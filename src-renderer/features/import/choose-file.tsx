import { Button } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { failureText } from '../../api/failure-text'
import { useImports } from '../../api/imports'
import { usePreferences } from '../../state/preferences'
import { ErrorState } from '../../ui/feedback/error-state'
import { formatBytes } from '../../ui/values/format-bytes'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { useFileDrop } from '../../ui/form/use-file-drop'
import classes from './import.module.css'
import { useUpload } from './use-upload'

/** Where a file is chosen or dropped, above the files that were uploaded before. */
export function ChooseFile({ organizationId }: { organizationId: number }) {
  const { t } = useTranslation('imports')
  const inputRef = useRef<HTMLInputElement>(null)
  const { sending, failure, send } = useUpload(organizationId)
  const isOver = useFileDrop((files) => void send(files))
  const choose = () => inputRef.current?.click()
  useShortcuts({ scope: 'import', title: t('title') }, [{ id: 'choose', keys: 'f', label: t('key.choose'), run: choose }])
  return (
    <div className={classes.screen}>
      <div className={classes.column}>
        <p className={classes.text}>{t('intro')}</p>
        <div className={classes.well} data-over={isOver || undefined}>
          <p className={classes.quiet} role="status">
            {sending === null ? t('drop') : t('sending', { name: sending })}
          </p>
          <Button
            leftSection={<FileUp size={14} aria-hidden />}
            rightSection={<KeyHint keys="f" />}
            loading={sending !== null}
            onClick={choose}
          >
            {t('choose')}
          </Button>
          <input
            ref={inputRef}
            type="file"
            accept=".csv,.txt,.tsv,text/csv,text/plain"
            hidden
            onChange={({ currentTarget }) => {
              void send([...(currentTarget.files ?? [])])
              currentTarget.value = ''
            }}
          />
        </div>
        {failure !== null && (
          <p className={classes.failure} role="alert">
            {failure}
          </p>
        )}
        <p className={`${classes.text} ${classes.quiet}`}>{t('needs')}</p>
        <Files organizationId={organizationId} />
      </div>
    </div>
  )
}

function Files({ organizationId }: { organizationId: number }) {
  const { t } = useTranslation('imports')
  const language = usePreferences((state) => state.language)
  const { data, error, refetch } = useImports(organizationId, { isEnabled: true })
  if (error && !data) return <ErrorState happened={t('error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!data || data.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="import-files">
      <h2 id="import-files" className={classes.title}>
        {t('files')}
      </h2>
      <ul className={classes.files}>
        {data.map(({ id, file_name, bytes, state, created_at }) => (
          <li key={id} className={classes.file}>
            <Link href={`/import/${id}`} className={classes.fileName}>
              {file_name}
            </Link>
            <span className={classes.quiet}>{formatBytes(bytes, language)}</span>
            <span>{t(`state.${state}`)}</span>
            <Instant value={created_at} show="moment" />
          </li>
        ))}
      </ul>
    </section>
  )
}
