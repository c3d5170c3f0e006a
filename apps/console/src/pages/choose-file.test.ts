import { describe, expect, it } from 'vitest';

import { acceptedEncodings, chooseFile } from './choose-file.ts';

describe('chooseFile', () => {
  it.each([
    ['/', { kind: 'page' }],
    ['/machines/default/demo', { kind: 'page' }],
    ['/hosts/node-1.example.js.br', { kind: 'page' }],
    ['/.env.js', { kind: 'page' }],
    ['/a%20b.js', { kind: 'page' }],
    ['/smalt.svg', { kind: 'file', name: 'smalt.svg', type: 'image/svg+xml', isForever: false }],
    ['/assets/main-D1_x-abcd.js', { kind: 'file', isForever: true }],
    ['/assets/main.js', { kind: 'file', isForever: false }],
    ['/main-D1_xabcd.js', { kind: 'file', isForever: false }],
  ])('%s is %o', (path, chosen) => {
    expect(chooseFile(path)).toMatchObject(chosen);
  });
});

describe('acceptedEncodings', () => {
  it.each([
    ['gzip, deflate, br', ['br', 'gzip']],
    ['gzip;q=1.0, br;q=0', ['gzip']],
    ['identity', []],
    ['*', []],
    [undefined, []],
  ])('of %s are %o', (header, encodings) => {
    expect(acceptedEncodings(header)).toEqual(encodings);
  });
});
