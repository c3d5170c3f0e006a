import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { KubernetesError } from './kubernetes-error.ts';
import { labelSelectorFrom, matchesLabels, printLabelSelector } from './label-selector.ts';
import { parseLabelSelector } from './parse-label-selector.ts';

describe('parseLabelSelector', () => {
  it.each([
    ['', ''],
    ['app=web', 'app=web'],
    ['app == web , tier!=db', 'app=web,tier!=db'],
    ['x in (foo,,baz),y,z notin ()', 'x in (,baz,foo),y,z!='],
    ['!gone,here', '!gone,here'],
    ['a=', 'a='],
    ['in in (in)', 'in=in'],
    ['n>3,m<4', 'm<4,n>3'],
    ['example.dev/tenant in (tenant-7),app', 'app,example.dev/tenant=tenant-7'],
  ])('reads %j', (text, printed) => {
    expect(printLabelSelector(parseLabelSelector(text))).toBe(printed);
  });

  it.each([
    ['=x', `found '=', expected: !, identifier, or 'end of string'`],
    ['a b', `unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt`],
    ['a in b', `unable to parse requirement: found 'b' expected: '('`],
    ['a in (b', `unable to parse requirement: found '', expected: ',' or ')'`],
    ['a,', `found '', expected: identifier after ','`],
    ['a=b)', `found ')', expected: ',' or 'end of string'`],
    [
      'a>b',
      `unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])('refuses %j', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(message);
  });

  it('names what is wrong with a key and a value', () => {
    expect(() => parseLabelSelector('-a=b')).toThrow('name part must consist of alphanumeric characters');
    expect(() => parseLabelSelector('a=b_')).toThrow('a valid label must be an empty string or consist of');
  });

  it('ends on any text, with a selector that prints as it was read or with a clear error', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'in', ' ', '=', '!', '(', ')', ',', '<', '-', '/') }),
        (text) => {
          const first = readAndPrint(text);

          expect(first.error ?? readAndPrint(first.printed).printed).toBe(
            first.error === undefined ? first.printed : 'invalid-selector',
          );
        },
      ),
    );
  });
});

describe('matchesLabels', () => {
  const labels = { app: 'web', tier: 'front', replicas: '12' };

  it.each([
    ['', true],
    ['app=web', true],
    ['app=db', false],
    ['app in (db,web)', true],
    ['app notin (db)', true],
    ['other notin (db)', true],
    ['other!=x', true],
    ['other', false],
    ['!other', true],
    ['!app', false],
    ['replicas>11', true],
    ['replicas<12', false],
    ['app>1', false],
    ['constructor', false],
  ])('answers %j with %s', (text, isMatch) => {
    expect(matchesLabels(parseLabelSelector(text), labels)).toBe(isMatch);
  });

  it('takes an object without labels for one with none', () => {
    expect(matchesLabels(parseLabelSelector('!app'), undefined)).toBe(true);
  });
});

describe('labelSelectorFrom', () => {
  it('joins labels and expressions', () => {
    const selector = labelSelectorFrom({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'x', operator: 'DoesNotExist' },
      ],
    });

    expect(printLabelSelector(selector)).toBe('app=web,tier in (a,b),!x');
  });

  it('refuses an operator that does not exist', () => {
    expect(() => labelSelectorFrom({ matchExpressions: [{ key: 'a', operator: 'Like' }] })).toThrow(
      '"Like" is not a valid label selector operator',
    );
  });
});

function readAndPrint(text: string): { printed: string; error?: string } {
  try {
    return { printed: printLabelSelector(parseLabelSelector(text)) };
  } catch (error) {
    return { printed: '', error: error instanceof KubernetesError ? error.code : 'not a clear error' };
  }
}
