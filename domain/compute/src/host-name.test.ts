import { describe, expect, it } from 'vitest';

import { isSameHostName, shortHostName } from './host-name.ts';

describe('names of hosts', () => {
  it.each([
    ['node1', 'node1', true],
    ['node1', 'node10', false],
    ['node10', 'node1', false],
    ['node1', 'node1.example.org', true],
    ['node1.example.org', 'node1', true],
    ['node1', 'node10.example.org', false],
    ['node1.example.org', 'node1.example.com', false],
    ['node1.example.org', 'node1.example', false],
    ['NODE1', 'node1', false],
    ['10', '10.0.0.1', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['', 'node1', false],
  ])('%s and %s stand for each other: %s', (one, other, isSame) => {
    expect(isSameHostName(one, other)).toBe(isSame);
    expect(isSameHostName(other, one)).toBe(isSame);
  });

  it.each([
    ['node1', 'node1'],
    ['node1.a.b', 'node1'],
    ['192.0.2.1', '192.0.2.1'],
  ])('the first part of %s is %s', (name, short) => {
    expect(shortHostName(name)).toBe(short);
  });
});
