import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiToken, apiTokenRoutes } from '#shared/contract/instance/api-tokens'
import { call } from '#renderer/api/client'
import { failureText } from '#renderer/api/failure-text'
import { Instant } from '#renderer/ui/values/instant'
import { now } from '#renderer/ui/values/clock'
import { notifyDone, notifyFailure } from '#renderer/state/notices'
import { Section } from '../section'
import classes from '../settings.module.css'
import { TokenForm } from './token-form'
import { keyRoots } from '#renderer/api/keys'

const listSize = 100

/** The user's API tokens: made here and shown once, revoked here. */
export function TokensSection() {
  const { t } = useTranslation('settings')
  const { data, error } = useQuery({
    queryKey: keyRoots.apiTokens,
    queryFn: ({ signal }) => call(apiTokenRoutes.list, { query: { per_page: listSize }, signal }),
  })
  const revoke = useMutation({
    mutationFn: (id: number) => call(apiTokenRoutes.destroy, { params: { id } }),
    onSuccess: () => {
      notifyDone(t('tokens.revoked'))
    },
    onError: (error) => notifyFailure({ title: t('tokens.notRevoked'), message: failureText(error) }),
  })
  return (
    <Section id="tokens" title={t('tokens.title')}>
      <p className={classes.quiet}>{t('tokens.text')}</p>
      {data && data.tokens.length > 0 && (
        <ul className={classes.list} aria-label={t('tokens.title')}>
          {data.tokens.map((token) => (
            <TokenItem key={token.id} token={token} onRevoke={() => revoke.mutate(token.id)} />
          ))}
        </ul>
      )}
      {data?.tokens.length === 0 && <p>{t('tokens.none')}</p>}
      {error && (
        <p className={classes.failure} role="alert">
          {failureText(error)}
        </p>
      )}
      <TokenForm />
    </Section>
  )
}

/** Revoking cannot be undone, so the second press, whose button says so, does it. */
function TokenItem({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { description, created_at, last_used_at, scopes, expires_at } = token
  const { t } = useTranslation('settings')
  const [isAsking, setAsking] = useState(false)
  return (
    <li className={classes.item}>
      <span className={classes.itemName}>{description}</span>
      {scopes !== null && <span className={classes.quiet}>{scopes.map((scope) => t(`tokens.scope.${scope}`)).join(', ')}</span>}
      <span className={classes.quiet}>
        {t('tokens.made')} <Instant value={created_at} />
      </span>
      {expires_at !== null && (
        <span className={classes.quiet}>
          {t(Date.parse(expires_at) > now().getTime() ? 'tokens.endsOn' : 'tokens.ended')} <Instant value={expires_at} />
        </span>
      )}
      <span className={classes.quiet}>
        {last_used_at === null ? (
          t('tokens.neverUsed')
        ) : (
          <>
            {t('tokens.used')} <Instant value={last_used_at} />
          </>
        )}
      </span>
      <Button
        variant="subtle"
        color={isAsking ? 'red' : 'gray'}
        onClick={() => (isAsking ? onRevoke() : setAsking(true))}
        onBlur={() => setAsking(false)}
        aria-label={isAsking ? undefined : t('tokens.revokeNamed', { name: description })}
      >
        {isAsking ? t('tokens.revokeSure') : t('tokens.revoke')}
      </Button>
    </li>
  )
}
