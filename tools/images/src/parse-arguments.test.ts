import { describe, expect, it } from 'vitest';

import { parseArguments } from './parse-arguments.ts';

const KNOWN = ['smalt', 'smalt-handler'];

describe('parseArguments', () => {
  it('makes all images if none is named', () => {
    expect(parseArguments([], KNOWN)).toEqual({
      kind: 'build',
      options: {
        names: KNOWN,
        registry: 'smalt.local',
        tags: [],
        output: '.cache/images',
        compression: 'zstd',
        isUpdate: false,
        isLocked: false,
        sources: undefined,
        isUnpacked: false,
      },
    });
  });

  it('takes names and flags', () => {
    const words = [
      'smalt',
      '--registry',
      'example:5000/team',
      '--tag',
      'a',
      '--tag',
      'b',
      '--compression',
      'gzip',
      '--update',
    ];

    expect(parseArguments(words, KNOWN)).toMatchObject({
      options: {
        names: ['smalt'],
        registry: 'example:5000/team',
        tags: ['a', 'b'],
        compression: 'gzip',
        isUpdate: true,
      },
    });
  });

  it.each([
    { words: ['smalt-bench'], says: 'smalt-bench: there is no such image; there are smalt, smalt-handler' },
    { words: ['--registry', 'https://example'], says: '--registry https://example' },
    { words: ['--registry', 'Example'], says: 'in small letters' },
    { words: ['--tag', 'a:b'], says: '--tag a:b' },
    { words: ['--compression', 'xz'], says: 'give zstd or gzip' },
    { words: ['--output', ''], says: '--output' },
    { words: ['--sources', ''], says: '--sources' },
    { words: ['--update', '--locked'], says: 'give one of them' },
    { words: ['--push'], says: '--help' },
  ])('refuses $words and says why', ({ words, says }) => {
    expect(() => parseArguments(words, KNOWN)).toThrow(
      expect.objectContaining({ code: 'bad-argument', message: expect.stringContaining(says) }),
    );
  });
});
