import { join, resolve } from 'node:path';

import type { SmaltProgram } from '@smalt/bed-kubernetes';

import { BenchmarkError } from '../src/benchmark-error.ts';
import { buildGoPeer } from '../src/build-go-peer.ts';
import type { OperatorName } from './operator-name.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const PROGRAMS: Readonly<Record<SmaltProgram, string>> = {
  sources: join(REPOSITORY, 'apps/smalt/src/main.ts'),
  bundle: join(REPOSITORY, '.cache/bundle/smalt.mjs'),
};
const GO_PEER = {
  name: 'openstack-hypervisor-operator',
  files: ['cmd/main.go', 'internal/controller/onboarding_controller.go'],
};

/** What an operator is to work with. */
interface OperatorPlace {
  readonly kubeconfig: string;
  /** OS_AUTH_URL and so on. */
  readonly environment: Readonly<Record<string, string>>;
  readonly metricsPort: number;
  /** How many servers may leave a host at a time; left out: what is so by default. */
  readonly moveLimit?: number | undefined;
}

/** An operator that can be started here, as a process of its own. */
export interface OperatorSource {
  readonly name: OperatorName;
  command(place: OperatorPlace): readonly string[];
}

/** The operators at hand, and why one is not. */
export interface OperatorSources {
  readonly ours: OperatorSource;
  readonly peer: OperatorSource | undefined;
  readonly notes: readonly string[];
}

/** Ours as it is installed, and the Go operator where there is a checkout of it and Go to build it with. */
export async function findOperators(signal: AbortSignal): Promise<OperatorSources> {
  const ours = smaltOperator('bundle');
  try {
    const program = await buildGoPeer(GO_PEER, signal);
    return { ours, peer: { name: 'go', command: (place) => goCommand(program, place) }, notes: [] };
  } catch (error) {
    if (!(error instanceof BenchmarkError)) throw error;
    return { ours, peer: undefined, notes: [`the Go operator is left out: ${error.message}`] };
  }
}

/** Ours, from the sources or from the bundle. */
export function smaltOperator(program: SmaltProgram): OperatorSource {
  return { name: 'smalt', command: (place) => smaltCommand(PROGRAMS[program], place) };
}

function smaltCommand(program: string, place: OperatorPlace): readonly string[] {
  const flags = {
    '--kubeconfig': place.kubeconfig,
    '--agent-namespaces': 'nova',
    '--metrics-bind-address': `127.0.0.1:${place.metricsPort}`,
    '--health-probe-bind-address': '0',
    '--hypervisor-new-hypervisor-high-availability': 'false',
    ...(place.moveLimit !== undefined && { '--eviction-limits-per-host': String(place.moveLimit) }),
  };
  const words = Object.entries(flags).map(([name, value]) => `${name}=${value}`);
  return ['env', ...settings(place.environment), process.execPath, program, 'operator', ...words];
}

function goCommand(program: string, place: OperatorPlace): readonly string[] {
  const flags = {
    '--agent-namespaces': 'nova',
    '--metrics-bind-address': `127.0.0.1:${place.metricsPort}`,
    '--metrics-secure': 'false',
    '--health-probe-bind-address': '0',
  };
  const words = Object.entries(flags).map(([name, value]) => `${name}=${value}`);
  return ['env', ...settings({ ...place.environment, KUBECONFIG: place.kubeconfig }), program, ...words];
}

function settings(environment: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`);
}
