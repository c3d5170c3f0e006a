import type { ComputeHost } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { ComputeWatch } from './compute-watch.ts';
import { SignalBook } from './signal-book.ts';

const OPTIONS = { nameOf: ({ name }: ComputeHost) => name, serviceDownMs: 60 };

describe('ComputeWatch', () => {
  it.each([
    { shape: { isUp: true }, signal: { aliveAt: 940, aliveToldAt: 1_000, deadSince: undefined, deadAt: undefined } },
    { shape: { isUp: false }, signal: { aliveAt: undefined, deadSince: 1_000, deadAt: 1_000 } },
    { shape: { isUp: false, isForcedDown: true }, signal: undefined },
    { shape: { isUp: true, isForcedDown: true }, signal: undefined },
    { shape: { isUp: true, isUnwatched: true }, signal: undefined },
  ] as const)('hears of a host that is $shape', ({ shape, signal }) => {
    const book = new SignalBook();
    const watch = new ComputeWatch(book);

    watch.take([host('n1', shape)], 1_000, OPTIONS);

    const heard = book.signalsOf('n1').get('compute-service');
    expect(heard).toEqual(signal === undefined ? undefined : { source: 'compute-service', ...signal });
  });

  it('takes back that a host is up when somebody has forced it down', () => {
    const book = new SignalBook();
    const watch = new ComputeWatch(book);
    watch.take([host('n1', { isUp: true })], 1_000, OPTIONS);

    watch.take([host('n1', { isUp: true, isForcedDown: true })], 1_010, OPTIONS);

    expect(book.signalsOf('n1').get('compute-service')).toEqual({
      source: 'compute-service',
      aliveAt: 940,
      deadSince: undefined,
      deadAt: undefined,
    });
  });

  it('takes back that a host is dead as soon as it is up, though the life it tells of is older', () => {
    const book = new SignalBook();
    const watch = new ComputeWatch(book);
    watch.take([host('n1', { isUp: false })], 1_000, OPTIONS);

    watch.take([host('n1', { isUp: true })], 1_010, OPTIONS);

    expect(book.signalsOf('n1').get('compute-service')).toMatchObject({ aliveAt: 950, deadSince: undefined });
  });

  it('takes back both that a host is up and that it is dead as soon as that is not known any more', () => {
    const book = new SignalBook();
    const watch = new ComputeWatch(book);
    const unknown = { isUp: true, isUnwatched: true } as const;
    watch.take([host('up', { isUp: true }), host('dead', { isUp: false })], 1_000, OPTIONS);

    watch.take([host('up', unknown), host('dead', unknown)], 2_000, OPTIONS);

    const nothing = { source: 'compute-service', deadSince: undefined, deadAt: undefined };
    expect(book.signalsOf('up').get('compute-service')).toEqual({ ...nothing, aliveAt: 940 });
    expect(book.signalsOf('dead').get('compute-service')).toEqual({ ...nothing, aliveAt: undefined });
  });

  it('is within reach since the first answer in a row', () => {
    const watch = new ComputeWatch(new SignalBook());
    watch.take([], 1_000, OPTIONS);
    watch.take([], 1_010, OPTIONS);
    const since = watch.reachableSince;

    watch.lose();

    expect([since, watch.reachableSince]).toEqual([1_000, undefined]);
  });

  it('knows since when a service has been up without a break', () => {
    const watch = new ComputeWatch(new SignalBook());
    const n1 = host('n1', { isUp: true });
    watch.take([n1], 1_000, OPTIONS);
    watch.take([n1], 1_010, OPTIONS);
    const steady = watch.upSince(n1);

    watch.take([host('n1', { isUp: false })], 1_020, OPTIONS);
    watch.take([n1], 1_030, OPTIONS);
    const again = watch.upSince(n1);
    watch.lose();

    expect([steady, again, watch.upSince(n1)]).toEqual([1_000, 1_030, undefined]);
  });

  it('does not take a service for steady that is up only because nobody has watched it yet', () => {
    const watch = new ComputeWatch(new SignalBook());
    watch.take([host('n1', { isUp: true, isUnwatched: true })], 1_000, OPTIONS);
    const unwatched = watch.upSince(host('n1', {}));

    watch.take([host('n1', { isUp: true })], 1_010, OPTIONS);

    expect([unwatched, watch.upSince(host('n1', {}))]).toEqual([undefined, 1_010]);
  });

  it('knows by its name in the fleet which host nobody has watched for long enough, until it is told otherwise', () => {
    const watch = new ComputeWatch(new SignalBook());
    const options = { ...OPTIONS, nameOf: ({ name }: ComputeHost) => (name === 'n1' ? 'fleet-n1' : undefined) };
    const take = (shape: Partial<ComputeHost>, at: number) => {
      watch.take([host('n1', shape), host('n2', { isUnwatched: true })], at, options);
      return ['fleet-n1', 'n1', 'n2'].map((name) => watch.isUnwatched(name, at + 100));
    };

    expect(watch.isUnwatched('fleet-n1', 0)).toBe(false);
    expect(take({ isUnwatched: true }, 1_000)).toEqual([true, false, false]);
    expect(take({ isUnwatched: true }, 1_200)).toEqual([true, false, false]);
    expect(take({}, 1_300)).toEqual([false, false, false]);
    expect(take({ isUnwatched: true }, 1_400)).toEqual([true, false, false]);
    expect(take({ isUp: false }, 1_500)).toEqual([false, false, false]);
  });

  it('waits for a host that nobody has watched no longer than its service may be silent when no list can be had', () => {
    const watch = new ComputeWatch(new SignalBook());
    watch.take([host('n1', { isUnwatched: true })], 1_000, OPTIONS);

    watch.lose();

    expect([1_000, 1_060, 1_061].map((now) => watch.isUnwatched('n1', now))).toEqual([true, true, false]);
  });

  it('knows a host by both of its ids alone', () => {
    const watch = new ComputeWatch(new SignalBook());
    watch.take([host('n1', {})], 1_000, OPTIONS);

    expect(watch.of({ serviceId: 'service-n1', hypervisorId: 'hypervisor-n1' })?.name).toBe('n1');
    expect(watch.of({ serviceId: 'service-n1', hypervisorId: 'another' })).toBeUndefined();
    expect(watch.named('n1')?.serviceId).toBe('service-n1');
    expect(watch.named('n')).toBeUndefined();
  });
});

function host(name: string, shape: Partial<ComputeHost>): ComputeHost {
  return {
    name,
    serviceId: `service-${name}`,
    hypervisorId: `hypervisor-${name}`,
    isEnabled: true,
    disabledReason: undefined,
    isForcedDown: false,
    isUp: true,
    zone: undefined,
    ...shape,
  };
}
