import type { BenchmarkReport } from '../src/benchmark.ts';
import { endText } from './end-text.ts';
import { fleetFigures } from './figures.ts';
import type { FleetPlan } from './fleet-plan.ts';
import type { FleetResult } from './fleet-result.ts';
import { fleetTables } from './tables.ts';

export interface FleetRun {
  readonly facts: readonly string[];
  readonly plan: FleetPlan;
  readonly results: readonly FleetResult[];
  /** Whether there is a kube-apiserver to measure. */
  readonly hasKubernetes: boolean;
  /** What went wrong around the servers, if anything did. */
  readonly trouble?: string | undefined;
}

/** All that a run found out, however far it came. */
export function fleetReport({ facts, plan, results, hasKubernetes, trouble }: FleetRun): BenchmarkReport {
  const ends = results.flatMap(({ server, end }) => (end === undefined ? [] : [endText(server, end)]));
  const notes = [
    ...ends,
    ...(trouble === undefined ? [] : [`FAILED: ${trouble}`]),
    ...(hasKubernetes ? [] : ['no kube-apiserver: npm run bed:kubernetes -- --build builds it']),
    ...methodOf(plan),
  ];
  return {
    bench: 'fleet',
    facts,
    tables: fleetTables(results.filter(({ samples }) => samples.length > 0)),
    notes,
    ...fleetFigures(results, plan.sizes),
    targets: {},
    hasFailed: trouble !== undefined || results.some(({ end }) => end?.kind === 'failed'),
  };
}

function methodOf({ sizes, hostsPerProcess, windowSeconds, restartsPerMinute }: FleetPlan): readonly string[] {
  const [small = 0, large = 0] = [sizes[0], sizes.at(-1)];
  return [
    'real: the server, virt-controller, scheduler, operator and HA service from the bundle, a process each; every host has a libvirtd with the mock hypervisor, and the code of node agent with HA agent, pod runner and virt-handler with all intervals as they come',
    `light: the agents of ${hostsPerProcess} hosts share a process and run from the sources; pods are recorded and have no processes; nothing of virt-api, OVS or a network`,
    `measured over ${windowSeconds} s, in which ${(restartsPerMinute * 100).toFixed(0)} % of all machines a minute are restarted, and one host is drained`,
    ...(small === large
      ? []
      : [
          `cost_growth_${small}_to_${large} is the processor time of server, controllers and agents with ${large} hosts over that with ${small}, in windows of the same length: ${(large / small).toFixed(1).replace('.0', '')} is linear`,
        ]),
    `rss_mb_${large}_hosts is the resident memory of the server and the controllers; that of agents is on their hosts`,
  ];
}
