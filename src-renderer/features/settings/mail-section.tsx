import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { mailAddressRoutes } from '#shared/contract/instance/mail-address'
import { call } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { copyText } from '../../ui/values/copy-text'
import { notifyDone } from '../../state/notices'
import { Section } from './section'
import classes from './settings.module.css'

/** The user's own address for receipts; where this instance has no mailbox, what it would take. */
export function MailSection() {
  const { t } = useTranslation('settings')
  const { data, error, isPending } = useQuery({
    queryKey: ['mail-address'],
    queryFn: ({ signal }) => call(mailAddressRoutes.show, { signal }),
    staleTime: Infinity,
  })
  const copy = async (address: string) => {
    if (await copyText(address)) notifyDone(t('mail.copied'))
  }
  return (
    <Section id="mail" title={t('mail.title')}>
      {isPending && <SkeletonRows count={1} />}
      {error && (
        <p className={classes.failure} role="alert">
          {failureText(error)}
        </p>
      )}
      {data?.address === null && <p className={classes.quiet}>{t('mail.none')}</p>}
      {data?.address && (
        <>
          <p className={classes.quiet}>{t('mail.text')}</p>
          <p className={classes.address}>{data.address}</p>
          <div>
            <Button variant="default" size="xs" leftSection={<Copy size={14} aria-hidden />} onClick={() => void copy(data.address ?? '')}>
              {t('mail.copy')}
            </Button>
          </div>
        </>
      )}
    </Section>
  )
}
