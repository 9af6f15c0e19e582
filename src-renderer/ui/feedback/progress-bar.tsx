import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../values/format'
import classes from '../parts.module.css'

/** The progress of a batch, with a way to stop it; completed work stays. */
export function ProgressBar({ label, done, total, onStop }: { label: string; done: number; total: number; onStop?: () => void }) {
  const { t } = useTranslation('ui')
  const language = usePreferences((state) => state.language)
  const share = total > 0 ? Math.min(1, done / total) : 0
  return (
    <div className={classes.progress}>
      <span>{label}</span>
      <div className={classes.track} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={total} aria-valuenow={done}>
        <div className={classes.fill} style={{ transform: `scaleX(${share})` }} />
      </div>
      <span className="tabular">{t('progress.of', { done: formatCount(done, language), total: formatCount(total, language) })}</span>
      {onStop && (
        <Button variant="default" onClick={onStop}>
          {t('progress.stop')}
        </Button>
      )}
    </div>
  )
}
