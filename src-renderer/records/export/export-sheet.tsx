import { Anchor, Button, Checkbox, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { type ExportFormat, exportFormats, isOfBookings } from '#shared/domain/exports/export-formats'
import { isDatevLayout, parseLayout } from '#shared/domain/exports/layout'
import { type OtherList, tableFormats } from '#shared/domain/exports/exported-lists'
import { may } from '#shared/domain/permissions'
import type { Export } from '#shared/contract/instance/exports'
import { beginExport, isWaitedFor, removeExport, useExport } from '../../api/exports/exports'
import { beginHandover, rereadHandovers, useHandover } from '../../api/exports/handovers'
import { failureText } from '../../api/failure-text'
import { Attempts } from '../../state/attempts'
import { useMembership } from '../../state/membership'
import { BookedNote } from './booked-note'
import { cancelHandover } from './cancel-handover'
import type { ExportableExpenses, ExportableList, ExportableTable } from './exportable-list'
import { useExportProfiles } from '../export-profiles'
import { WrittenFile } from './written-file'

type Scope = 'selection' | 'list'
type Attempt = { isBusy: boolean; failure: string | null }
type Begun = { kind: 'export'; id: string } | { kind: 'handover'; organization_id: number; id: string }

/** Asks what to export and how, then shows the progress and where the file is. */
export function ExportSheet({ list, onClose }: { list: ExportableList; onClose: () => void }) {
  const { t } = useTranslation('exports')
  const client = useQueryClient()
  const [begun, setBegun] = useState<Begun | null>(null)
  const [format, setFormat] = useState<ExportFormat>('csv')
  const exported = useExport(begun?.kind === 'export' ? begun.id : null)
  const handedOver = useHandover(begun?.kind === 'handover' ? begun : null)
  const { data, error } = begun?.kind === 'handover' ? handedOver : exported
  const close = () => {
    // A file that nobody waits for any more is not written to its end.
    if (begun && data && isWaitedFor(data))
      void (begun.kind === 'handover' ? cancelHandover(begun, t('handOver.label')) : removeExport(begun.id).catch(() => undefined))
    if (begun?.kind === 'handover') void rereadHandovers(client, begun.organization_id)
    onClose()
  }
  return (
    <Modal opened title={t('title')} onClose={close} closeButtonProps={{ 'aria-label': t('close') }}>
      {begun === null || !data ? (
        <>
          {list.of ? (
            <TableForm list={list} onBegun={setBegun} onClose={onClose} />
          ) : (
            <ExportForm list={list} format={format} onFormat={setFormat} onBegun={setBegun} onClose={onClose} />
          )}
        </>
      ) : (
        <WrittenFile
          made={data}
          failure={error ? failureText(error) : null}
          again={t('another')}
          of={list.of ? 'list' : begun.kind === 'handover' ? 'handover' : 'expenses'}
          onAgain={() => setBegun(null)}
          onClose={close}
        />
      )}
    </Modal>
  )
}

type ExportFormProps = {
  list: ExportableExpenses
  /** Kept while the sheet is open: what is exported again is usually handed over. */
  format: ExportFormat
  onFormat: (format: ExportFormat) => void
  onBegun: (begun: Begun) => void
  onClose: () => void
}

function ExportForm({ list, format, onFormat, onBegun, onClose }: ExportFormProps) {
  const { t } = useTranslation('exports')
  const client = useQueryClient()
  const { selection, count, filter, words, organizationId = null } = list
  const mayHandOver = may('handovers.write', { role: useMembership()?.role }) && organizationId !== null
  const [scope, setScope] = useState<Scope>(selection ? 'selection' : 'list')
  const membership = useMembership()
  const seesProfiles = may('export_profiles.list', { role: membership?.role })
  const { data: all = [] } = useExportProfiles(seesProfiles ? (membership?.organization.id ?? null) : null)
  const profilesOf = (which: ExportFormat) => all.filter(({ layout }) => isLayoutOf(which, layout))
  const profiles = profilesOf(format)
  const [chosenProfile, setProfileId] = useState<string | null>(null)
  const profileId = profiles.find(({ id }) => String(id) === chosenProfile)?.id ?? profiles[0]?.id
  const [handsOver, setHandsOver] = useState(false)
  const [again, setAgain] = useState(false)
  const [state, setState] = useState<Attempt>({ isBusy: false, failure: null })
  const [attempts] = useState(() => new Attempts<Pick<Export, 'id'>>())
  const { count: _count, ...named } = scope === 'selection' && selection ? selection : { count: 0 }
  const asked = { format, title: words, q: filter, ...named, ...(profileId !== undefined && { profile_id: profileId }) }
  const handover = handsOver && organizationId !== null ? { organization_id: organizationId, again } : null
  const begin = async () => {
    setState({ isBusy: true, failure: null })
    try {
      if (handover) {
        const { organization_id } = handover
        const body = { ...asked, again }
        const { id } = await attempts.run(body, (idempotencyKey) => beginHandover(client, organization_id, { body, idempotencyKey }))
        onBegun({ kind: 'handover', organization_id, id })
      } else onBegun({ kind: 'export', id: (await attempts.run(asked, (key) => beginExport(client, asked, key))).id })
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
        <ScopeChoice
          scope={scope}
          onScope={setScope}
          selected={selection && t('selection', { count: selection.count })}
          all={count === undefined ? t('all') : t('list', { count })}
        />
        <Select
          label={t('format')}
          description={t(format === 'datev' && profileId !== undefined ? 'datevOwn' : `about.${format}`)}
          inputWrapperOrder={['label', 'input', 'description']}
          data={exportFormats
            .filter((value) => value !== 'profile' || profilesOf('profile').length > 0)
            .map((value) => ({ value, label: t(`formats.${value}`) }))}
          value={format}
          allowDeselect={false}
          data-autofocus
          onChange={(value) => onFormat(exportFormats.find((known) => known === value) ?? format)}
        />
        {profileId !== undefined && (
          <Select
            label={t('profile')}
            data={profiles.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={String(profileId)}
            allowDeselect={false}
            onChange={setProfileId}
          />
        )}
        {format === 'datev' && profileId === undefined && seesProfiles && (
          <Anchor component={Link} href="/export-profiles" size="sm" onClick={onClose}>
            {t('ownFormat')}
          </Anchor>
        )}
        {mayHandOver && (
          <Checkbox
            label={t('handOver.label')}
            description={t('handOver.about')}
            checked={handsOver}
            onChange={(event) => setHandsOver(event.currentTarget.checked)}
          />
        )}
        {mayHandOver && handsOver && (
          <Checkbox label={t('handOver.again')} checked={again} onChange={(event) => setAgain(event.currentTarget.checked)} ml="xl" />
        )}
        <BookedNote file={handover || isOfBookings(format) ? { asked, handover } : null} />
        <FormFoot {...state} begin={t(handsOver ? 'handOver.begin' : 'begin')} onClose={onClose} />
      </Stack>
    </form>
  )
}

/** Whether a profile is one for a format. */
function isLayoutOf(format: ExportFormat, text: string): boolean {
  const layout = parseLayout(text)
  if (!layout) return false
  return isDatevLayout(layout) ? format === 'datev' : format === 'profile'
}

/** Whether the selected records are exported, or the whole list; `selected` is absent where none are. */
function ScopeChoice({
  scope,
  onScope,
  selected,
  all,
}: {
  scope: Scope
  onScope: (scope: Scope) => void
  selected: string | undefined
  all: string
}) {
  const { t } = useTranslation('exports')
  if (selected === undefined) return <Text size="sm">{all}</Text>
  return (
    <Radio.Group label={t('what')} value={scope} onChange={(value) => onScope(value === 'selection' ? 'selection' : 'list')}>
      <Stack gap={4} mt={4}>
        <Radio value="selection" label={selected} />
        <Radio value="list" label={all} />
      </Stack>
    </Radio.Group>
  )
}

function FormFoot({ failure, isBusy, begin, onClose }: Attempt & { begin: string; onClose: () => void }) {
  const { t } = useTranslation('exports')
  return (
    <>
      {failure !== null && (
        <Text size="sm" c="red" role="alert">
          {failure}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={isBusy}>
          {begin}
        </Button>
      </Group>
    </>
  )
}

type TableFormProps = { list: ExportableTable; onBegun: (begun: Begun) => void; onClose: () => void }

/** Asks in which format a list is exported that is not of expenses. */
function TableForm({ list: { of, organizationId, state: ofState, filter, count, selection }, onBegun, onClose }: TableFormProps) {
  const { t } = useTranslation('exports')
  const client = useQueryClient()
  const [chosen, setChosen] = useState<OtherList>(of[0])
  const [scope, setScope] = useState<Scope>(selection ? 'selection' : 'list')
  const [format, setFormat] = useState<(typeof tableFormats)[number]>('csv')
  const [attempt, setAttempt] = useState<Attempt>({ isBusy: false, failure: null })
  const [attempts] = useState(() => new Attempts<Pick<Export, 'id'>>())
  const begin = async () => {
    setAttempt({ isBusy: true, failure: null })
    const { count: _count, ...named } = scope === 'selection' && selection ? selection : { count: 0 }
    const whose = { ...(organizationId !== null && { organization_id: organizationId }), ...(ofState && { state: ofState }) }
    try {
      const asked = { format, list: chosen, q: filter, ...whose, ...named }
      onBegun({ kind: 'export', id: (await attempts.run(asked, (key) => beginExport(client, asked, key))).id })
    } catch (error) {
      setAttempt({ isBusy: false, failure: failureText(error) })
    }
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!attempt.isBusy) void begin()
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {of.length > 1 && (
          <Select
            label={t('what')}
            data={of.map((value) => ({ value, label: t(`lists.${value}`) }))}
            value={chosen}
            allowDeselect={false}
            onChange={(value) => setChosen(of.find((known) => known === value) ?? chosen)}
          />
        )}
        <ScopeChoice
          scope={scope}
          onScope={setScope}
          selected={selection && t('entriesSelected', { count: selection.count })}
          all={count === undefined ? t('entries') : t('entriesCounted', { count })}
        />
        <Select
          label={t('format')}
          description={t(`tables.${format}`)}
          inputWrapperOrder={['label', 'input', 'description']}
          data={tableFormats.map((value) => ({ value, label: t(`formats.${value}`) }))}
          value={format}
          allowDeselect={false}
          data-autofocus
          onChange={(value) => setFormat(tableFormats.find((known) => known === value) ?? format)}
        />
        <FormFoot {...attempt} begin={t('begin')} onClose={onClose} />
      </Stack>
    </form>
  )
}
