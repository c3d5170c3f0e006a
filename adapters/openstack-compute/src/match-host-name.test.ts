import { describe, expect, it } from 'vitest';

import { matchHostName } from './match-host-name.ts';

describe('names of hosts', () => {
  it.each([
    ['node1', ['node1', 'node10', 'node1.example.org'], ['node1']],
    ['node1', ['node1.example.org', 'node1.example.com', 'node10'], ['node1.example.org', 'node1.example.com']],
    ['node1.example.org', ['node1', 'node10.example.org'], ['node1']],
    ['node1.example.org', ['node1', 'node1.example.org'], ['node1.example.org']],
    ['node1', ['node1', 'node1'], ['node1', 'node1']],
    ['node', ['node1', 'node10'], []],
    ['node1', [], []],
  ])('%s among %j is %j', (name, hosts, found) => {
    expect(matchHostName(name, hosts, (host) => host)).toEqual(found);
  });
});
