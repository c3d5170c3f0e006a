import { setTimeout as delay } from 'node:timers/promises';

import { ask } from '../ask.ts';
import { BedKubernetesError } from '../error.ts';
import type { RunningApiServer } from '../running-api-server.ts';
import { DNS_DEPLOYMENT_PATH, dnsObjects } from './dns-objects.ts';

const CREATED = 201;
const TIMEOUT_MS = 120_000;
const LOOK_MS = 100;

interface DeploymentState {
  readonly status?: { readonly availableReplicas?: number };
}

/** Gives the cluster names: pods find each other by those of their Services once it resolves. */
export async function installDns(server: RunningApiServer, signal: AbortSignal): Promise<void> {
  for (const { path, object } of dnsObjects()) {
    const { status, body } = await ask(`${server.url}${path}`, server, JSON.stringify(object));
    if (status !== CREATED) throw new BedKubernetesError('not-ready', `DNS: ${path} answered ${status}: ${body}`);
  }
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  for (let state = await readState(server); !isAvailable(state); state = await readState(server)) {
    if (deadline.aborted) {
      const cause = deadline.reason;
      throw new BedKubernetesError('not-ready', `DNS was not ready in time: ${JSON.stringify(state)}`, { cause });
    }
    await delay(LOOK_MS);
  }
}

async function readState(server: RunningApiServer): Promise<DeploymentState> {
  const { body } = await ask(`${server.url}${DNS_DEPLOYMENT_PATH}`, server);
  return Object(JSON.parse(body));
}

function isAvailable({ status }: DeploymentState): boolean {
  return (status?.availableReplicas ?? 0) > 0;
}
