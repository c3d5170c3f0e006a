import { biosDomainXml, startTestDaemon } from '@smalt/bed-libvirt';
import { systemClock } from '@smalt/controller-runtime';
import { connect } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { GuestWatch } from './guest-watch.ts';

const metrics = { observeRefresh: () => undefined, countFailure: () => undefined, countReconnect: () => undefined };

it('knows the devices of all guests, running or not', async () => {
  await using daemon = await startTestDaemon();
  await using connection = await connect(daemon.uri);
  const device = `<interface type='bridge'><source bridge='br-int'/><target dev='tap-vm1'/></interface>`;
  const xml = biosDomainXml({ name: 'plugged' }).replace('</devices>', `${device}</devices>`);
  await connection.domainDefineXml({ xml: xml.replace(/type=(["'])[a-z]+\1/, "type='test'") });
  await using watch = run(new GuestWatch({ pollMs: 30_000, uri: daemon.uri, clock: systemClock, metrics }));

  await expect.poll(() => watch.guests.answer.kind, { timeout: 10_000 }).toBe('known');

  expect(watch.guests.answer).toMatchObject({ value: new Set(['testnet0', 'tap-vm1']) });
});

it('says why libvirt could not be asked', async () => {
  const uri = 'qemu+unix:///system?socket=/nowhere/libvirt.sock';
  await using watch = run(new GuestWatch({ pollMs: 30_000, uri, clock: systemClock, metrics }));
  const asked = Promise.withResolvers<void>();
  watch.guests.onChange(() => asked.resolve());

  await asked.promise;

  expect(watch.guests.answer).toMatchObject({ kind: 'unknown', why: expect.stringContaining('/nowhere/libvirt.sock') });
});

function run(guests: GuestWatch) {
  const stop = new AbortController();
  const running = guests.run(stop.signal);
  const dispose = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  return { guests, [Symbol.asyncDispose]: dispose };
}
