import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure-text'
import { decideGuard, replicaKeys } from '../../api/replica'
import { useFrame } from '../../state/frame'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../../ui/values/format'
import { notifyDone, notifyFailure } from '../../state/notices'
import classes from './sync.module.css'

/** The one banner there is: the remote would delete more than is believed, and a person decides. */
export function GuardBanner() {
  const { t } = useTranslation('sync')
  const client = useQueryClient()
  const language = usePreferences((state) => state.language)
  const stop = useFrame(({ sync }) => sync?.stop ?? null)
  const decide = useMutation({
    mutationFn: decideGuard,
    onSuccess: async (_state, decision) => {
      notifyDone(t(`guard.${decision}Done`))
      // The exchange has begun: it may have ended before its first state arrived here.
      await client.invalidateQueries({ queryKey: replicaKeys.state })
    },
    onError: (error) => notifyFailure({ title: t('guard.failed'), message: failureText(error) }),
  })
  if (stop?.kind !== 'guard') return null
  const what = t([`table.${stop.table ?? 'other'}`, 'table.other'], { count: stop.total })
  const counted = { count: stop.count, total: formatCount(stop.total, language), what }
  return (
    <section className={classes.banner} role="alert" aria-labelledby="guard-title">
      <TriangleAlert size={18} aria-hidden />
      <div className={classes.bannerText}>
        <h2 id="guard-title" className={classes.bannerTitle}>
          {t('guard.title', counted)}
        </h2>
        <p className={classes.quiet}>{t('guard.text')}</p>
        <dl className={classes.choices}>
          <dt>{t('guard.keep')}</dt>
          <dd>{t('guard.keepDetail')}</dd>
          <dt>{t('guard.allow', counted)}</dt>
          <dd>{t('guard.allowDetail')}</dd>
        </dl>
      </div>
      <div className={classes.bannerActions}>
        <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate('keep')}>
          {t('guard.keep')}
        </Button>
        <Button color="red.9" loading={decide.isPending} onClick={() => decide.mutate('allow')}>
          {t('guard.allow', counted)}
        </Button>
      </div>
    </section>
  )
}
