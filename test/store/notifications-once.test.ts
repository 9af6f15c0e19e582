import { expect, test } from 'vitest'
import { notifier } from '#main/jobs/notifications'
import { readTelling, storeTelling } from '#main/use-cases/notifications/fan-out'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { startInstance } from '#test/support/instance'
import { notificationsOf, untilNotified } from '#test/support/notifications'

test('two servers that read the same activities notify once', async () => {
  const instance = await startInstance()
  try {
    const { store } = instance.app
    await untilNotified(instance)
    const { id } = await recordExpense(instance, instance.member)
    await moveExpense(instance.analyst, id, { status: 'analyzing' })
    const read = () => store.asRequest(() => readTelling(store.reader))
    for (const telling of await Promise.all([read(), read()]))
      if (telling) await store.transact(notifier, (tx) => storeTelling(tx, telling))
    const told = await notificationsOf(instance, instance.member.user_id)
    expect(told.map(({ event, channel }) => `${event} ${channel}`)).toEqual(['expense_status_changed email'])
  } finally {
    await instance.remove()
  }
})
