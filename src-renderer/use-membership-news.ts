import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { notifyDone } from './state/notices'
import { forgetShown } from './state/refresh-shown'

type Memberships = Session['memberships']

/** Shows a person that they lost an organization or have another role in it, and forgets what they may no longer see. Once, in the session. */
export function useMembershipNews(memberships: Memberships): void {
  const { t } = useTranslation('team')
  const client = useQueryClient()
  const known = useRef(memberships)
  const compare = useEffectEvent((now: Memberships) => {
    const before = known.current
    known.current = now
    const lost = before.filter(({ organization }) => now.every((other) => other.organization.id !== organization.id))
    const changed = now.filter(({ organization, role }) =>
      before.some((other) => other.organization.id === organization.id && other.role !== role),
    )
    const sentences = [
      ...lost.map(({ organization }) => t('news.gone', { organization: organization.name })),
      ...changed.map(({ organization, role }) => t('news.role', { organization: organization.name, role: t(`role.${role}`) })),
    ]
    if (sentences.length === 0) return
    forgetShown(client)
    notifyDone(sentences.join(' · '))
  })
  useEffect(() => compare(memberships), [memberships])
}
