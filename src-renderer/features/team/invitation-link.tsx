import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QrCode } from '../../ui/values/qr-code'
import { ShownOnce } from '../../ui/values/shown-once'
import classes from './team.module.css'

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The link of an invitation, to copy or to scan; it is shown this one time. */
export function InvitationLink({ email, link, onClose }: { email: string; link: string; onClose: () => void }) {
  const { t } = useTranslation('team')
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('link.title', { email })}
      size={480}
      transitionProps={{ duration: 0 }}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': t('link.close') }}
    >
      <div className={classes.form}>
        <p className={classes.quiet}>{t('link.text')}</p>
        <ShownOnce value={link} copyLabel={t('link.copy')} copiedLabel={t('link.copied')} />
        {loopback.test(new URL(link).hostname) && <p className={classes.failure}>{t('link.loopback')}</p>}
        <QrCode text={link} label={t('link.qr')} sizePx={208} />
      </div>
    </Modal>
  )
}
