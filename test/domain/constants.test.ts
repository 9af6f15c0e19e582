import { describe, expect, it } from 'vitest'

import { contentTypeByExtension, contentTypes, isAllowedContentType } from '#shared/domain/content-types'
import { notificationEvents } from '#shared/domain/notification-events'

describe('content types', () => {
  it('allow what the contract lists and nothing that a browser would run', () => {
    expect(contentTypes).toHaveLength(8)
    for (const contentType of contentTypes) expect(isAllowedContentType(contentType)).toBe(true)
    for (const other of ['text/html', 'image/svg+xml', 'IMAGE/PNG', 'image/png; charset=x', '']) {
      expect(isAllowedContentType(other)).toBe(false)
    }
  })

  it('are declared for files by their extension', () => {
    expect(contentTypeByExtension.get('jpg')).toBe('image/jpeg')
    expect(contentTypeByExtension.get('svg')).toBeUndefined()
    expect([...contentTypeByExtension.values()].every(isAllowedContentType)).toBe(true)
  })
})

describe('notification events', () => {
  it('are twenty, each once', () => {
    expect(new Set(notificationEvents).size).toBe(20)
  })
})
