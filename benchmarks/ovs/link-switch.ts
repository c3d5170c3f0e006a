import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { OvsNode } from '@smalt/bed-ovs';
import { findDaemon, openUnixctl } from '@smalt/ovs';

import { BenchmarkError } from '../src/benchmark-error.ts';

/** Takes a device up and down without a program to be started for it, which would take longer than what is measured. */
export interface LinkSwitch extends AsyncDisposable {
  set(state: 'up' | 'down'): Promise<void>;
}

/** Opens one for a device of a node: by the kernel where it has real devices, else by ovs-vswitchd itself. */
export async function openLinkSwitch(node: OvsNode, device: string, signal: AbortSignal): Promise<LinkSwitch> {
  return node.network ? kernelSwitch(node.network.pid, device) : await dummySwitch(node, device, signal);
}

async function dummySwitch(node: OvsNode, device: string, signal: AbortSignal): Promise<LinkSwitch> {
  const daemon = await findDaemon({ name: 'ovs-vswitchd', directories: [node.runDirectory], proc: '/proc' }, signal);
  if (daemon.kind !== 'running') throw new BenchmarkError('peer-failed', 'ovs-vswitchd does not run');
  const unixctl = openUnixctl({ socket: daemon.socket });
  return {
    set: async (state) => {
      await unixctl.run('netdev-dummy/set-admin-state', [device, state], { signal });
    },
    [Symbol.asyncDispose]: () => unixctl[Symbol.asyncDispose](),
  };
}

function kernelSwitch(networkOf: number, device: string): LinkSwitch {
  const words = ['--target', String(networkOf), '--net', 'ip', '-batch', '-'];
  const child = spawn('nsenter', words, { stdio: ['pipe', 'ignore', 'inherit'] });
  const closed = once(child, 'close');
  return {
    // `ip` does what each line says as soon as it has read it.
    set: async (state) => {
      child.stdin.write(`link set ${device} ${state}\n`);
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await closed;
    },
  };
}
