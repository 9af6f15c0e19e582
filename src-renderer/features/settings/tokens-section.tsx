import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiTokenRoutes } from '#shared/contract/instance/api-tokens'
import { apiTokensKey } from '../../api/account'
import { call } from '../../api/client'
import { failureText, fieldFailure } from '../../api/failure-text'
import { DraftForm } from '../../ui/form/draft-form'
import { Instant } from '../../ui/values/instant'
import { announce, notifyDone, notifyFailure } from '../../state/notices'
import { ShownOnce } from '../../ui/values/shown-once'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { Section } from './section'
import classes from './settings.module.css'

const listSize = 100

/** The user's API tokens: made here and shown once, revoked here. */
export function TokensSection() {
  const { t } = useTranslation('settings')
  const draft = useFormDraft({ form: 'token-new', record: '', stored: { description: '' } })
  const { description } = draft.value
  const { data, error } = useQuery({
    queryKey: apiTokensKey,
    queryFn: ({ signal }) => call(apiTokenRoutes.list, { query: { per_page: listSize }, signal }),
  })
  const make = useMutation({
    mutationFn: () => call(apiTokenRoutes.create, { body: { description: description.trim() } }),
    onSuccess: () => {
      draft.done({ description: '' })
      announce(t('tokens.once'))
    },
  })
  const revoke = useMutation({
    mutationFn: (id: number) => call(apiTokenRoutes.destroy, { params: { id } }),
    onSuccess: () => {
      notifyDone(t('tokens.revoked'))
    },
    onError: (error) => notifyFailure({ title: t('tokens.notRevoked'), message: failureText(error) }),
  })
  const submit = () => {
    if (description.trim() !== '') make.mutate()
  }
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
      {make.data?.token && (
        <div>
          <p>{t('tokens.once')}</p>
          <ShownOnce value={make.data.token} copyLabel={t('tokens.copy')} copiedLabel={t('tokens.copied')} />
        </div>
      )}
      <DraftForm draft={draft} className={classes.row} onSubmit={submit}>
        <TextInput
          className={classes.grow}
          aria-label={t('tokens.for')}
          placeholder={t('tokens.for')}
          value={description}
          maxLength={255}
          onChange={(event) => draft.change({ description: event.currentTarget.value })}
          error={fieldFailure(make.error, 'description')}
        />
        <Button type="submit" loading={make.isPending} disabled={description.trim() === ''}>
          {t('tokens.make')}
        </Button>
      </DraftForm>
    </Section>
  )
}

type TokenItemProps = { token: { description: string; created_at: string; last_used_at: string | null }; onRevoke: () => void }

/** Revoking cannot be undone, so the second press, whose button says so, does it. */
function TokenItem({ token: { description, created_at, last_used_at }, onRevoke }: TokenItemProps) {
  const { t } = useTranslation('settings')
  const [isAsking, setAsking] = useState(false)
  return (
    <li className={classes.item}>
      <span className={classes.itemName}>{description}</span>
      <span className={classes.quiet}>
        {t('tokens.made')} <Instant value={created_at} />
      </span>
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
