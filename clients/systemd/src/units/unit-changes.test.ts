import { describe, expect, it } from 'vitest';

import { UnitChanges } from './unit-changes.ts';

describe('UnitChanges', () => {
  it('tells each unit once, however often it changed before it was read', () => {
    const changes = new UnitChanges();

    for (const name of ['a.service', 'b.service', 'a.service', 'a.service']) changes.changed(name);

    expect(takeAll(changes)).toEqual([
      { kind: 'unit-changed', name: 'a.service' },
      { kind: 'unit-changed', name: 'b.service' },
    ]);
  });

  it('tells no single unit when all have to be asked for anyway', () => {
    const changes = new UnitChanges();

    changes.changed('a.service');
    changes.anyChanged();
    const any = takeAll(changes);
    changes.changed('a.service');
    changes.anyChanged();
    changes.resubscribed();
    const again = takeAll(changes);

    expect(any).toEqual([{ kind: 'unit-changed' }]);
    expect(again).toEqual([{ kind: 'resubscribed' }]);
  });

  it('wakes up who waits, and who comes to wait after the change', async () => {
    const changes = new UnitChanges();

    const waiting = changes.wait();
    changes.changed('a.service');
    await waiting;
    changes.changed('b.service');
    await changes.wait();

    expect(takeAll(changes)).toHaveLength(2);
  });
});

function takeAll(changes: UnitChanges): readonly unknown[] {
  const taken = [];
  for (let change = changes.take(); change; change = changes.take()) taken.push(change);
  return taken;
}
