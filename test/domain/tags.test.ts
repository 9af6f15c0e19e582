import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseTagNames, tagKey } from '#shared/domain/tags';

describe('parseTagNames', () => {
  it('reads arrays and comma-separated texts alike', () => {
    expect(parseTagNames(' Travel, food ,, FOOD,travel')).toEqual(['Travel', 'food']);
    expect(parseTagNames([' Travel', 'food', '', 'FOOD'])).toEqual(['Travel', 'food']);
    expect(parseTagNames(['a,b', 'c'])).toEqual(['a', 'b', 'c']);
    expect(parseTagNames('')).toEqual([]);
    expect(parseTagNames([])).toEqual([]);
  });

  it('knows a name by its letters, not by their composition', () => {
    expect(parseTagNames(['Alimentac\u0327a\u0303o', 'alimenta\u00e7\u00e3o'])).toHaveLength(1);
    expect(tagKey('Viagem S\u00c3O')).toBe('viagem s\u00e3o');
  });

  it('gives names that survive being written as one text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        const names = parseTagNames(texts);
        expect(parseTagNames(names.join(', '))).toEqual(names);
        expect(new Set(names.map(tagKey)).size).toBe(names.length);
        expect(names.every((name) => name !== '' && name === name.trim() && !name.includes(','))).toBe(true);
      }),
    );
  });

  it('keys are stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(tagKey(tagKey(name))).toBe(tagKey(name));
      }),
    );
  });
});
