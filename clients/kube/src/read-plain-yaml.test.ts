import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { readPlainYaml } from './read-plain-yaml.ts';

const KUBECONFIG = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTg==
    server: https://127.0.0.1:6443
  name: kind
contexts:
  - name: "admin@kind"
    context:
      cluster: kind
      user: 'admin'
current-context: admin@kind
kind: Config
preferences: {}
users: []
`;

const PIECES = ['a', 'b', 'key', 'b: ', ':', '- ', '-', '\n', '\n', '\n  ', '\n    ', ' ', '"', "'", '#', '{}', '[]'];
const ODD_PIECES = ['null', 'true', '1', '/', '\\', '|', '>', '&a', '*a', '!', '\t', '---', '.', '=', '~', '\r'];

describe('readPlainYaml', () => {
  it('reads a kubeconfig as programs write it', () => {
    expect(readPlainYaml(KUBECONFIG)).toEqual(parse(KUBECONFIG));
    expect(readPlainYaml(KUBECONFIG)).toMatchObject({ contexts: [{ name: 'admin@kind' }] });
  });

  it.each([
    'port: 6443',
    'insecure: true',
    'a: null',
    'a:',
    'a: b # why',
    '# why\na: b',
    'a: {b: c}',
    '- --flag',
    'a: |\n  b',
    'a: b\n  c',
    'a: "b\\n"',
    'a: b\na: c',
    '---\na: b',
    'a: 2026-01-01',
    '',
  ])('leaves %j to a parser', (text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });

  it('never says anything else than a parser would', () => {
    const texts = fc.array(fc.constantFrom(...PIECES, ...ODD_PIECES), { maxLength: 30 }).map((all) => all.join(''));

    fc.assert(
      fc.property(texts, (text) => {
        const value = readPlainYaml(text);

        expect([text, value]).toEqual([text, value === undefined ? undefined : parse(text)]);
      }),
      { numRuns: 20_000 },
    );
  });
});
