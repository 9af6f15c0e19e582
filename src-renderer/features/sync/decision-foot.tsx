import { ActionIcon, Button } from '@mantine/core'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ReplicaOperation } from '#shared/contract/instance/replica'
import { KeyHint } from '../../ui/keys/key-hint'
import { ProgressBar } from '../../ui/feedback/progress-bar'
import { actsForAll, decidable, isLookedAt, type Act } from './answer'
import { useDecisionWork } from './held-decisions'
import classes from './sync.module.css'
import { actKeys } from './use-operation-keys'

/** The props of the foot: the selection, and how to carry out an act on it. */
export type DecisionFootProps = { selected: readonly ReplicaOperation[]; onAct?: (act: Act) => void; onClear?: () => void }

/** The acts on the selection, each with how many it applies to; or the progress of decisions. */
export function DecisionFoot({ selected, onAct, onClear }: DecisionFootProps) {
  const { t } = useTranslation('sync')
  const progress = useDecisionWork((state) => state.progress)
  if (progress)
    return (
      <div className={classes.foot}>
        <div className={classes.grow}>
          <ProgressBar label={t('decided.progress')} {...progress} />
        </div>
      </div>
    )
  if (selected.length === 0) return null
  const lookedAt = selected.length > 1 ? selected.filter(isLookedAt).length : 0
  return (
    <div className={classes.foot} role="toolbar" aria-label={t('bulk.label')}>
      <span className="tabular" role="status">
        {t('bulk.selected', { count: selected.length })}
      </span>
      {lookedAt > 0 && <span className={classes.quiet}>{t('bulk.lookedAt', { count: lookedAt })}</span>}
      <span className={classes.spring} />
      {actsForAll(selected).map((act, index) => (
        <Button
          key={act}
          variant={index === 0 && act !== 'discard' ? 'filled' : 'default'}
          rightSection={<KeyHint keys={actKeys[act]} />}
          onClick={() => onAct?.(act)}
        >
          {t('bulk.act', { act: t(`act.${act}`), count: decidable(selected, act).length })}
        </Button>
      ))}
      <ActionIcon aria-label={t('key.clear')} title={t('key.clear')} onClick={onClear}>
        <X size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}
