import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../values/format'
import { useIsNarrow } from './use-is-narrow'

/** A number in a cell. On a narrow screen, where a row has no header above it, with the word for what it counts. */
export function CountCell({ count, of }: { count: number; of: 'expenses' | 'attempts' }) {
  const { t } = useTranslation('ui')
  const language = usePreferences((state) => state.language)
  const isNarrow = useIsNarrow()
  return <span className="tabular">{isNarrow ? t(`counted.${of}`, { count }) : formatCount(count, language)}</span>
}
