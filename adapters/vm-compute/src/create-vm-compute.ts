import { randomUUID } from 'node:crypto';

import type { Compute } from '@smalt/compute';
import type { KubeClient } from '@smalt/kube';

import { VmEvacuations } from './evacuations/vm-evacuations.ts';
import { VmAggregates } from './groups/vm-aggregates.ts';
import { VmTraits } from './groups/vm-traits.ts';
import { HeartbeatListener } from './hosts/heartbeat-listener.ts';
import { VmHosts } from './hosts/vm-hosts.ts';
import { InstanceIds } from './instances/instance-ids.ts';
import { VmInstances } from './instances/vm-instances.ts';
import { VmMoves } from './moves/vm-moves.ts';
import type { ReadConsole } from './smoke-tests/read-console.ts';
import { VmSmokeTests } from './smoke-tests/vm-smoke-tests.ts';
import { VmApiAccess } from './vm-api-access.ts';
import { defaultVmComputeSettings, type VmComputeSettings } from './vm-compute-settings.ts';

export interface VmComputeOptions {
  readonly client: KubeClient;
  readonly settings?: VmComputeSettings | undefined;
  /** How consoles of test instances are read; without it they cannot be. */
  readonly readConsole?: ReadConsole | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Milliseconds by a clock that never jumps. */
  readonly monotonic?: (() => number) | undefined;
  readonly newId?: (() => string) | undefined;
}

/**
 * Smalt's own virtual machines as a compute system. Everything it knows is in the API, but for when it saw heartbeats change; the
 * client stays with its owner.
 */
export function createVmCompute(options: VmComputeOptions): Compute {
  const { client, settings = defaultVmComputeSettings, now = Date.now, newId = randomUUID } = options;
  const { heartbeatTimeoutMs, aggregates, smokeTest } = settings;
  const api = new VmApiAccess(client);
  const ids = new InstanceIds(api);
  const { isHeard, isUnwatched } = new HeartbeatListener(
    heartbeatTimeoutMs,
    options.monotonic ?? (() => performance.now()),
  );
  return {
    hosts: new VmHosts({ api, isHeard, isUnwatched, now }),
    instances: new VmInstances({ api, ids, isHeard }),
    moves: new VmMoves({ api, ids, now, newId }),
    evacuations: new VmEvacuations({ api, ids, now, newId }),
    aggregates: new VmAggregates({ api, names: aggregates, now }),
    traits: new VmTraits(api),
    smokeTests: new VmSmokeTests({ api, settings: smokeTest, readConsole: options.readConsole }),
  };
}
