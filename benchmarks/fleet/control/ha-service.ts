import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePorts, ServerProcess, type SmaltProgram } from '@smalt/bed-kubernetes';
import { makeAuthority } from '@smalt/bed-redfish';

import { tokensFileOf } from '../../ha/bench-agent.ts';
import { readMetricSum } from '../../operator/read-metric-sum.ts';
import { SYSTEM_NAMESPACE } from '../../vms/cluster/machine-accounts.ts';
import { smaltCommand } from '../../vms/cluster/smalt-program.ts';

const START_TIMEOUT_MS = 60_000;

/** The HA service of the fleet, and how agents reach it. */
export interface FleetHaService extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  /** Of which the token of each host is made. */
  readonly secret: string;
  readonly authorityFile: string;
}

export interface FleetHaOptions {
  readonly program: SmaltProgram;
  readonly folder: string;
  readonly kubeconfig: string;
  /** All that will ever report. */
  readonly hosts: readonly string[];
  readonly signal: AbortSignal;
}

/** Starts it on SQLite and resolves when it leads. It judges with the settings of a product that nobody has changed. */
export async function startFleetHaService(options: FleetHaOptions): Promise<FleetHaService> {
  const { program, folder, kubeconfig, hosts, signal } = options;
  await using owner = new AsyncDisposableStack();
  const authority = owner.use(await makeAuthority());
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const secret = randomUUID();
  const file = (name: string): string => join(folder, `ha-${name}`);
  await writeFile(file('tokens.yaml'), tokensFileOf(secret, hosts));
  await writeFile(file('tls.crt'), authority.certificate);
  await writeFile(file('tls.key'), authority.key, { mode: 0o600 });
  const config = {
    listen: `127.0.0.1:${port}`,
    observabilityListen: `127.0.0.1:${metricsPort}`,
    tls: { certificateFile: file('tls.crt'), keyFile: file('tls.key') },
    kubernetes: { kubeconfig, leaseNamespace: SYSTEM_NAMESPACE },
    store: { kind: 'sqlite', path: file('service.sqlite') },
    compute: { kind: 'virtual-machines' },
    sources: { push: { tokensFile: file('tokens.yaml') } },
    // Less is not allowed: a virt-handler is heard of once a minute.
    pace: { serviceDownMs: 150_000 },
    fencing: { levels: [{ name: 'person', driver: 'person' }] },
    log: { level: 'warn' },
  };
  await writeFile(file('config.yaml'), JSON.stringify(config));
  const command = smaltCommand(program, ['ha-service', '--config', file('config.yaml')]);
  const service = owner.use(ServerProcess.start('ha-service', command, file('service.log')));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  await service.whenReady(async () => (await readMetricSum(metricsPort, 'smalt_ha_leader')) === 1, deadline);
  const owned = owner.move();
  return {
    pid: service.pid,
    url: `https://127.0.0.1:${port}`,
    secret,
    authorityFile: authority.authorityFile,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
