import { useTranslation } from 'react-i18next'
import classes from '../parts.module.css'

const boneWidths = [
  ['48px', '38%', '16%', '72px'],
  ['48px', '26%', '20%', '56px'],
  ['48px', '44%', '12%', '64px'],
]

/** Rows that are on their way, at the height of the real ones; nothing is shown for the first 300 ms. */
export function SkeletonRows({ count }: { count: number }) {
  const { t } = useTranslation('ui')
  return (
    <div className={classes.skeletons} role="status" aria-label={t('loading')}>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className={classes.skeletonRow} aria-hidden>
          {boneWidths[row % boneWidths.length]?.map((width, bone) => (
            <span key={bone} className={classes.bone} style={{ width }} />
          ))}
        </div>
      ))}
    </div>
  )
}
