import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../parts.module.css'

/**
 * Confirming before it is known what will be done. `isWaiting`: it is not known yet; `isAsAsked`: it is, and nothing is left out. What was
 * confirmed early goes ahead only then; `hint` says which of the two it is.
 */
export function useEarlyConfirm({ isWaiting, isAsAsked, go }: { isWaiting: boolean; isAsAsked: boolean; go: () => void }): {
  readonly confirm: () => void
  readonly hint: ReactNode
} {
  const { t } = useTranslation('ui')
  const [wasEarly, setEarly] = useState(false)
  const goAhead = useEffectEvent(go)
  const isKept = wasEarly && !isWaiting && isAsAsked
  useEffect(() => {
    if (isKept) goAhead()
  }, [isKept])
  return {
    confirm: () => (isWaiting ? setEarly(true) : go()),
    hint: wasEarly && !isKept && (
      <p className={classes.sheetHint} role="status">
        {t(isWaiting ? 'confirm.early' : 'confirm.again')}
      </p>
    ),
  }
}
