import { Button, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { DesktopState, PreferenceChange } from '#shared/desktop/preferences'
import type { DesktopBridge } from '#shared/desktop/channels'
import { ErrorState } from '../../ui/feedback/error-state'
import { ShownOnce } from '../../ui/values/shown-once'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { notifyFailure } from '../../state/notices'
import { CaptureShortcut } from './capture-shortcut'
import { RemoteSecret } from './remote-secret'
import { Section } from './section'
import classes from './settings.module.css'

const stateKey = ['desktop']

/** How the desktop application behaves on this computer. Each switch is saved at once. */
export function ComputerSection({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation('computer')
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({ queryKey: stateKey, queryFn: () => bridge.call('desktop.show', {}) })
  useEffect(() => bridge.on('changed', () => void client.invalidateQueries({ queryKey: stateKey })), [bridge, client])
  const { mutate } = useMutation({
    mutationFn: (change: PreferenceChange) => bridge.call('preferences.change', change),
    onSuccess: (state) => client.setQueryData(stateKey, state),
    onError: ({ message }) => notifyFailure({ title: t('notSaved'), message }),
  })
  return (
    <Section id="computer" title={t('title')}>
      <p className={classes.quiet}>{t('text')}</p>
      {!data && !error && <SkeletonRows count={6} />}
      {error && !data && <ErrorState happened={t('error')} kept="" onRetry={() => void refetch()} error={error} />}
      {data && (
        <>
          <Switches state={data} onChange={mutate} />
          <CaptureShortcut
            keys={data.preferences.capture_shortcut}
            isTaken={data.is_shortcut_taken}
            onChange={(capture_shortcut) => mutate({ capture_shortcut })}
          />
          <WatchedFolder state={data} bridge={bridge} />
          <LocalApi state={data} onChange={mutate} />
          <RemoteSecret state={data.secret} bridge={bridge} />
          <Updates state={data} bridge={bridge} onChange={mutate} />
        </>
      )}
    </Section>
  )
}

type Changing = { state: DesktopState; onChange: (change: PreferenceChange) => void }

function Switches({ state: { preferences }, onChange }: Changing) {
  const { t } = useTranslation('computer')
  const names = [
    { name: 'opens_at_login', label: t('login') },
    { name: 'stays_in_tray', label: t('tray'), description: t('trayHint') },
    { name: 'shows_notifications', label: t('notifications') },
    { name: 'keeps_location', label: t('location'), description: t('locationHint') },
  ] as const
  return names.map(({ name, ...words }) => (
    <Switch key={name} {...words} checked={preferences[name]} onChange={(event) => onChange({ [name]: event.currentTarget.checked })} />
  ))
}

function WatchedFolder({ state, bridge }: { state: DesktopState; bridge: DesktopBridge }) {
  const { t } = useTranslation('computer')
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (name: 'watched_folder.choose' | 'watched_folder.stop') => bridge.call(name, {}),
    onSuccess: (changed) => client.setQueryData(stateKey, changed),
  })
  const { watched_folder: folder, watch_problem: problem } = state
  return (
    <div role="group" aria-labelledby="watched-folder">
      <p id="watched-folder" className={classes.plain}>
        {t('folder.label')}
      </p>
      <p className={classes.quiet}>{t('folder.hint')}</p>
      <div className={classes.row}>
        {folder === null ? t('folder.none') : <code>{folder}</code>}
        <Button variant="default" onClick={() => mutate('watched_folder.choose')}>
          {t('folder.choose')}
        </Button>
        {folder !== null && (
          <Button variant="subtle" onClick={() => mutate('watched_folder.stop')}>
            {t('folder.stop')}
          </Button>
        )}
      </div>
      {problem && (
        <p role="alert" className={classes.failure}>
          {t(`folder.problem.${problem.kind}`, { ...problem })}
        </p>
      )}
    </div>
  )
}

function LocalApi({ state, onChange }: Changing) {
  const { t } = useTranslation('computer')
  return (
    <>
      <Switch
        label={t('api.label')}
        description={t('api.hint')}
        checked={state.preferences.serves_local_api}
        onChange={(event) => onChange({ serves_local_api: event.currentTarget.checked })}
      />
      {state.local_api_url !== null && (
        <ShownOnce value={`${state.local_api_url}/api/v1`} copyLabel={t('api.copy')} copiedLabel={t('api.copied')} />
      )}
    </>
  )
}

function Updates({ state, bridge, onChange }: Changing & { bridge: DesktopBridge }) {
  const { t } = useTranslation('computer')
  const { mutate, data, isPending } = useMutation({ mutationFn: () => bridge.call('updates.look', {}) })
  if (!state.can_update) return <p className={classes.quiet}>{t('noUpdates')}</p>
  return (
    <>
      <Switch
        label={t('updates')}
        description={t('updatesHint')}
        checked={state.preferences.looks_for_updates}
        onChange={(event) => onChange({ looks_for_updates: event.currentTarget.checked })}
      />
      <div className={classes.row} role="status">
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          {t('look')}
        </Button>
        {data && t(`found.${data.kind}`)}
      </div>
    </>
  )
}
