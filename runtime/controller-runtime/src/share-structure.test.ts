import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { shareStructure } from './share-structure.ts';

describe('shareStructure', () => {
  it('gives the older value where nothing differs', () => {
    const older = { name: 'a', list: [{ id: 1 }, { id: 2 }] };

    expect(shareStructure(older, structuredClone(older))).toBe(older);
  });

  it('keeps the parts that say the same', () => {
    const older = { spec: { cpus: 2 }, list: [{ id: 1 }, { id: 2, isUp: false }] };
    const newer = { spec: { cpus: 2 }, list: [{ id: 1 }, { id: 2, isUp: true }] };

    const shared = shareStructure(older, newer);

    expect(shared).toEqual(newer);
    expect([shared.spec === older.spec, shared.list[0] === older.list[0]]).toEqual([true, true]);
  });

  it.each([
    ['added', [{ id: 1 }, { id: 3 }], [{ id: 1 }, { id: 2 }, { id: 3 }]],
    ['taken away', [{ id: 1 }, { id: 2 }, { id: 3 }], [{ id: 1 }, { id: 3 }]],
  ])('keeps the items around one that was %s', (_what, older, newer) => {
    const shared = shareStructure(older, newer);

    expect(shared).toEqual(newer);
    expect([shared[0] === older[0], shared.at(-1) === older.at(-1)]).toEqual([true, true]);
  });

  it.each([
    ['a field that went', { a: 1, b: 2 }, { a: 1 }],
    ['a field that came', { a: 1 }, { a: 1, b: 2 }],
    ['a field that came without a value', { a: 1 }, { a: 1, b: undefined }],
    ['a list that became an object', { a: [] }, { a: {} }],
    ['a field with an odd name', JSON.parse('{"__proto__":{"a":[1]}}'), JSON.parse('{"__proto__":{"a":[1]},"b":1}')],
  ])('sees %s', (_what, older, newer) => {
    const shared = shareStructure(older, newer);

    expect(shared).toStrictEqual(newer);
    expect(Object.keys(shared)).toEqual(Object.keys(newer));
    expect(Object.getPrototypeOf(shared)).toBe(Object.prototype);
  });

  it('says what the newer one says, whatever the two are, and changes neither', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (older, newer) => {
        const [olderText, newerText] = [JSON.stringify(older), JSON.stringify(newer)];

        const shared = shareStructure(older, newer);

        expect([shared, JSON.stringify(older), JSON.stringify(newer)]).toEqual([newer, olderText, newerText]);
      }),
    );
  });
});
