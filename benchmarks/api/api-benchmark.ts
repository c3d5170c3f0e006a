import { KUBERNETES_VERSION } from '@smalt/bed-kubernetes';

import type { Benchmark, BenchmarkOptions, BenchmarkReport } from '../src/benchmark.ts';
import { machineFacts } from '../src/machine-facts.ts';
import { planApi, type ApiPlan } from './api-plan.ts';
import { serverSources, type ServerSource } from './api-servers.ts';
import { apiFigures, TARGETS } from './figures.ts';
import { measureServers } from './measure-servers.ts';
import { controllerTable, serverTable } from './tables.ts';

/** Our API server beside kube-apiserver with etcd, under the same load and with the same promise of durability. */
export const apiBenchmark: Benchmark = {
  name: 'api',
  summary: 'API servers: ours, kube-apiserver with etcd; and a controller on 10,000 objects',
  run: (options, signal) => runApiBenchmark(options, serverSources(), signal),
};

/** Runs the benchmark on the servers that are given, ours among them. */
export async function runApiBenchmark(
  options: BenchmarkOptions,
  sources: readonly ServerSource[],
  signal: AbortSignal,
): Promise<BenchmarkReport> {
  const plan = planApi(options.quick, options.rounds);
  const results = await measureServers(sources, { plan, progress: options.progress, signal });
  return {
    bench: 'api',
    facts: machineFacts(),
    tables: [serverTable(results, plan), controllerTable(results, plan)],
    notes: notesOf(sources, plan, options),
    figures: apiFigures(results),
    targets: TARGETS,
  };
}

function notesOf(sources: readonly ServerSource[], plan: ApiPlan, { quick }: BenchmarkOptions): readonly string[] {
  const hasKubernetes = sources.some(({ name }) => name === 'kube');
  return [
    ...(hasKubernetes
      ? [`kube-apiserver ${KUBERNETES_VERSION} with one etcd; both servers sync to disk before they answer a write`]
      : ['no kube-apiserver at hand: `npm run bed:kubernetes -- --build` builds it where Go and etcd are installed']),
    'TLS on loopback, a bearer token, HTTP/1.1; the load comes from a process of its own, one per server',
    `start counts from the first process to /readyz, ${plan.startRounds} rounds; memory is that of all processes, after ${plan.settleMs / 1000} s`,
    `watches are measured with one server at a time on the machine, ${plan.watchRounds} rounds; all else with the others idle beside it`,
    'objects are of a custom kind with defaults, a pattern, a keyed list and a rule, some 1.3 KiB each',
    'writes_ is the geometric mean of creates and status updates by 1 and by 16 clients',
    ...(quick ? ['quick run: smaller numbers of everything, and the spread is wider than in a full one'] : []),
  ];
}
