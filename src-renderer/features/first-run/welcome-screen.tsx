import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation } from 'wouter'
import { instanceRoutes, type Session } from '#shared/contract/instance/instance'
import type { Recovery } from '#shared/contract/instance/recoveries'
import { ApiError, call } from '../../api/client'
import { ErrorState } from '../../ui/feedback/error-state'
import { Choices } from './choices'
import { Door } from './door'
import classes from './door.module.css'
import { dropEntryCode, takeEntryCode } from './entry-code'
import { OrganizationForm } from './organization-form'
import { keyRoots } from '../../api/keys'

interface WelcomeScreenProps {
  /** Shows what was damaged, where that is why there is nothing. */
  Recovered: ComponentType<{ recovery: Recovery }>
}

/** The first start of an instance; on one that is set up, the door that a one-time address opens. */
export function WelcomeScreen({ Recovered }: WelcomeScreenProps) {
  const { t } = useTranslation('ui')
  const { t: tHere } = useTranslation('first-run')
  const [code] = useState(takeEntryCode)
  const setup = useQuery({ queryKey: ['setup'], queryFn: ({ signal }) => call(instanceRoutes.showSetup, { signal }), staleTime: 0 })
  if (setup.error) {
    return (
      <Door title={tHere('welcome.title')}>
        <ErrorState
          happened={tHere('noAnswer.happened')}
          kept={tHere('noAnswer.kept')}
          todo={tHere('noAnswer.todo')}
          action={{ label: t('retry'), run: () => void setup.refetch() }}
        />
      </Door>
    )
  }
  if (!setup.data) return null
  const { needed, recoveries } = setup.data
  const notices = recoveries.map((recovery) => <Recovered key={recovery.id} recovery={recovery} />)
  if (needed) return <FirstRun code={code} notices={notices} />
  return code === null ? <Redirect to="/" replace /> : <Enter code={code} />
}

/** Signs in with a code. A spent one leads in all the same where the browser is signed in already: people keep the address. */
async function enterWith(code: string): Promise<Session> {
  try {
    return await call(instanceRoutes.signIn, { body: { code } })
  } catch (error) {
    const session = isSpentCode(error) ? await call(instanceRoutes.showSession).catch(() => undefined) : undefined
    if (session) return session
    throw error
  }
}

function isSpentCode(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422
}

/** A code signs in once, so it is asked for once, whatever React draws twice. */
function Enter({ code }: { code: string }) {
  const enter = useEnter()
  const { data, error } = useQuery({ queryKey: ['entry', code], retry: false, gcTime: Infinity, queryFn: () => enterWith(code) })
  useEffect(() => {
    if (data) enter(data)
  }, [data, enter])
  const isSpent = isSpentCode(error)
  useEffect(() => {
    if (isSpent) dropEntryCode()
  }, [isSpent])
  return error ? <Redirect to={isSpent ? '/sign-in?spent' : '/sign-in'} replace /> : null
}

function useEnter(): (session: Session) => void {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [enter] = useState(() => (session: Session) => {
    dropEntryCode()
    client.setQueryData(keyRoots.session, session)
    client.setQueryData(['setup'], { needed: false, recoveries: [] })
    navigate('/', { replace: true })
  })
  return enter
}

function FirstRun({ code, notices }: { code: string | null; notices: ReactNode }) {
  const { t } = useTranslation('first-run')
  const [isMaking, setMaking] = useState(false)
  const enter = useEnter()
  return (
    <Door title={isMaking ? t('organization.title') : t('welcome.title')} isWide={!isMaking}>
      {notices}
      {!isMaking && <p className={classes.quiet}>{t('welcome.sentence')}</p>}
      {isMaking ? (
        <OrganizationForm code={code} onDone={enter} onBack={() => setMaking(false)} />
      ) : (
        <Choices code={code} onMake={() => setMaking(true)} onDone={enter} />
      )}
    </Door>
  )
}
