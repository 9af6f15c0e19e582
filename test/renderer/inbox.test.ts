import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { beforeAll, expect, test } from 'vitest'
import { Router } from 'wouter'
import type { UserNotification } from '#shared/contract/notifications'
import { affectedBy } from '../../src-renderer/api/affected'
import { keyRoots } from '../../src-renderer/api/keys'
import { Bell } from '../../src-renderer/features/inbox/bell'
import { Notifications } from '../../src-renderer/features/inbox/inbox-sheet'
import { useFrame } from '../../src-renderer/state/frame'
import { draw, readWords } from './read-hook'

beforeAll(readWords)

const identity = {
  uid: 'a',
  version: 1,
  user_id: 1,
  activity_id: 1,
  created_at: '2026-03-01T09:00:00Z',
  updated_at: '2026-03-01T09:00:00Z',
}
const mention = { kind: 'mention', is_seen: false, sentence: 'Mel commented “See @pat”.', title: 'Taxi', path: '/expenses/7' } as const
const asked = { kind: 'question', is_seen: true, sentence: null, title: null, path: '/statements?list=linesLeft' } as const

function list(all: readonly UserNotification[]): string {
  const props = { all, hasUnseen: true, onClose: () => undefined }
  return draw(createElement(Router, { ssrPath: '/review', children: createElement(Notifications, props) }))
}

test('each notification says what happened and leads there; unseen ones are named so', () => {
  const html = list([
    { ...identity, id: 2, ...mention },
    { ...identity, id: 1, ...asked },
  ])
  expect(html).toMatch(/href="\/expenses\/7".*unseen.*Mel commented “See @pat”.*Taxi.*href="\/statements\?list=linesLeft".*You were asked/)
  expect(html.match(/unseen</g)).toHaveLength(1)
  expect(list([{ ...identity, id: 3, ...asked, kind: 'deleted', path: null }])).not.toContain('href')
  expect(list([])).toContain('Nothing yet.')
})

test('the bell says its count, and is read again when a notification changes', () => {
  Object.assign(useFrame.getInitialState(), { user: { id: 1, name: 'Pat', email: 'pat@example.com' } })
  const bell = (unseen_count: number) => {
    const client = new QueryClient()
    client.setQueryData(keyRoots.inbox, { user_notifications: [], unseen_count })
    return draw(createElement(Bell, { isOpen: false, onOpen: () => undefined }), client)
  }
  const nameOf = (html: string) =>
    html
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim()
  expect(nameOf(bell(0))).toBe('What concerns you')
  expect(nameOf(bell(3))).toBe('What concerns you 3 unseen')
  expect(affectedBy([{ table: 'user_notifications', id: 1, uid: 'a', version: 2, is_pulled: true }])).toEqual([keyRoots.inbox])
})
