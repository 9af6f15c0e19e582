import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recoveryCodeRoutes } from '#shared/contract/instance/recovery-codes'
import { call } from '#renderer/api/client'
import { failureText } from '#renderer/api/failure-text'
import { announce } from '#renderer/state/notices'
import { SkeletonRows } from '#renderer/ui/feedback/skeleton-rows'
import { ShownOnce } from '#renderer/ui/values/shown-once'
import { Section } from '../section'
import classes from '../settings.module.css'
import { keyRoots } from '#renderer/api/keys'

/** How many recovery codes the user has left, and new ones, shown once. */
export function RecoveryCodesSection() {
  const { t } = useTranslation('settings')
  const { data, error, isPending } = useQuery({
    queryKey: keyRoots.recoveryCodes,
    queryFn: ({ signal }) => call(recoveryCodeRoutes.show, { signal }),
  })
  const make = useMutation({ mutationFn: () => call(recoveryCodeRoutes.create, {}), onSuccess: () => announce(t('recoveryCodes.once')) })
  const codes = make.data?.codes
  if (data?.offered === false) return null
  const failure = make.error ?? error
  return (
    <Section id="recovery-codes" title={t('recoveryCodes.title')}>
      <p className={classes.quiet}>{t('recoveryCodes.text')}</p>
      {isPending && <SkeletonRows count={1} />}
      {data && <p>{data.left === 0 ? t('recoveryCodes.none') : t('recoveryCodes.left', { count: data.left })}</p>}
      {codes && (
        <div>
          <p>{t('recoveryCodes.once')}</p>
          <ShownOnce value={codes.join('\n')} copyLabel={t('tokens.copy')} copiedLabel={t('tokens.copied')} />
        </div>
      )}
      {failure && (
        <p className={classes.failure} role="alert">
          {failureText(failure)}
        </p>
      )}
      {data && <MakeCodes hasCodes={data.left > 0} isPending={make.isPending} onMake={() => make.mutate()} />}
    </Section>
  )
}

/** New codes end the earlier ones, which cannot be undone: where there are any, the second press, whose button says so, does it. */
function MakeCodes({ hasCodes, isPending, onMake }: { hasCodes: boolean; isPending: boolean; onMake: () => void }) {
  const { t } = useTranslation('settings')
  const [isAsking, setAsking] = useState(false)
  const press = () => {
    setAsking(hasCodes && !isAsking)
    if (!hasCodes || isAsking) onMake()
  }
  return (
    <div>
      <Button
        variant={isAsking ? 'filled' : 'default'}
        {...(isAsking && { color: 'red' })}
        loading={isPending}
        onClick={press}
        onBlur={() => setAsking(false)}
      >
        {t(isAsking ? 'recoveryCodes.makeSure' : 'recoveryCodes.make')}
      </Button>
    </div>
  )
}
