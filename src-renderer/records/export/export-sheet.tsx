import { Button, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Export, type ExportFormat, exportFormats } from '#shared/contract/instance/exports'
import { beginExport, isWaitedFor, removeExport, useExport } from '../../api/exports/exports'
import { failureText } from '../../api/failure-text'
import { usePreferences } from '../../state/preferences'
import { ProgressBar } from '../../ui/feedback/progress-bar'
import { formatCount } from '../../ui/values/format'
import type { ExportableList } from './exportable-list'

type Scope = 'selection' | 'list'

/** Asks what to export and how, then shows the progress and where the file is. */
export function ExportSheet({ list, onClose }: { list: ExportableList; onClose: () => void }) {
  const { t } = useTranslation('exports')
  const [id, setId] = useState<string | null>(null)
  const { data, error } = useExport(id)
  const close = () => {
    // A file that nobody waits for any more is not written to its end.
    if (data && isWaitedFor(data)) void removeExport(data.id).catch(() => undefined)
    onClose()
  }
  return (
    <Modal opened title={t('title')} onClose={close} closeButtonProps={{ 'aria-label': t('close') }}>
      {id === null || !data ? (
        <ExportForm list={list} onBegun={(made) => setId(made.id)} onClose={onClose} />
      ) : (
        <ExportState made={data} failure={error ? failureText(error) : null} onAgain={() => setId(null)} onClose={close} />
      )}
    </Modal>
  )
}

function ExportForm({ list, onBegun, onClose }: { list: ExportableList; onBegun: (made: Export) => void; onClose: () => void }) {
  const { t } = useTranslation('exports')
  const language = usePreferences((state) => state.language)
  const client = useQueryClient()
  const { selection, count, filter, words } = list
  const [scope, setScope] = useState<Scope>(selection ? 'selection' : 'list')
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [state, setState] = useState<{ isBusy: boolean; failure: string | null }>({ isBusy: false, failure: null })
  const counted = (of: number) => ({ count: of, formatted: formatCount(of, language) })
  const begin = async () => {
    setState({ isBusy: true, failure: null })
    const { count: _count, ...named } = scope === 'selection' && selection ? selection : { count: 0 }
    try {
      onBegun(await beginExport(client, { format, title: words, expenses: { filter, ...named } }))
    } catch (error) {
      setState({ isBusy: false, failure: failureText(error) })
    }
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!state.isBusy) void begin()
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {selection && (
          <Radio.Group
            label={t('what')}
            value={scope}
            onChange={(value) => setScope(value === 'selection' ? 'selection' : 'list')}
          >
            <Stack gap={4} mt={4}>
              <Radio value="selection" label={t('selection', counted(selection.count))} />
              <Radio value="list" label={count === undefined ? t('all') : t('list', counted(count))} />
            </Stack>
          </Radio.Group>
        )}
        {!selection && <Text size="sm">{count === undefined ? t('all') : t('list', counted(count))}</Text>}
        <Select
          label={t('format')}
          description={t(`about.${format}`)}
          inputWrapperOrder={['label', 'input', 'description']}
          data={exportFormats.map((value) => ({ value, label: t(`formats.${value}`) }))}
          value={format}
          allowDeselect={false}
          data-autofocus
          onChange={(value) => setFormat(exportFormats.find((known) => known === value) ?? format)}
        />
        {state.failure !== null && (
          <Text size="sm" c="red" role="alert">
            {state.failure}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={state.isBusy}>
            {t('begin')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function ExportState({
  made,
  failure,
  onAgain,
  onClose,
}: {
  made: Export
  failure: string | null
  onAgain: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('exports')
  const language = usePreferences((state) => state.language)
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
        {made.done === 0 ? t('empty') : t('finished', { count: made.done, formatted: formatCount(made.done, language) })}
      </Text>
      <Text size="xs" c="dimmed">
        {t('kept')}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onAgain}>
          {t('another')}
        </Button>
        <Button component="a" href={made.url ?? ''} download={made.file_name} data-autofocus>
          {t('download', { name: made.file_name })}
        </Button>
      </Group>
    </Stack>
  )
}
