import { describe, expect, test } from 'vitest'
import { mentionAt, suggestMentions, toCommentParts, writeMention } from '../../../src-renderer/features/conversation/mentions'

const person = (name: string, mention_name: string) => ({ id: 1, uid: name, name, email: null, mention_name, avatar: [] })
const people = [person('Ana Souza', 'anasouza'), person('Bruno Lima', 'brunolima'), person('Érica Dias', 'erica.dias')]

describe('writing a mention', () => {
  test('begins at an @ that begins a word', () => {
    expect(mentionAt('Hi @an', 6)).toEqual({ start: 3, query: 'an' })
    expect(mentionAt('@', 1)).toEqual({ start: 0, query: '' })
    expect(mentionAt('(@é', 3)).toEqual({ start: 1, query: 'é' })
  })

  test('is not begun by an e-mail address, nor after the name is finished', () => {
    expect(mentionAt('ana@example', 11)).toBeUndefined()
    expect(mentionAt('@ana thanks', 11)).toBeUndefined()
  })

  test('looks only at the text before the caret', () => {
    expect(mentionAt('@brunolima and @an', 4)).toEqual({ start: 0, query: 'bru' })
  })

  test('finds people by any of their names, accents aside', () => {
    expect(suggestMentions(people, 'lim').map(({ name }) => name)).toEqual(['Bruno Lima'])
    expect(suggestMentions(people, 'eri').map(({ name }) => name)).toEqual(['Érica Dias'])
    expect(suggestMentions(people, 'zz')).toEqual([])
  })

  test('puts the name in place of what was begun, and the caret after it', () => {
    expect(writeMention('Hi @an!', { start: 3, query: 'an' }, 'anasouza')).toEqual({ text: 'Hi @anasouza !', caret: 13 })
    expect(writeMention('@an please', { start: 0, query: 'an' }, 'anasouza')).toEqual({ text: '@anasouza please', caret: 10 })
  })
})

describe('reading a comment', () => {
  test('marks only the people who were mentioned', () => {
    expect(toCommentParts('@anasouza and @nobody, see <b>this</b>', [{ name: 'Ana Souza', mention_name: 'anasouza' }])).toEqual([
      { kind: 'mention', text: '@anasouza', name: 'Ana Souza' },
      { kind: 'text', text: ' and @nobody, see <b>this</b>' },
    ])
  })

  test('leaves the full stop after a mention outside of it, and keeps one that is part of the name', () => {
    expect(toCommentParts('Ask @erica.dias.', [{ name: 'Érica Dias', mention_name: 'erica.dias' }])).toEqual([
      { kind: 'text', text: 'Ask ' },
      { kind: 'mention', text: '@erica.dias', name: 'Érica Dias' },
      { kind: 'text', text: '.' },
    ])
  })

  test('loses nothing of a comment without mentions', () => {
    expect(toCommentParts('one\ntwo', [])).toEqual([{ kind: 'text', text: 'one\ntwo' }])
    expect(toCommentParts('', [])).toEqual([])
  })
})
