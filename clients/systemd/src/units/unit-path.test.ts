import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { unitAtPath, unitPath } from './unit-path.ts';

describe('unitPath', () => {
  it.each([
    { name: 'web.service', path: '/org/freedesktop/systemd1/unit/web_2eservice' },
    { name: '1web@a-b.service', path: '/org/freedesktop/systemd1/unit/_31web_40a_2db_2eservice' },
    { name: '-.mount', path: '/org/freedesktop/systemd1/unit/_2d_2emount' },
  ])('is $path for $name', ({ name, path }) => {
    expect(unitPath(name)).toBe(path);
  });

  it('leads back to the name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z\d:_.\\@-]{1,40}$/), (name) => {
        expect(unitAtPath(unitPath(name))).toBe(name);
      }),
    );
  });

  it('finds no unit elsewhere', () => {
    expect(unitAtPath('/org/freedesktop/systemd1/job/7')).toBeUndefined();
    expect(unitAtPath('/org/freedesktop/systemd1/unit/a/b')).toBeUndefined();
  });
});
