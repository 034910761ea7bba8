import { describe, expect, test } from 'vitest';
import { type Asked, comparedWith } from '../../console/elements/use-asked-about.ts';

const ABOUT_THREE: Asked<'confirm'> = { question: 'confirm', about: 'version 3', hasChanged: false };

describe('a dialog', () => {
  test('stays open while it is about what it was opened for', () => {
    expect(comparedWith(ABOUT_THREE, 'version 3')).toBe(ABOUT_THREE);
  });

  test('is not about what has taken the place of that', () => {
    expect(comparedWith(ABOUT_THREE, 'version 4')).toEqual({ ...ABOUT_THREE, hasChanged: true });
  });

  test('does not open again by itself when the old thing comes back', () => {
    expect(comparedWith(comparedWith(ABOUT_THREE, 'version 4'), 'version 3')?.hasChanged).toBe(true);
  });

  test('that nobody has opened does not change', () => {
    expect(comparedWith(null, 'version 4')).toBeNull();
  });
});
