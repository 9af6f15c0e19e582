import { afterAll, expect, test } from 'vitest'
import { startScreens } from './shown'

/** What screens say of states of the server that a test cannot bring about at once: its answer is replaced. */
const screens = await startScreens()
afterAll(() => screens.end())

const replica = {
  remote: { url: 'https://remote.example.org', user_id: 1, is_compatible_only: false },
  ...{ activity: 'stopped', stop: null, progress: null, oldest_waiting_at: null, last_synced_at: '2026-01-04T10:00:00Z' },
  counts: { waiting: 2, waiting_bytes: 900, conflicts: 0, failed: 0, quarantined: 0, uploads: 0, downloads: 0 },
  ...{ keeps_in_sync: true, last_error: null, receipt_budget_bytes: 0, offered: 0, trail_forks: [], may_change: false },
}
const show = (path: string, answers: Record<string, unknown>) => screens.show(screens.instance.admin, path, answers)

test.each([
  ['unauthorized', 'The remote no longer accepts the token.', 'Create a new token'],
  ['wrong_account', 'The token belongs to another account.', 'disconnect first'],
  ['too_old', 'The remote needs a newer Outlay.', 'Update Outlay'],
  ['unreadable', 'Outlay cannot read the response of the remote.', 'sign-in page'],
])('a stop is shown with what to do: %s', async (kind, title, todo) => {
  const stop = { kind, message: 'told to support', table: null, count: 0, total: 0 }
  const { text } = await show('/sync', { '/replica': { ...replica, stop } })
  expect(text).toContain(title)
  expect(text).toContain(todo)
})

test('the first exchange shows its progress, and settings what is still to come', async () => {
  const answer = {
    ...replica,
    remote: { ...replica.remote, is_compatible_only: true },
    activity: 'syncing',
    progress: { rows: 12_400, total: 48_000, bytes: 3_250_600 },
    last_synced_at: null,
    counts: { ...replica.counts, downloads: 12 },
  }
  const { text } = await show('/sync', { '/replica': answer })
  expect(text).toContain('12,400 of 48,000')
  expect(text).toContain('3.1 MB so far')
  const settings = await show('/settings/remote', { '/replica': answer })
  expect(settings.text).toContain('This remote supports only the published API')
  expect(settings.text).toContain('12 still to download')
})
