import { biosDomainXml, startHost } from '@smalt/bed-libvirt';
import { connect, ConnectListAllDomainsFlags } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { endGuests } from './end-guests.ts';
import { guestPatienceMs } from './guest-patience.ts';

it.each([
  { seconds: '0', patienceMs: 0 },
  { seconds: '180', patienceMs: 180_000 },
  { seconds: '86400', patienceMs: 300_000 },
  { seconds: 'soon', patienceMs: 5_000 },
  { seconds: undefined, patienceMs: 5_000 },
])('gives a guest that says $seconds a time of $patienceMs ms', ({ seconds, patienceMs }) => {
  // As libvirt prints it.
  const xml = marked('default_guest', seconds).replace("unit='MiB'", "unit='KiB'");

  expect(guestPatienceMs(xml)).toBe(patienceMs);
});

it('asks each guest to shut down, ends it when its own time is over, and says how long that may take', async () => {
  await using host = await startHost();
  await using connection = await connect(host.uri);
  for (const [name, seconds] of [
    ['default_database', '180'],
    ['default_toy', '1'],
  ] as const) {
    await connection.domainCreateXml({ xml: marked(name, seconds) });
  }
  const lines: string[] = [];
  const waits: number[] = [];
  const wait = (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    return Promise.resolve();
  };

  await endGuests(host.uri, { print: (line) => lines.push(line), wait });

  expect(waits.toSorted((one, other) => one - other)).toEqual([1_000, 180_000]);
  expect(lines).toEqual(['waiting up to 180 s for 2 guests to shut down; Ctrl-C again leaves them running']);
  expect(await connection.connectListAllDomains({ flags: ConnectListAllDomainsFlags.active })).toEqual([]);
});

it('ends none by force that has ended by itself, and says nothing where there are none', async () => {
  await using host = await startHost();
  await using connection = await connect(host.uri);
  const domain = await connection.domainCreateXml({ xml: marked('default_quick', '180') });
  await using events = await connection.domainEvents({ kinds: ['lifecycle'], signal: AbortSignal.timeout(20_000) });
  const lines: string[] = [];

  const ending = endGuests(host.uri, {
    print: (line) => lines.push(line),
    wait: async (_milliseconds, gone) => {
      await connection.domainDestroy({ domain });
      for await (const _event of events) break;
      if (!gone.aborted) await new Promise((resolve) => gone.addEventListener('abort', resolve, { once: true }));
    },
  });
  await ending;
  await endGuests(host.uri, { print: (line) => lines.push(line) });

  expect(lines).toHaveLength(1);
});

/** A guest without a system in it: it hears of nothing. */
function marked(name: string, seconds: string | undefined): string {
  const grace = `<k:graceperiod><k:deletionGracePeriodSeconds>${seconds}</k:deletionGracePeriodSeconds></k:graceperiod>`;
  const mark = `<k:kubevirt xmlns:k="http://kubevirt.io">${seconds === undefined ? '' : grace}</k:kubevirt>`;
  return biosDomainXml({ name }).replace('</name>', `</name><metadata>${mark}</metadata>`);
}
