import { apiBenchmark } from '../api/api-benchmark.ts';
import { consoleBenchmark } from '../console/console-benchmark.ts';
import { fleetBenchmark } from '../fleet/fleet-benchmark.ts';
import { haBenchmark } from '../ha/ha-benchmark.ts';
import { libvirtBenchmark } from '../libvirt/libvirt-benchmark.ts';
import { nodeAgentBenchmark } from '../node-agent/node-agent-benchmark.ts';
import { operatorBenchmark } from '../operator/operator-benchmark.ts';
import { ovsBenchmark } from '../ovs/ovs-benchmark.ts';
import { vmsBenchmark } from '../vms/vms-benchmark.ts';
import type { Benchmark } from './benchmark.ts';

/** Every benchmark there is, in the order of the list. */
export const benchmarks: readonly Benchmark[] = [
  libvirtBenchmark,
  apiBenchmark,
  nodeAgentBenchmark,
  operatorBenchmark,
  haBenchmark,
  ovsBenchmark,
  vmsBenchmark,
  consoleBenchmark,
  fleetBenchmark,
];
