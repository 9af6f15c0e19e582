import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type BrowserSession, browserSessionRoutes } from '#shared/contract/instance/sessions'
import { call } from '#renderer/api/client'
import { failureText } from '#renderer/api/failure-text'
import { SkeletonRows } from '#renderer/ui/feedback/skeleton-rows'
import { Instant } from '#renderer/ui/values/instant'
import { notifyDone, notifyFailure } from '#renderer/state/notices'
import { browserName } from './browser-name'
import { Section } from '../section'
import classes from '../settings.module.css'
import { keyRoots } from '#renderer/api/keys'

/** The browsers in which the user is signed in: each can be signed out here, or all but this one. */
export function SessionsSection() {
  const { t } = useTranslation('settings')
  const { data, error, isPending } = useQuery({
    queryKey: keyRoots.browserSessions,
    queryFn: ({ signal }) => call(browserSessionRoutes.list, { signal }),
  })
  const outcome = {
    onSuccess: () => {
      notifyDone(t('sessions.ended'))
    },
    onError: (failure: Error) => notifyFailure({ title: t('sessions.notEnded'), message: failureText(failure) }),
  }
  const end = useMutation({ ...outcome, mutationFn: (id: string) => call(browserSessionRoutes.destroy, { params: { id } }) })
  const endOthers = useMutation({ ...outcome, mutationFn: () => call(browserSessionRoutes.destroyOthers) })
  const others = data?.sessions.filter(({ current }) => !current) ?? []
  return (
    <Section id="sessions" title={t('sessions.title')}>
      {isPending && <SkeletonRows count={2} />}
      {data && data.sessions.length > 0 && (
        <ul className={classes.list} aria-label={t('sessions.title')}>
          {data.sessions.map((session) => (
            <SessionItem key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
          ))}
        </ul>
      )}
      {data?.sessions.length === 0 && <p>{t('sessions.none')}</p>}
      {error && (
        <p className={classes.failure} role="alert">
          {failureText(error)}
        </p>
      )}
      {others.length > 1 && (
        <div>
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t('sessions.endOthers')}
          </Button>
        </div>
      )}
    </Section>
  )
}

function SessionItem({ session, onEnd }: { session: BrowserSession; onEnd: () => void }) {
  const { t } = useTranslation('settings')
  const { user_agent, created_at, door, current } = session
  const name = user_agent === null ? t('sessions.unknown') : browserName(user_agent)
  return (
    <li className={classes.item}>
      <span className={classes.itemName} title={user_agent ?? undefined}>
        {name}
      </span>
      <span className={classes.quiet}>
        {door === null ? t('sessions.begun') : t(`sessions.door.${door}`)} <Instant value={created_at} />
      </span>
      {current ? (
        <span className={classes.quiet}>{t('sessions.current')}</span>
      ) : (
        <Button variant="subtle" color="gray" onClick={onEnd} aria-label={t('sessions.endNamed', { name })}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}
