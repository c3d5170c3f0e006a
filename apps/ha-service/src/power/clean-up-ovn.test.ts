import { startOvnCentral } from '@smalt/bed-ovs';
import { expect, it } from 'vitest';

import { runCleanUp } from './run-clean-up.ts';

const signal = AbortSignal.timeout(20_000);

it('takes the chassis of a dead host out of OVN, however often it is asked to', async () => {
  await using central = await startOvnCentral();
  await central.sbctl('chassis-add', 'node1', 'geneve', '192.0.2.1');
  await central.sbctl('chassis-add', 'node10', 'geneve', '192.0.2.10');

  const command = ['/usr/bin/ovn-sbctl', `--db=${central.unixRemote}`, '--if-exists', 'chassis-del', '{host}'];
  await runCleanUp({ name: 'ovn', command }, { name: 'node1', address: undefined, labels: {} }, signal);
  await runCleanUp({ name: 'ovn', command }, { name: 'node1', address: undefined, labels: {} }, signal);

  const names = await central.sbctl('--bare', '--columns=name', 'list', 'Chassis');
  expect(names.trim()).toBe('node10');
});
