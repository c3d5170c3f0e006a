import { join, relative } from 'node:path';

import { findHypervisor, hypervisors } from '@smalt/hypervisors';
import { HypervisorDriver } from '@smalt/vm-api';

import type { DriverTable } from './driver-settings.ts';

/** Where the libvirt of this node is, if it is not the operating system's own. */
export interface LocalLibvirt {
  /** The socket of its daemon. */
  readonly socketPath?: string | undefined;
  /** What is `/run/libvirt` to the daemon, as seen from here. */
  readonly runDirectory?: string | undefined;
}

const NAMED_ONLY: readonly string[] = [HypervisorDriver.test, HypervisorDriver.lxc];
const RUN_DIRECTORY = '/run/libvirt';

/**
 * All drivers with the libvirt of this node. Only if they are named: the mock, for it runs no guests, and what shields the
 * node's root from its guests too little to be there unasked. Throws `unknown-hypervisor`.
 */
export function localDrivers({ socketPath, runDirectory }: LocalLibvirt, names?: readonly string[]): DriverTable {
  const wanted = names ?? hypervisors.map(({ name }) => name).filter((name) => !NAMED_ONLY.includes(name));
  return Object.fromEntries(
    wanted.map((name) => {
      const { libvirt } = findHypervisor(name);
      const uri = socketPath === undefined ? libvirt.uri : localUri(libvirt.uri, socketPath);
      return [name, { uri, pidDirectory: seenFrom(runDirectory, libvirt.pidDirectory) }];
    }),
  );
}

function seenFrom(runDirectory: string | undefined, pidDirectory: string | undefined): string | undefined {
  if (runDirectory === undefined || pidDirectory === undefined) return pidDirectory;
  return join(runDirectory, relative(RUN_DIRECTORY, pidDirectory));
}

/** `qemu:///system` by another socket: `qemu+unix:///system?socket=…`. */
function localUri(uri: string, socketPath: string): string {
  return `${uri.replace(':', '+unix:')}?socket=${encodeURIComponent(socketPath)}`;
}
