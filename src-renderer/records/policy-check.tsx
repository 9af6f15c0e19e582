import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { policyReadRoutes } from '#shared/contract/organization-records/policy-reads'
import { call } from '../api/client'
import { useMembership } from '../state/membership'
import { policiesOf } from './policies'
import classes from './policy-check.module.css'

const lookEveryMs = 1000

/** While expenses are checked by policies that have changed: how many are left, so that nobody takes their findings for the new ones. */
export function PolicyCheck() {
  const { t } = useTranslation('policies')
  const organization_id = useMembership()?.organization.id ?? 0
  const { data } = useQuery({
    // Changed policies have it asked again.
    queryKey: [...policiesOf(organization_id).queryKey, 'check'],
    queryFn: ({ signal }) => call(policyReadRoutes.check, { params: { organization_id }, signal }),
    enabled: organization_id !== 0,
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? lookEveryMs : false),
    retry: false,
  })
  if (!data || data.waiting === 0) return null
  // No live region: a screen reader would read a number each second.
  return <span className={classes.check}>{t('checking', { count: data.waiting })}</span>
}
