import { chmod, mkdtempDisposable, stat, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startHost } from '@smalt/bed-libvirt';
import { findHypervisor } from '@smalt/hypervisors';
import { openSession } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { readHostCapabilities } from '../../hypervisor-sessions/read-host-capabilities.ts';
import { InstanceDirectories } from '../../sync/end/instance-directories.ts';
import { anInstance } from '../../sync/fixtures/an-instance.ts';
import { openConsole } from './open-console.ts';
import { openDisplay } from './open-display.ts';

const QEMU = { user: 'libvirt-qemu', group: 'kvm', dynamic_ownership: 1, stdio_handler: 'file' };

it('a guest whose process is not root has a console and a display, and leads to no socket of root', async () => {
  await using host = await startHost({ qemu: QEMU });
  await using session = openSession(host.uri);
  const signal = AbortSignal.timeout(60_000);
  const { guestAccount } = readHostCapabilities(await session.connectGetCapabilities({ signal }));
  const instance = anInstance({ phase: 'Running' });
  const owner = { nodeName: 'node-1', bootId: 'boot-1' };
  await using state = await mkdtempDisposable(join(tmpdir(), 'smalt-guest-account-'));
  await chmod(state.path, 0o711);
  const directory = await new InstanceDirectories(state.path, owner).prepare(instance, 'p', guestAccount);
  const domain = await session.domainCreateXml({ xml: domainIn(directory) });
  const running = { instance, hypervisor: findHypervisor('qemu'), session, domain };
  const vnc = join(directory, 'sockets/vnc');

  await using console = await openConsole(running, signal);
  await using display = await openDisplay(running, signal);
  const first = await firstOf(display.incoming);
  await console.write(Buffer.from('\n'));
  const { uid } = await stat(vnc);
  await unlink(vnc);
  await symlink('/run/libvirt/libvirt-sock', vnc);

  expect(first).toMatch(/^RFB 003/u);
  expect(uid).toBe(guestAccount?.userId);
  await expect(openDisplay(running, signal)).rejects.toMatchObject({ code: 'guest-failed' });
  expect((await stat(join(directory, 'serial.log'))).isFile()).toBe(true);
});

function domainIn(directory: string): string {
  return `<domain type='qemu'><name>default_guest</name><memory unit='MiB'>64</memory><os><type>hvm</type></os><devices>
    <serial type='unix'><source mode='bind' path='${directory}/sockets/serial'/><log file='${directory}/serial.log' append='on'/></serial>
    <graphics type='vnc'><listen type='socket' socket='${directory}/sockets/vnc'/></graphics>
  </devices></domain>`;
}

async function firstOf(incoming: AsyncIterable<Uint8Array | string>): Promise<string | undefined> {
  for await (const bytes of incoming) return Buffer.from(bytes).toString();
  return undefined;
}
