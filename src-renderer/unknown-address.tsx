import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation } from 'wouter'
import { notifyFailure } from './state/notices'

/** Shows Review in place of an address that no screen has, and says so. */
export function UnknownAddress() {
  const { t } = useTranslation('shell')
  const [address] = useLocation()
  const title = address === '/' ? undefined : t('unknown.title', { address })
  const message = t('unknown.instead')
  useEffect(() => {
    if (title !== undefined) notifyFailure({ title, message })
  }, [title, message])
  return <Redirect to="/review" replace />
}
