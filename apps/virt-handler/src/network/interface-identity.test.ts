import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { macOf, ovsInterfaceIdOf } from './interface-identity.ts';

const identity = { namespace: 'shop', instance: 'web', network: 'default' };

describe('what an interface has for good', () => {
  it('is the same in every version of this program', () => {
    expect(macOf(identity)).toBe('02:cb:48:92:8d:21');
    expect(macOf(identity, 'a seed')).toBe('02:72:fa:96:3f:d0');
    expect(ovsInterfaceIdOf(identity)).toBe('d58422c0-fe7a-8b77-8401-2c875e86ab82');
  });

  it('differs between interfaces, however their names are cut', () => {
    const names = fc.tuple(fc.string(), fc.string(), fc.string());
    fc.assert(
      fc.property(names, names, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(ovsInterfaceIdOf(named(one))).not.toBe(ovsInterfaceIdOf(named(other)));
      }),
    );
  });

  it('differs with the seed of its hardware address, also where all names are the same', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        fc.pre(one !== other);
        expect(macOf(identity, one)).not.toBe(macOf(identity, other));
        expect(macOf(identity, one)).not.toBe(macOf(identity));
      }),
    );
  });

  it('is a hardware address of one card, locally administered, and a UUID', () => {
    fc.assert(
      fc.property(fc.tuple(fc.string(), fc.string(), fc.string()), (names) => {
        expect(macOf(named(names))).toMatch(/^02(:[0-9a-f]{2}){5}$/);
        expect(ovsInterfaceIdOf(named(names))).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });
});

function named([namespace, instance, network]: readonly [string, string, string]): typeof identity {
  return { namespace, instance, network };
}
