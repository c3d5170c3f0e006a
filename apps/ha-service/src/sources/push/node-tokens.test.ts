import { describe, expect, it } from 'vitest';

import { parseNodeTokens } from './node-tokens.ts';

const [ONE, TWO] = ['1'.repeat(64), '2'.repeat(64)];

describe('parseNodeTokens', () => {
  it.each([
    { what: 'YAML', text: `- { node: n1, sha256: "${ONE}" }\n- { node: n2, sha256: "${TWO}" }` },
    { what: 'YAML of one line', text: `[{node: n1, sha256: "${ONE}"}, {node: n2, sha256: "${TWO}"}]` },
    { what: 'JSON', text: JSON.stringify([tokenOf('n1', ONE), tokenOf('n2', TWO)]) },
  ])('reads $what', ({ text }) => {
    expect([...parseNodeTokens(text, 'f')]).toEqual([
      [ONE, 'n1'],
      [TWO, 'n2'],
    ]);
  });

  it('reads a file with nothing in it', () => {
    expect(parseNodeTokens('', 'f')).toEqual(new Map());
  });

  it('lets a node have two, so that one can be renewed', () => {
    const tokens = parseNodeTokens(JSON.stringify([tokenOf('n1', ONE), tokenOf('n1', TWO)]), 'f');

    expect([...tokens.values()]).toEqual(['n1', 'n1']);
  });

  it.each([
    { text: '- {node: n1}', error: 'f: [0].sha256: is missing' },
    { text: '- {node: n1, sha256: secret}', error: 'must be 64 hexadecimal digits' },
    { text: '- {node: n1, sha256', error: 'f: is not YAML' },
    { text: JSON.stringify([tokenOf('n1', ONE), tokenOf('n2', ONE)]), error: 'f: n2 and n1 share a token' },
  ])('says of $text: $error', ({ text, error }) => {
    expect(() => parseNodeTokens(text, 'f')).toThrow(error);
  });

  it('reads those of ten thousand nodes at once', () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      tokenOf(`n${index}`, index.toString(16).padStart(64, '0')),
    );

    const began = performance.now();
    const tokens = parseNodeTokens(JSON.stringify(many), 'f');

    expect(tokens.size).toBe(10_000);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

function tokenOf(node: string, sha256: string | undefined) {
  return { node, sha256 };
}
