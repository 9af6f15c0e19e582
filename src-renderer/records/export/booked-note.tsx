import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LeftOut } from '#shared/contract/instance/exports'
import { type CountedFile, useExportCount } from '../../api/exports/handovers'

/** How many expenses a file for accounting leaves out, and why: `3 left out: rejected (1), to review (2)`; null where it has all. */
export function useLeftOutText(): (left_out: LeftOut | null) => string | null {
  const { t } = useTranslation(['exports', 'status'])
  return (left_out) => {
    if (left_out === null || left_out.length === 0) return null
    const wordOf = (reason: LeftOut[number]['reason']) =>
      reason === 'handed_over' || reason === 'other_currency'
        ? t(`exports:leftOutFor.${reason}`)
        : t(`status:${reason}`).toLocaleLowerCase()
    const reasons = left_out.map(({ reason, count }) => (left_out.length === 1 ? wordOf(reason) : `${wordOf(reason)} (${count})`))
    const count = left_out.reduce((sum, one) => sum + one.count, 0)
    return t('exports:leftOut', { count, reasons: reasons.join(', ') })
  }
}

/** Before a file for accounting is written: how many expenses it will have, and what it will leave out. */
export function BookedNote({ file }: { file: CountedFile | null }) {
  const { t } = useTranslation('exports')
  const leftOutText = useLeftOutText()
  const { data } = useExportCount(file)
  if (!data) return null
  const left = leftOutText(data.left_out)
  return (
    <Text size="sm" role="status" fw={left === null ? undefined : 600}>
      {t('willBook', { count: data.count })}
      {left === null ? '.' : `; ${left}.`}
    </Text>
  )
}
