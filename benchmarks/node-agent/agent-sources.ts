import { join, resolve } from 'node:path';

import type { SmaltProgram } from '@smalt/bed-kubernetes';

import { BenchmarkError } from '../src/benchmark-error.ts';
import { buildGoPeer } from '../src/build-go-peer.ts';
import type { AgentName } from './agent-name.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const PROGRAMS: Readonly<Record<SmaltProgram, string>> = {
  sources: join(REPOSITORY, 'apps/smalt/src/main.ts'),
  bundle: join(REPOSITORY, '.cache/bundle/smalt.mjs'),
};
const GO_PEER = { name: 'kvm-node-agent', files: ['cmd/main.go', 'internal/libvirt/libvirt.go'] };

/** Where an agent runs and what it is to look at. */
interface AgentPlace {
  readonly nodeName: string;
  readonly kubeconfig: string;
  /** The socket of the daemon, or of the proxy in front of it. */
  readonly socketPath: string;
  readonly busPath: string;
  readonly stateDirectory: string;
}

/** An agent that can be started here, as a process of its own. */
export interface AgentSource {
  readonly name: AgentName;
  command(place: AgentPlace): readonly string[];
}

/** The agents at hand, and why one is not. */
export interface AgentSources {
  readonly sources: readonly AgentSource[];
  readonly notes: readonly string[];
}

/** Ours as it is installed, and the Go agent where there is a checkout of it and Go to build it with. */
export async function findAgents(signal: AbortSignal): Promise<AgentSources> {
  const ours = smaltAgent('bundle');
  try {
    const program = await buildGoPeer(GO_PEER, signal);
    return { sources: [ours, { name: 'go', command: (place) => goCommand(program, place) }], notes: [] };
  } catch (error) {
    if (!(error instanceof BenchmarkError)) throw error;
    return { sources: [ours], notes: [`the Go agent is left out: ${error.message}`] };
  }
}

/** Ours, from the sources or from the bundle. */
export function smaltAgent(program: SmaltProgram): AgentSource {
  return { name: 'smalt', command: (place) => smaltCommand(PROGRAMS[program], place) };
}

function smaltCommand(program: string, place: AgentPlace): readonly string[] {
  const flags = {
    '--node': place.nodeName,
    '--kubeconfig': place.kubeconfig,
    '--libvirt': `qemu+unix:///system?socket=${place.socketPath}`,
    '--state': place.stateDirectory,
    '--bus': place.busPath,
    '--listen': '127.0.0.1:0',
    '--certificates-directory': join(place.stateDirectory, 'pki'),
  };
  return [process.execPath, program, 'node-agent', ...Object.entries(flags).flat()];
}

function goCommand(program: string, place: AgentPlace): readonly string[] {
  const environment = {
    HOSTNAME: place.nodeName,
    KUBECONFIG: place.kubeconfig,
    NAMESPACE: 'default',
    LIBVIRT_SOCKET: place.socketPath,
    LIBVIRT_DEFAULT_URI: 'qemu:///system',
    DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${place.busPath}`,
  };
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return ['env', ...settings, program, '--health-probe-bind-address=0'];
}
