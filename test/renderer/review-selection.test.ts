import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clear,
  countSelected,
  emptySelection,
  extentOf,
  isSelected,
  selectAllMatching,
  setSelected,
  toggle,
  type ReviewSelection,
} from '../../src-renderer/state/review-selection'

const uids = ['a', 'b', 'c', 'd', 'e', 'f']
const selections: fc.Arbitrary<ReviewSelection> = fc.record({
  default: fc.constantFrom('none' as const, 'all' as const),
  except: fc.uniqueArray(fc.constantFrom(...uids)).map((except) => new Set(except)),
})
const anyUid = fc.constantFrom(...uids)
const selectedOf = (selection: ReviewSelection) => uids.filter((uid) => isSelected(selection, uid))

test('nothing is selected at first and everything after selecting all that match', () => {
  expect(selectedOf(emptySelection)).toEqual([])
  expect(selectedOf(selectAllMatching())).toEqual(uids)
  expect(selectedOf(clear())).toEqual([])
})

test('toggling twice gives the same decisions back', () => {
  fc.assert(
    fc.property(selections, anyUid, (selection, uid) => {
      expect(isSelected(toggle(selection, uid), uid)).toBe(!isSelected(selection, uid))
      expect(toggle(toggle(selection, uid), uid)).toEqual(selection)
    }),
  )
})

test('setting one expense leaves every other as it was', () => {
  fc.assert(
    fc.property(selections, anyUid, fc.boolean(), (selection, uid, selected) => {
      const after = setSelected(selection, uid, selected)
      expect(isSelected(after, uid)).toBe(selected)
      for (const other of uids) if (other !== uid) expect(isSelected(after, other)).toBe(isSelected(selection, other))
    }),
  )
})

test('setting what is already so gives the same value', () => {
  fc.assert(
    fc.property(selections, anyUid, (selection, uid) => {
      expect(setSelected(selection, uid, isSelected(selection, uid))).toBe(selection)
    }),
  )
})

test('the count is that of the rows selected when all rows are known', () => {
  fc.assert(
    fc.property(selections, (selection) => {
      expect(countSelected(selection, uids.length)).toBe(selectedOf(selection).length)
    }),
  )
})

test('the extent follows the count', () => {
  expect(extentOf(emptySelection, 6)).toBe('none')
  expect(extentOf(selectAllMatching(), 6)).toBe('all')
  expect(extentOf(toggle(selectAllMatching(), 'a'), 6)).toBe('some')
  expect(extentOf(selectAllMatching(), 0)).toBe('none')
})
