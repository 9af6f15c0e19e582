import { Ban, CircleAlert, CircleHelp, MessageCircleWarning } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlagRepresentation } from '#shared/contract/organization-records/policies'
import classes from './flag-list.module.css'
import { useFlagWords } from './flag-words'

/** What was found, as it is put into words. */
export type ShownFlag = Omit<FlagRepresentation, 'policy_id' | 'number'>

const icons = { note: CircleAlert, reason: MessageCircleWarning, block: Ban } as const

/** How much a finding weighs, as an icon with its name. */
export function FlagIcon({ flag }: { flag: Pick<ShownFlag, 'is_checked' | 'is_explained' | 'weight'> }) {
  const { t } = useTranslation('policies')
  const { is_checked, is_explained } = flag
  // What the claimant has explained is to be read, no more.
  const weight = is_explained ? 'note' : flag.weight
  const Icon = is_checked ? icons[weight] : CircleHelp
  return (
    <>
      <Icon size={14} aria-hidden className={is_checked ? classes[weight] : classes.unchecked} />
      {is_checked && <span className="visually-hidden">{t(`flags.level.${weight}`)}</span>}
    </>
  )
}

type FlagListProps = { readonly flags: readonly ShownFlag[]; readonly label?: string }

/** Forms judge with every key, and mostly find the same. */
const isSame = (before: FlagListProps, now: FlagListProps) =>
  before.label === now.label && JSON.stringify(before.flags) === JSON.stringify(now.flags)

/** What policies found against an expense, weightiest first. Without findings it is nothing. */
export const FlagList = memo(function FlagList({ flags, label }: FlagListProps) {
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
}, isSame)
