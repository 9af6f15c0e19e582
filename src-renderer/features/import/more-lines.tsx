import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { maxReportedLines } from '#shared/contract/imports'
import { failureText } from '../../api/failure-text'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../../ui/values/format'
import classes from './import.module.css'

interface Pages {
  readonly error: Error | null
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

/** What leads to the next lines, or says why they could not be read; and how many of all lines are listed at most. `count`: of all. */
export function MoreLines({ pages, count }: { pages: Pages; count: number }) {
  const { t } = useTranslation('imports')
  const language = usePreferences((state) => state.language)
  return (
    <>
      {pages.error && (
        <p className={classes.failure} role="alert">
          {failureText(pages.error)}
        </p>
      )}
      {pages.hasNextPage && (
        <div className={classes.actions}>
          <Button variant="default" loading={pages.isFetching} onClick={() => void pages.fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
      {count > maxReportedLines && (
        <p className={`${classes.text} ${classes.quiet}`}>{t('omitted', { listed: formatCount(maxReportedLines, language) })}</p>
      )}
    </>
  )
}
