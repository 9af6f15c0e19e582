import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Device } from '#shared/contract/devices'
import { addThisDevice, browserName, ownEndpoint, pushHindrance, readDevices, removeDevice } from '../../api/notifications'
import { failureText } from '../../api/failure-text'
import { Instant } from '../../ui/values/instant'
import { notifyDone, notifyFailure } from '../../state/notices'
import classes from './settings.module.css'
import { keyRoots } from '../../api/keys'

/** The devices that notifications are pushed to; this one can be added. */
export function NotificationDevices() {
  const { t } = useTranslation('notifications')
  const { data, error } = useQuery({ queryKey: keyRoots.devices, queryFn: ({ signal }) => readDevices(signal) })
  const { data: own = null } = useQuery({ queryKey: [...keyRoots.devices, 'own'], queryFn: ownEndpoint })
  const hindrance = pushHindrance()
  const add = useMutation({
    mutationFn: () => addThisDevice(t('devices.named', browserName())),
    onSuccess: ({ kind }) => {
      if (kind === 'added') notifyDone(t('devices.added'))
      else notifyFailure({ title: t('devices.notAdded'), message: t('devices.denied') })
    },
    onError: ({ message }) => notifyFailure({ title: t('devices.notAdded'), message: t('devices.noService', { reason: message }) }),
  })
  const remove = useMutation({
    mutationFn: removeDevice,
    onSuccess: (_, { name }) => {
      notifyDone(t('devices.removed', { name }))
    },
    onError: (error) => notifyFailure({ title: t('devices.notRemoved'), message: failureText(error) }),
  })
  const isAdded = data?.some(({ endpoint, gone_at }) => endpoint !== null && endpoint === own && gone_at === null) ?? false
  return (
    <>
      <h3 className={classes.subtitle}>{t('devices.title')}</h3>
      {error && <p className={classes.failure} role="alert">{`${t('devices.error')} ${failureText(error)}`}</p>}
      {data && data.length > 0 && (
        <ul className={classes.list} aria-label={t('devices.title')}>
          {data.map((device) => (
            <DeviceItem key={device.id} device={device} isOwn={device.endpoint === own} onRemove={() => remove.mutate(device)} />
          ))}
        </ul>
      )}
      {data?.length === 0 && hindrance === undefined && <p className={classes.quiet}>{t('devices.none')}</p>}
      {hindrance !== undefined && <p className={classes.quiet}>{t(`devices.${hindrance}`)}</p>}
      {hindrance === undefined && data && !isAdded && (
        <div className={classes.row}>
          <Button variant="default" loading={add.isPending} onClick={() => add.mutate()}>
            {t('devices.add')}
          </Button>
        </div>
      )}
    </>
  )
}

function DeviceItem({ device, isOwn, onRemove }: { device: Device; isOwn: boolean; onRemove: () => void }) {
  const { t } = useTranslation('notifications')
  return (
    <li className={classes.item}>
      <span className={classes.itemName}>{isOwn ? `${device.name} (${t('devices.thisOne')})` : device.name}</span>
      <span className={classes.quiet}>
        {device.gone_at === null ? t('devices.since') : t('devices.gone')} <Instant value={device.gone_at ?? device.created_at} />
      </span>
      <Button variant="subtle" color="gray" onClick={onRemove} aria-label={t('devices.removeNamed', { name: device.name })}>
        {t('devices.remove')}
      </Button>
    </li>
  )
}
