import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ShownOnce } from '../../ui/values/shown-once'
import { Door } from './door'
import classes from './door.module.css'

/** The token that a new member needs to come back, before they go in. */
export function JoinedCard({ organization, token, onGo }: { organization: { readonly name: string }; token: string; onGo: () => void }) {
  const { t } = useTranslation('join')
  return (
    <Door title={t('token.title', { organization: organization.name })}>
      <p className={classes.paragraph}>{t('token.text')}</p>
      <ShownOnce value={token} copyLabel={t('token.copy')} copiedLabel={t('token.copied')} />
      <p className={classes.quiet}>{t('token.once')}</p>
      <div className={classes.actions}>
        <Button size="sm" onClick={onGo}>
          {t('token.go')}
        </Button>
      </div>
    </Door>
  )
}
