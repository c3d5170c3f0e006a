import type { KubernetesObject } from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import { applyMessages, changedKeys } from './apply-messages.ts';
import { NOTHING_KNOWN, type Followed } from './followed.ts';
import type { LiveChanges } from './live-message.ts';

describe('the first list', () => {
  it('shows each piece as it comes, and is ready with the last', () => {
    const half = applyMessages(NOTHING_KNOWN, [changes({ isReset: true, put: [object('a')] })]);
    const whole = applyMessages(half, [changes({ put: [object('b')], isComplete: true })]);

    expect([keys(half), half.state.kind]).toEqual([['default/a'], 'loading']);
    expect([keys(whole), whole.state.kind]).toEqual([['default/a', 'default/b'], 'ready']);
  });

  it('is ready when there is nothing', () => {
    const followed = applyMessages(NOTHING_KNOWN, [changes({ isReset: true, isComplete: true })]);

    expect([keys(followed), followed.state.kind]).toEqual([[], 'ready']);
  });
});

describe('a list that replaces another', () => {
  it('keeps what was known until all of the new has come', () => {
    const before = known([object('a'), object('b')]);

    const during = applyMessages(before, [changes({ isReset: true, put: [object('c')] })]);
    const after = applyMessages(during, [changes({ put: [object('a')], isComplete: true })]);

    expect(keys(during)).toEqual(['default/a', 'default/b']);
    expect(keys(after)).toEqual(['default/c', 'default/a']);
  });

  it('keeps the very object where nothing about it changed', () => {
    const before = known([object('a', '1'), object('b', '1')]);

    const after = applyMessages(before, [
      changes({ isReset: true, put: [object('a', '1'), object('b', '2')], isComplete: true }),
    ]);

    expect(after.byKey.get('default/a')).toBe(before.byKey.get('default/a'));
    expect(changedKeys(before, after)).toEqual(['default/b']);
  });

  it('takes an object of the same version for another one when it was made anew', () => {
    const before = known([object('a', '1', 'first')]);

    const after = applyMessages(before, [changes({ put: [object('a', '1', 'second')] })]);

    expect(after.byKey.get('default/a')?.metadata.uid).toBe('second');
  });
});

it('puts and removes objects without touching what was known before', () => {
  const before = known([object('a'), object('b')]);

  const after = applyMessages(before, [changes({ put: [object('c')], gone: ['default/a'] })]);

  expect(keys(before)).toEqual(['default/a', 'default/b']);
  expect(keys(after)).toEqual(['default/b', 'default/c']);
  expect(changedKeys(before, after)).toEqual(['default/c', 'default/a']);
});

it('forgets all of what must not be seen any more', () => {
  const after = applyMessages(known([object('a')]), [{ kind: 'refused', id: 1, status: 403, message: 'no' }]);

  expect(after).toMatchObject({ state: { kind: 'refused', status: 403, message: 'no' } });
  expect(keys(after)).toEqual([]);
});

it('keeps what is known while it is broken, and is ready after the next list', () => {
  const broken = applyMessages(known([object('a')]), [{ kind: 'broken', id: 1, message: 'gone' }]);
  const mended = applyMessages(broken, [changes({ isReset: true, put: [object('b')], isComplete: true })]);

  expect([keys(broken), broken.state]).toEqual([['default/a'], { kind: 'broken', message: 'gone' }]);
  expect([keys(mended), mended.state.kind]).toEqual([['default/b'], 'ready']);
});

function known(objects: readonly KubernetesObject[]): Followed {
  return applyMessages(NOTHING_KNOWN, [changes({ isReset: true, put: objects, isComplete: true })]);
}

function changes(fields: Partial<LiveChanges>): LiveChanges {
  return { kind: 'changes', id: 1, isReset: false, isComplete: false, put: [], gone: [], ...fields };
}

function object(name: string, resourceVersion = '1', uid = name): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { namespace: 'default', name, resourceVersion, uid } };
}

function keys({ byKey }: Followed): readonly string[] {
  return [...byKey.keys()];
}
