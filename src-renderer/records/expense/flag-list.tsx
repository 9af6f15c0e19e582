import { Ban, CircleAlert, CircleHelp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FlagRepresentation } from '#shared/contract/organization-records/policies'
import classes from './flag-list.module.css'
import { useFlagWords } from './flag-words'

type Flag = Omit<FlagRepresentation, 'policy_id' | 'number'>

/** How much a finding weighs, as an icon with its name. */
export function FlagIcon({ flag: { is_checked, weight } }: { flag: Pick<Flag, 'is_checked' | 'weight'> }) {
  const { t } = useTranslation('policies')
  const Icon = !is_checked ? CircleHelp : weight === 'block' ? Ban : CircleAlert
  return (
    <>
      <Icon size={14} aria-hidden className={is_checked ? classes[weight] : classes.unchecked} />
      {is_checked && <span className="visually-hidden">{t(`flags.level.${weight}`)}</span>}
    </>
  )
}

/** What policies found against an expense, weightiest first. Without findings it is nothing. */
export function FlagList({ flags, label }: { flags: readonly Flag[]; label?: string }) {
  const { t } = useTranslation('policies')
  const wordsOf = useFlagWords()
  if (flags.length === 0) return null
  return (
    <ul className={classes.list} aria-label={label ?? t('flags.title')}>
      {flags.map((flag) => (
        <li key={`${flag.policy} ${flag.condition}`} className={classes.flag}>
          <FlagIcon flag={flag} />
          <span>{wordsOf(flag)}</span>
        </li>
      ))}
    </ul>
  )
}
