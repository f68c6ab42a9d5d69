import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closestNames, didYouMean, editDistance, similarNames } from '../../src/core/suggestions.js';

describe('the distance of two texts', () => {
  test('counts a swap of neighbours as one error', () => {
    expect(editDistance('list', 'lsit')).toBe(1);
    expect(editDistance('', 'abc')).toBe(3);
    expect(editDistance('kitten', 'sitting')).toBe(3);
  });

  test('is symmetric, and 0 for equal texts only', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
      }),
    );
  });
});

describe('suggestions', () => {
  test('the closest names are those with the fewest errors, each once', () => {
    expect(closestNames('nort fleet', ['North Fleet', 'South Fleet', 'West Fleet'])).toEqual(['North Fleet']);
    expect(closestNames('cat', ['cats', 'cut', 'cats', 'coats'])).toEqual(['cats', 'cut']);
  });

  test('one error in three letters is tolerated, and one in a shorter word', () => {
    expect(closestNames('zzz', ['North Fleet'])).toEqual([]);
    expect(closestNames('vehicl', ['vehicles'])).toEqual(['vehicles']);
    expect(closestNames('vehic', ['vehicles'])).toEqual([]);
    expect(closestNames('ab', ['abc'])).toEqual(['abc']);
    expect(closestNames('ab', ['abcd'])).toEqual([]);
  });

  test('similar names are also those further away and those that contain the word, three at most', () => {
    expect(similarNames('speed', ['gpsSpeed', 'spead', 'sped'])).toEqual(['spead', 'sped', 'gpsSpeed']);
    expect(similarNames('na', ['fleetName'])).toEqual([]);
    expect(similarNames('name', ['aName', 'bName', 'cName', 'dName'])).toHaveLength(3);
  });

  test('as a sentence', () => {
    expect(didYouMean('gropus', ['groups', 'roles'])).toBe('Did you mean "groups"?');
    expect(didYouMean('cat', ['cot', 'cut', 'car'])).toBe('Did you mean "cot", "cut" or "car"?');
    expect(didYouMean('zzz', ['groups'])).toBeUndefined();
  });
});
