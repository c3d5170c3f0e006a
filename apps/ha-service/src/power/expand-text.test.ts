import { describe, expect, it } from 'vitest';

import { expandText, isSameForAll, unknownFields } from './expand-text.ts';

const facts = { name: 'node7', address: '192.0.2.7', labels: { 'example.dev/rack': 'r12', odd: '-x', url: 'a/b' } };

describe('expandText', () => {
  it.each([
    { text: 'https://{host}.bmc.example', expanded: 'https://node7.bmc.example' },
    { text: 'https://{address}', expanded: 'https://192.0.2.7' },
    { text: '{label:example.dev/rack}-{host}', expanded: 'r12-node7' },
    { text: 'plain', expanded: 'plain' },
    { text: '{label:missing}', expanded: undefined },
    { text: '{label:odd}', expanded: undefined },
    { text: 'https://{label:url}', expanded: undefined },
    { text: '{label:toString}', expanded: undefined },
  ])('makes $expanded of $text', ({ text, expanded }) => {
    expect(expandText(text, facts)).toBe(expanded);
  });

  it('has no address where none is known', () => {
    expect(expandText('{address}', { ...facts, address: undefined })).toBeUndefined();
  });
});

describe('unknownFields', () => {
  it.each([
    { text: '{host} {address} {label:a/b}', unknown: [] },
    { text: 'https://{name}.bmc', unknown: ['{name}'] },
    { text: '{host', unknown: ['{host'] },
    { text: '{label:}', unknown: ['{label:}'] },
  ])('finds $unknown in $text', ({ text, unknown }) => {
    expect(unknownFields(text)).toEqual(unknown);
  });
});

it('tells texts that are the same for all hosts', () => {
  expect(['{host}', 'x', '{label:a}'].map(isSameForAll)).toEqual([false, true, false]);
});
