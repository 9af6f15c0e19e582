import { Button, Switch } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type NotificationChannel,
  type NotificationPreferences,
  type NotificationSwitch,
  notificationChannels,
  switchNames,
  switchOf,
} from '#shared/contract/notifications'
import type { NotificationEvent } from '#shared/domain/notification-events'
import { failureText } from '../../api/failure-text'
import { turnSwitches, useNotifications } from '../../api/notifications'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { notifyDone, notifyFailure } from '../../state/notices'
import { useUndo } from '../../ui/feedback/use-undo'
import { NotificationDevices } from './notification-devices'
import { Section } from './section'
import classes from './settings.module.css'
import { keyRoots } from '../../api/keys'

type Switches = Partial<Record<NotificationSwitch, boolean>>

/** The events of contract 2.18 as they belong together. */
const groups = {
  expenses: ['expense_created', 'expense_updated', 'expense_status_changed', 'expense_destroyed'],
  conversation: ['comment_created', 'comment_updated', 'comment_destroyed', 'attachment_created', 'attachment_destroyed'],
  money: [
    ...(['reimbursement_created', 'reimbursement_updated', 'reimbursement_destroyed'] as const),
    ...(['advancement_created', 'advancement_updated', 'advancement_destroyed', 'advancement_devolution_created'] as const),
  ],
  team: ['organization_add_member', 'organization_role_changed', 'organization_remove_member', 'organization_left'],
} as const satisfies Record<string, readonly NotificationEvent[]>
const groupNames = ['expenses', 'conversation', 'money', 'team'] as const

/** The user's notifications, by e-mail and by push; each switch is saved at once. */
export function NotificationsSection() {
  const { t } = useTranslation('notifications')
  const { data, error, refetch } = useNotifications()
  return (
    <Section id="notifications" title={t('title')}>
      <p className={classes.quiet}>{t('text')}</p>
      {data && <Preferences stored={data} />}
      {!data && !error && <SkeletonRows count={8} />}
      {error && !data && <ErrorState happened={t('error')} kept={t('nothingChanged')} onRetry={() => void refetch()} error={error} />}
      <NotificationDevices />
    </Section>
  )
}

function useTurn() {
  const { t } = useTranslation('notifications')
  const client = useQueryClient()
  return useMutation({
    mutationFn: turnSwitches,
    onMutate: async (change: Switches) => {
      await client.cancelQueries({ queryKey: keyRoots.notifications })
      const before = client.getQueryData<NotificationPreferences>(keyRoots.notifications)
      client.setQueryData<NotificationPreferences>(keyRoots.notifications, (old) => old && { ...old, ...change })
      return before
    },
    onSuccess: (saved) => client.setQueryData(keyRoots.notifications, saved),
    onError: (error, _, before) => {
      client.setQueryData(keyRoots.notifications, before)
      notifyFailure({ title: t('notSaved'), message: failureText(error) })
    },
  })
}

function Preferences({ stored }: { stored: NotificationPreferences }) {
  const { t } = useTranslation('notifications')
  const { mutate: save, mutateAsync: saveNow } = useTurn()
  const offerUndo = useUndo({ scope: 'notifications-undo', title: t('title') })
  const turn = (names: readonly NotificationSwitch[], isOn: boolean) => {
    const turned = names.filter((name) => stored[name] !== isOn)
    if (turned.length === 0) return
    const after = saveNow(toChange(turned, isOn)).then(() => true)
    offerUndo(t(isOn ? 'turnedOn' : 'turnedOff', { count: turned.length }), () => saveNow(toChange(turned, !isOn)), { after })
  }
  return (
    <>
      <Address
        email={stored.email}
        hasMailServer={stored.mail_server}
        onAgain={() =>
          save(
            toChange(
              switchNames.filter((name) => name.startsWith('email') && stored[name]),
              true,
            ),
          )
        }
      />
      <table className={classes.switches}>
        <thead>
          <tr>
            <th scope="col">{t('event')}</th>
            {notificationChannels.map((channel) => (
              <th key={channel} scope="col">
                <AllSwitch channel={channel} stored={stored} onTurn={turn} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groupNames.map((group) => (
            <Fragment key={group}>
              <tr>
                <th scope="rowgroup" colSpan={3} className={classes.group}>
                  {t(`groups.${group}`)}
                </th>
              </tr>
              {groups[group].map((event) => (
                <EventRow key={event} event={event} stored={stored} onTurn={turn} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </>
  )
}

type TurnProps = { stored: NotificationPreferences; onTurn: (names: readonly NotificationSwitch[], isOn: boolean) => void }

function toChange(names: readonly NotificationSwitch[], isOn: boolean): Switches {
  return Object.fromEntries(names.map((name) => [name, isOn]))
}

function AllSwitch({ channel, stored, onTurn }: TurnProps & { channel: NotificationChannel }) {
  const { t } = useTranslation('notifications')
  const names = switchNames.filter((name) => name.startsWith(channel))
  return (
    <Switch
      size="xs"
      label={t(channel)}
      aria-label={t(channel === 'email' ? 'allEmail' : 'allMobile')}
      checked={names.every((name) => stored[name])}
      onChange={({ currentTarget: { checked } }) => onTurn(names, checked)}
    />
  )
}

function EventRow({ event, stored, onTurn }: TurnProps & { event: NotificationEvent }) {
  const { t } = useTranslation('notifications')
  const words = t(`events.${event}`)
  return (
    <tr>
      <th scope="row">{words}</th>
      {notificationChannels.map((channel) => {
        const name = switchOf(channel, event)
        return (
          <td key={channel}>
            <Switch
              size="xs"
              aria-label={t(channel === 'email' ? 'emailFor' : 'mobileFor', { event: words })}
              checked={stored[name]}
              onChange={({ currentTarget: { checked } }) => onTurn([name], checked)}
            />
          </td>
        )
      })}
    </tr>
  )
}

type AddressProps = { email: NotificationPreferences['email']; hasMailServer: boolean; onAgain: () => void }

function Address({ email, hasMailServer, onAgain }: AddressProps) {
  const { t } = useTranslation('notifications')
  if (!hasMailServer) return <p className={classes.quiet}>{t('noMailServer')}</p>
  if (email === null) return <p className={classes.quiet}>{t('noAddress')}</p>
  const { address, bounced_at } = email
  if (bounced_at === null) return <p className={classes.quiet}>{t('sentTo', { address })}</p>
  const again = () => {
    onAgain()
    notifyDone(t('sendingAgain', { address }))
  }
  return (
    <div className={classes.row}>
      <p className={classes.failure}>{t('bounced', { address })}</p>
      <Button variant="default" onClick={again}>
        {t('sendAgain')}
      </Button>
    </div>
  )
}
