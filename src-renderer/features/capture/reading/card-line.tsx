import { CloseButton, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { nameCard, useCards } from '#renderer/api/corporative-cards'
import { usePreferences } from '#renderer/state/preferences'
import { now } from '#renderer/ui/values/clock'
import { formatDay, formatMoney } from '#renderer/ui/values/format'
import { Marked } from '../form-fields'
import classes from './reading.module.css'
import type { ReceiptLine } from './values'

/** The card line with which the expense will be matched, and how to take it off. */
export function CardLine({ line, organizationId, onDrop }: { line: ReceiptLine; organizationId: number | null; onDrop: () => void }) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const display = usePreferences((state) => state.currencyDisplay)
  const card = useCards(organizationId).find(({ id }) => id === line.corporative_card_id)
  const parts = [
    formatDay(line.occurred_at, { language, timezone, now: now() }),
    ...(card ? [nameCard(card)] : []),
    formatMoney(line, { language, display }),
  ]
  return (
    <Marked marks={<span className={classes.mark}>{t('reading.matched')}</span>}>
      <TextInput
        size="xs"
        readOnly
        label={t('ui:attribute.statement_line_id')}
        title={line.name}
        value={parts.join(' · ')}
        rightSection={<CloseButton size="xs" aria-label={t('reading.notThisLine')} title={t('reading.notThisLine')} onClick={onDrop} />}
      />
    </Marked>
  )
}
