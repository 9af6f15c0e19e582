import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '#test/support/instance'
import { moveViews } from '../../../src-renderer/records/saved-views'
import { usePreferences } from '../../../src-renderer/state/preferences'
import { startSequences } from './sequences'

const own = await startSequences()
afterAll(() => own.end())
beforeEach(() => own.begin())

test('views that the browser kept before go to the server once, those of others stay, and what fails stays for the next visit', async () => {
  const { organization_id, manager } = own.instance
  const of = `${manager.user_id} ${organization_id}`
  const ofAnother = { name: 'Of another', address: 'queue=all', of: `7 ${organization_id}` }
  usePreferences.setState({
    savedViews: [{ name: 'Old', address: 'queue=all&search=taxi', of }, { name: 'Oldest', address: 'queue=all' }, ofAnother],
  })
  const stored = async () =>
    (await manager.api.get(`/organizations/${organization_id}/saved_views?sort=name`)).body.saved_views.map(({ name, query }: Json) => [
      name,
      query,
    ])
  own.delay(() => Promise.reject(new TypeError('no network')))
  await expect(moveViews(manager.user_id, organization_id)).rejects.toThrow()
  expect(usePreferences.getState().savedViews).toHaveLength(3)
  own.delay(async () => undefined)
  // Two tabs, of which the second has not heard of the first.
  const { savedViews } = usePreferences.getState()
  await moveViews(manager.user_id, organization_id)
  usePreferences.setState({ savedViews })
  await moveViews(manager.user_id, organization_id)
  expect(await stored()).toEqual([
    ['Old', 'queue=all&search=taxi'],
    ['Oldest', 'queue=all'],
  ])
  expect(usePreferences.getState().savedViews).toEqual([ofAnother])
  usePreferences.setState({ savedViews: [] })
})
