import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Export } from '#shared/contract/instance/exports'
import { isWaitedFor } from '../../api/exports/exports'
import { useLeftOutText } from './booked-note'
import { ProgressBar } from '../../ui/feedback/progress-bar'

/** A file that is being written. `failure`: why nothing is known of it; `again`: what the button for another one says; `of`: what it has. */
export type WrittenFileProps = {
  made: Export
  failure: string | null
  again: string
  of: 'expenses' | 'handover' | 'list'
  onAgain: () => void
  onClose: () => void
}

const texts = {
  expenses: { none: 'empty', finished: 'finished' },
  handover: { none: 'empty', finished: 'handedOver' },
  list: { none: 'emptyList', finished: 'finishedList' },
} as const

/** How far a file is, where it is, or why it was not written. */
export function WrittenFile({ made, failure, again, of, onAgain, onClose }: WrittenFileProps) {
  const { t } = useTranslation('exports')
  const { none, finished } = texts[of]
  const left = useLeftOutText()(made.left_out)
  const problem = failure ?? made.message
  if (problem !== null)
    return (
      <Stack gap="sm">
        <Text size="sm" role="alert">
          {problem}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          <Button onClick={onAgain}>{t('again')}</Button>
        </Group>
      </Stack>
    )
  if (isWaitedFor(made))
    return (
      <Stack gap="sm" aria-live="polite">
        {made.state === 'waiting' ? (
          <Text size="sm">{t('waiting')}</Text>
        ) : (
          <ProgressBar label={t('running')} done={made.done} total={made.total ?? 0} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    )
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {made.done === 0 ? t(none) : t(finished, { count: made.done })}
        {left !== null && ` ${left}.`}
      </Text>
      <Text size="xs" c="dimmed">
        {t('kept')}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onAgain}>
          {again}
        </Button>
        <Button component="a" href={made.url ?? ''} download={made.file_name} data-autofocus>
          {t('download', { name: made.file_name })}
        </Button>
      </Group>
    </Stack>
  )
}
