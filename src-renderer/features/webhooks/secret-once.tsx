import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '../../state/notices'
import { ShownOnce } from '../../ui/values/shown-once'
import classes from './webhooks.module.css'

const example = `import crypto from 'node:crypto'

// body: the bytes as they came, before any parsing
export function isFromOutlay(headers, body, secret) {
  const expected = crypto
    .createHmac('sha256', secret)
    .update(headers['x-service-requestid'] ?? '')
    .update(body)
    .digest()
  const signature = headers['x-service-signature']
  const given = Buffer.from(signature ?? '', 'hex')
  return given.length === expected.length &&
    crypto.timingSafeEqual(given, expected)
}`

/** The secret to show; null when the response to a repeated request left it out. */
export type SecretOnceProps = { secret: string | null; doneLabel: string; onDone: () => void }

/** A webhook's secret, this one time, and what its receiver does with it (contract 6.2). */
export function SecretOnce({ secret, doneLabel, onDone }: SecretOnceProps) {
  const { t } = useTranslation('webhooks')
  useEffect(() => announce(t('secret.once')), [t])
  return (
    <>
      {secret === null ? (
        <p className={classes.text}>{t('secret.lost')}</p>
      ) : (
        <>
          <p className={classes.text}>{t('secret.once')}</p>
          <ShownOnce value={secret} copyLabel={t('secret.copy')} copiedLabel={t('secret.copied')} />
        </>
      )}
      <section className={classes.block}>
        <h3 className={classes.blockTitle}>{t('secret.verify')}</h3>
        <p className={classes.text}>{t('secret.verifyText')}</p>
        <pre className={classes.code} tabIndex={0} aria-label={t('secret.example')}>
          {example}
        </pre>
      </section>
      <div className={classes.actions}>
        <Button onClick={onDone}>{doneLabel}</Button>
      </div>
    </>
  )
}
