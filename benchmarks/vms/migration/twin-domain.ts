import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { BenchmarkError } from '../../src/benchmark-error.ts';
import { virsh } from '../cluster/host-programs.ts';
import type { VmNode } from '../cluster/vm-node.ts';

/** The name of the guest that virsh moves. */
export const TWIN = 'twin';
const ORIGINAL = 'default_mover';
const BOOT_TRIES = 240;
const LOOK_AGAIN_MS = 250;

/** Makes a second guest of the XML of ours, on the host that ours is on. */
export async function startTwin(
  folder: string,
  [here, there]: readonly [VmNode, VmNode],
  signal: AbortSignal,
): Promise<void> {
  const text = await virsh(here.host, [`dumpxml --inactive ${ORIGINAL}`], signal);
  const directory = join(here.inside, 'twin');
  for (const { host } of [here, there]) {
    await host.exec(['install', '--directory', '--owner=libvirt-qemu', '--group=kvm', '--mode=0750', directory]);
  }
  const uuid = /<uuid>(?<uuid>[^<]+)<\/uuid>/u.exec(text)?.groups?.['uuid'] ?? '';
  const twin = text
    .replace(/<metadata>[^]*<\/metadata>/u, '')
    .replace(`<name>${ORIGINAL}</name>`, `<name>${TWIN}</name>`)
    .replaceAll(uuid, randomUUID())
    .replace(/<mac address='[^']+'\/>/u, "<mac address='52:54:00:5a:17:02'/>")
    .replace(/<target dev='sm[^']+'\/>/u, '')
    .replaceAll('/mover.img', `/${TWIN}.img`)
    .replaceAll(/[^']*\/vh\/instances\/[^'/]+\/sockets\//gu, `${directory}/`);
  const file = join(folder, 'twin.xml');
  await writeFile(file, twin);
  await virsh(here.host, [`define ${file}`, `start ${TWIN}`], signal);
  await untilBooted(here, signal);
}

/** How long `virsh migrate --live` takes, in milliseconds. The guest is persistent there, as ours is. */
export async function moveTwin(from: VmNode, to: VmNode, signal: AbortSignal): Promise<number> {
  const began = performance.now();
  await virsh(from.host, [`migrate --live --persistent --undefinesource ${TWIN} ${to.host.uri}`], signal);
  const took = performance.now() - began;
  const running = await virsh(to.host, ['list --name --state-running'], signal);
  if (!running.split('\n').includes(TWIN))
    throw new BenchmarkError('unequal-work', 'the twin does not run where it went');
  return took;
}

async function untilBooted({ host }: VmNode, signal: AbortSignal): Promise<void> {
  const ping = `qemu-agent-command --timeout 1 ${TWIN} '{"execute":"guest-ping"}'`;
  for (let tried = 0; tried < BOOT_TRIES; tried++) {
    try {
      await virsh(host, [ping], signal);
      return;
    } catch (error) {
      if (signal.aborted) throw error;
      await delay(LOOK_AGAIN_MS, undefined, { signal });
    }
  }
  throw new BenchmarkError('unequal-work', 'the agent of the twin does not answer');
}
