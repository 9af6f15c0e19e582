import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type Passkey, passkeyRoutes } from '#shared/contract/instance/passkeys'
import { call } from '#renderer/api/client'
import { failureText } from '#renderer/api/failure-text'
import { PasskeyFailure, addPasskey, passkeysHere } from '#renderer/api/doors/passkeys'
import { notifyDone, notifyFailure } from '#renderer/state/notices'
import { SkeletonRows } from '#renderer/ui/feedback/skeleton-rows'
import { Instant } from '#renderer/ui/values/instant'
import { Section } from '../section'
import classes from '../settings.module.css'
import { browserName } from './browser-name'
import { keyRoots } from '#renderer/api/keys'

/** The user's passkeys: added with the browser's own dialog, removed here. */
export function PasskeysSection() {
  const { t } = useTranslation('settings')
  const { data, error, isPending } = useQuery({
    queryKey: keyRoots.passkeys,
    queryFn: ({ signal }) => call(passkeyRoutes.list, { signal }),
  })
  const remove = useMutation({
    mutationFn: (id: number) => call(passkeyRoutes.destroy, { params: { id } }),
    onSuccess: () => {
      notifyDone(t('passkeys.removed'))
    },
    onError: (failure) => notifyFailure({ title: t('passkeys.notRemoved'), message: failureText(failure) }),
  })
  return (
    <Section id="passkeys" title={t('passkeys.title')}>
      <p className={classes.quiet}>{t('passkeys.text')}</p>
      {isPending && <SkeletonRows count={1} />}
      {data && data.passkeys.length > 0 && (
        <ul className={classes.list} aria-label={t('passkeys.title')}>
          {data.passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} onRemove={() => remove.mutate(passkey.id)} />
          ))}
        </ul>
      )}
      {data?.passkeys.length === 0 && <p>{t('passkeys.none')}</p>}
      {error && (
        <p className={classes.failure} role="alert">
          {failureText(error)}
        </p>
      )}
      {data && <AddPasskey origin={data.origin} />}
    </Section>
  )
}

function AddPasskey({ origin }: { origin: string | null }) {
  const { t } = useTranslation('settings')
  const where = passkeysHere(origin)
  if (where === 'nowhere') return <p className={classes.quiet}>{t('passkeys.noServer')}</p>
  if (where === 'elsewhere') return <p className={classes.quiet}>{t('passkeys.elsewhere', { origin })}</p>
  if (where === 'no_browser') return <p className={classes.quiet}>{t('passkeys.noBrowser')}</p>
  return <PasskeyForm />
}

/** The browser's name is one by which people know the device. */
function PasskeyForm() {
  const { t } = useTranslation('settings')
  const [name, setName] = useState(() => browserName(navigator.userAgent))
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: () => {
      notifyDone(t('passkeys.added'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') add.mutate(name.trim())
  }
  return (
    <form className={classes.section} onSubmit={submit}>
      <div className={classes.fieldRow}>
        <TextInput
          className={classes.grow}
          label={t('passkeys.name')}
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button className={classes.atField} type="submit" loading={add.isPending} disabled={name.trim() === ''}>
          {t('passkeys.add')}
        </Button>
      </div>
      {add.error && (
        <p className={classes.failure} role="alert">
          {add.error instanceof PasskeyFailure ? t(`passkeys.${add.error.kind}`) : failureText(add.error)}
        </p>
      )}
    </form>
  )
}

/** Removing cannot be undone, so the second press, whose button says so, does it. */
function PasskeyItem({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { name, created_at, last_used_at, cloned_at } = passkey
  const { t } = useTranslation('settings')
  const [isAsking, setAsking] = useState(false)
  return (
    <li className={classes.item}>
      <span className={classes.itemName}>{name}</span>
      <span className={classes.quiet}>
        {t('passkeys.made')} <Instant value={created_at} />
      </span>
      <span className={classes.quiet}>
        {last_used_at === null ? (
          t('passkeys.neverUsed')
        ) : (
          <>
            {t('passkeys.used')} <Instant value={last_used_at} />
          </>
        )}
      </span>
      {cloned_at !== null && <strong>{t('passkeys.cloned')}</strong>}
      <Button
        variant="subtle"
        color={isAsking ? 'red' : 'gray'}
        onClick={() => (isAsking ? onRemove() : setAsking(true))}
        onBlur={() => setAsking(false)}
        aria-label={isAsking ? undefined : t('passkeys.removeNamed', { name })}
      >
        {isAsking ? t('passkeys.removeSure') : t('passkeys.remove')}
      </Button>
    </li>
  )
}
