import { expect, test } from 'vitest'
import type { Capture } from '#shared/contract/captures'
import type { OutboxFile } from '../../../src-renderer/state/draft-db'
import { isOfFile } from '../../../src-renderer/features/capture/inbox-rows'

const captured_at = '2026-03-02T10:00:00.123Z'
const queued: OutboxFile = {
  ...{ key: '01a20917-e348-7000-8000-000000000000', user_uid: 'u', file: new File(['x'], 'IMG_1.HEIC'), source: 'drop', group: undefined },
  ...{ captured_at, note: null, refusal: null, expense_id: null, upload: null },
}
const capture: Capture = {
  ...{ id: 1, uid: '01a20917-e400-7000-8000-000000000000', file_name: 'IMG_1.jpg', content_type: 'image/jpeg', bytes: 1, source: 'drop' },
  ...{
    state: 'ready',
    problem: null,
    captured_at: '2026-03-02T10:00:00Z',
    group: null,
    note: null,
    repeat_of: null,
    expense_id: null,
    url: null,
    file: [],
  },
  ...{ created_at: captured_at, deleted_at: null },
}

test('a capture that the feed names before its answer is here is that of the file on its way', () => {
  expect(isOfFile(capture, queued)).toBe(true)
  expect(isOfFile({ ...capture, file_name: 'IMG_2.jpg' }, queued)).toBe(false)
  expect(isOfFile({ ...capture, captured_at: '2026-03-02T10:00:01.123Z' }, queued)).toBe(false)
})

test('an earlier capture of the same file stays in the list', () => {
  expect(isOfFile({ ...capture, uid: '01a20917-e300-7000-8000-000000000000' }, queued)).toBe(false)
})
