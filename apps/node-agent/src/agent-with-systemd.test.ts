import { startTestDaemon } from '@smalt/bed-libvirt';
import { startSystemd } from '@smalt/bed-systemd';
import type { Hypervisor } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { startFleetBed } from './fixtures/fleet-bed.ts';

it('tells the units of the host, and connects whatever their state is', { timeout: 90_000 }, async () => {
  await using bed = await startFleetBed();
  await using machine = await startSystemd({
    units: { 'libvirtd.service': '[Service]\nExecStart=/bin/sleep infinity\n' },
  });
  await using daemon = await startTestDaemon();
  const libvirt = { kind: 'host', uri: daemon.uri } as const;
  const busPath = machine.busPath;
  await using _agent = await bed.startAgent({ nodeName: 'units', libvirt, busPath, register: true });

  const stopped = await bed.until('units', (hypervisor) => said(hypervisor, 'libvirtd.service') === 'False/Stopped');
  await bed.until('units', (hypervisor) => said(hypervisor, 'LibVirtConnection') === 'True/Connected');
  daemon.kill('SIGKILL');
  const away = await bed.until('units', (hypervisor) => said(hypervisor, 'LibVirtConnection') !== 'True/Connected');
  await machine.systemctl(['start', 'libvirtd.service']);
  await bed.until('units', (hypervisor) => said(hypervisor, 'libvirtd.service') === 'True/Running');
  const failing = await bed.until('units', (one) => said(one, 'LibVirtConnection') === 'False/ConnectFailed', 20_000);

  expect(said(stopped, 'virtqemud.service')).toBeUndefined();
  expect(away.status?.conditions).toContainEqual(
    expect.objectContaining({ reason: 'LibVirtServiceNotRunning', message: 'libvirtd service is not running' }),
  );
  expect(failing.status?.numInstances).toBe(1);
});

function said({ status }: Hypervisor, type: string): string | undefined {
  const found = status?.conditions?.find((condition) => condition.type === type);
  return found && `${found.status}/${found.reason}`;
}
