import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure-text'
import classes from './import.module.css'

interface Pages {
  readonly error: Error | null
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

/** What leads to the next lines, or says why they could not be read. */
export function MoreLines({ pages }: { pages: Pages }) {
  const { t } = useTranslation('imports')
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
    </>
  )
}
