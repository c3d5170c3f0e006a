import { describe, expect, it } from 'vitest';

import { Redaction } from './redaction.ts';
import { showFields } from './show-fields.ts';

describe('showFields', () => {
  it.each([
    { name: 'a secret at the top', fields: { token: 'hush' }, shown: { token: '[redacted]' } },
    {
      name: 'a secret deep down',
      fields: { a: [{ b: { token: 'hush' } }] },
      shown: { a: [{ b: { token: '[redacted]' } }] },
    },
    { name: 'a path', fields: { a: { uri: 'hush' }, uri: 'ok' }, shown: { a: { uri: '[redacted]' }, uri: 'ok' } },
    { name: 'any name in a path', fields: { x: { pin: 'hush' }, pin: 1 }, shown: { x: { pin: '[redacted]' }, pin: 1 } },
    { name: 'a number that JSON has not', fields: { size: 2n ** 64n }, shown: { size: '18446744073709551616' } },
    { name: 'what has a form of its own', fields: { at: new Date(0) }, shown: { at: '1970-01-01T00:00:00.000Z' } },
  ])('shows $name', ({ fields, shown }) => {
    expect(showFields(fields, new Redaction(['token'], ['a.uri', '*.pin']))).toEqual(shown);
  });

  it('shows an error with its code, its causes and without its secrets', () => {
    const cause = Object.assign(new RangeError('too far'), { token: 'hush' });
    const error = Object.assign(new TypeError('broken', { cause }), { code: 'E1' });

    const shown = showFields({ error }, new Redaction(['token'], []));

    expect(shown).toMatchObject({
      error: { type: 'TypeError', message: 'broken', code: 'E1', cause: { type: 'RangeError', token: '[redacted]' } },
    });
  });

  it('comes to an end with what contains itself or is very deep', () => {
    const circle: Record<string, unknown> = { name: 'a' };
    circle['self'] = circle;
    let deep: unknown = 'bottom';
    for (let level = 0; level < 10_000; level++) deep = { deep };

    const shown = JSON.stringify(showFields({ circle, deep }, new Redaction([], [])));

    expect(shown).toContain('"self":"[circular]"');
    expect(shown).toContain('[too deep]');
  });

  it('shows the same value twice when it stands in two places', () => {
    const both = { name: 'a' };

    expect(showFields({ left: both, right: both }, new Redaction([], []))).toEqual({ left: both, right: both });
  });

  it('says so when a value cannot be shown', () => {
    const broken = {
      toJSON: () => {
        throw new Error('no');
      },
    };

    expect(showFields({ broken }, new Redaction([], []))).toEqual({ broken: '[not shown: Error: no]' });
  });
});
