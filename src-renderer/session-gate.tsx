import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation } from 'wouter'
import { instanceRoutes, type Session } from '#shared/contract/instance/instance'
import { ApiError, call, setApiLanguage } from './api/client'
import { forgetSession, type KnownSession, rememberSession, useSession } from './api/session'
import { BackgroundWork } from './background-work'
import { switchLanguage } from './i18n'
import { useFrame } from './state/frame'
import { holdSending } from './state/sending'
import { usePreferences } from './state/preferences'
import { EditOwnerContext } from './ui/form/use-form-draft'
import { ErrorState } from './ui/feedback/error-state'
import { SkeletonRows } from './ui/feedback/skeleton-rows'
import { later } from './ui/panes/later'
import { useMembershipNews } from './use-membership-news'
import { usePageFeed } from './use-page-feed'
import { keyRoots } from './api/keys'

const SignInAgain = later(async () => (await import('./features/first-run/sign-in-again')).SignInAgain)
const SignOutSheet = later(async () => (await import('./sign-out-sheet')).SignOutSheet)

const lastUserKey = 'outlay.last-user'

setApiLanguage(usePreferences.getState().language)
usePreferences.subscribe(({ language }) => setApiLanguage(language))

/**
 * Lets the screens in once a user is signed in; until then it shows the first run or the sign-in, and keeps the requested
 * address. If a session ends later, it asks again over the screen, which stays unchanged: no typed text is lost.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const { data: session, error, refetch } = useSession()
  useSignedOutNotice()
  const isSignedOut = error instanceof ApiError && error.status === 401
  if (session) {
    return (
      <>
        <SignedIn key={session.user.uid} session={session}>
          {children}
        </SignedIn>
        {isSignedOut && <SignInAgain session={session} />}
      </>
    )
  }
  if (isSignedOut) return <FirstDoor />
  if (error) return <NoResponse error={error} onRetry={() => void refetch()} />
  return <SkeletonRows count={12} />
}

/** Whether the instance is new decides the first screen of a visitor. */
function FirstDoor() {
  const [path] = useLocation()
  const { data, error, refetch } = useQuery({ queryKey: ['setup'], queryFn: ({ signal }) => call(instanceRoutes.showSetup, { signal }) })
  if (error) return <NoResponse error={error} onRetry={() => void refetch()} />
  if (!data) return null
  const wanted = path === '/' ? '' : `?to=${encodeURIComponent(path + location.search)}`
  return <Redirect to={data.needed ? '/welcome' : `/sign-in${wanted}`} replace />
}

function NoResponse({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('first-run')
  return (
    <ErrorState happened={t('noAnswer.happened')} kept={t('noAnswer.kept')} todo={t('noAnswer.todo')} onRetry={onRetry} error={error} />
  )
}

/** Any answer that nobody is signed in has the session asked for again; only its own answer counts. */
function useSignedOutNotice(): void {
  const client = useQueryClient()
  useEffect(() => {
    const note = (error: unknown) => {
      if (error instanceof ApiError && error.status === 401) void client.invalidateQueries({ queryKey: keyRoots.session })
    }
    const stopQueries = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && event.query.queryHash !== hashKey(keyRoots.session))
        note(event.action.error)
    })
    const stopMutations = client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') note(event.action.error)
    })
    return () => {
      stopQueries()
      stopMutations()
    }
  }, [client])
}

function SignedIn({ session, children }: { session: KnownSession; children: ReactNode }) {
  const { user, memberships, way } = session
  const isOffline = session.is_remembered === true
  const [leaving, setLeaving] = useState<{ needsToken: boolean } | null>(null)
  useEffect(() => {
    adopt(session)
    rememberSession(session)
  }, [session])
  useAwayWhile(isOffline)
  useEffect(() => {
    const ask = () => {
      void import('./sign-out-sheet').then(async ({ hasNoWayBack, leftBehind }) => {
        const needsToken = await hasNoWayBack(user.uid)
        const { edits, decisions, drafts, captures } = leftBehind(user.uid)
        if (needsToken || edits.length + decisions + drafts + captures > 0) setLeaving({ needsToken })
        else signOut()
      })
    }
    useFrame.setState({
      user: { id: user.id, name: `${user.first_name} ${user.last_name}`.trim(), email: user.emails.find(({ main }) => main)?.email ?? '' },
      organizations: memberships.map(({ organization: { id, name } }) => ({ id, name })),
      signOut: way === 'local' ? null : ask,
    })
  }, [user, memberships, way])
  usePageFeed(session.feed_place)
  useMembershipNews(memberships)
  const [path] = useLocation()
  // Without the server there is nothing to be shown of any other screen.
  if (isOffline && !/^\/(capture|quick-capture)$/.test(path)) return <Redirect to="/capture" replace />
  return (
    <EditOwnerContext value={user.uid}>
      {children}
      <BackgroundWork session={session} />
      {leaving && (
        <SignOutSheet user_uid={user.uid} needsToken={leaving.needsToken} onSignOut={signOut} onCancel={() => setLeaving(null)} />
      )}
    </EditOwnerContext>
  )
}

function signOut(): void {
  forgetSession()
  void call(instanceRoutes.signOut).finally(() => location.assign('/sign-in'))
}

/** While the server is away says so; back again, what could not be read meanwhile is read. */
function useAwayWhile(isOffline: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOffline) return undefined
    holdSending(true)
    const ask = () => void client.invalidateQueries({ queryKey: keyRoots.session })
    window.addEventListener('online', ask)
    return () => {
      window.removeEventListener('online', ask)
      holdSending(false)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keyRoots.session[0] })
    }
  }, [client, isOffline])
}

/** What a device takes over from who signs in: on the first time the language and timezone, always an organization of theirs. */
function adopt({ user, memberships }: Session): void {
  const { organizationId, set } = usePreferences.getState()
  if (!memberships.some(({ organization }) => organization.id === organizationId))
    set({ organizationId: memberships[0]?.organization.id ?? null })
  if (localStorage.getItem(lastUserKey) === user.uid) return
  localStorage.setItem(lastUserKey, user.uid)
  set({ timezone: user.timezone })
  void switchLanguage(user.locale)
}
