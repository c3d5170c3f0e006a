import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openBedDirectory } from '@smalt/bed-libvirt';
import { runProgram } from '@smalt/libvirt-daemon';

import { isAuditKept } from '../keep-audit-log.ts';
import type { KubernetesPrograms } from '../kubernetes-programs.ts';
import { API_SERVICE_ADDRESS, AUDIT_POLICY, auditPolicyPath } from './commands.ts';
import type { ControlPlanePlace } from './control-plane-place.ts';
import { ControlPlane, type ControlPlaneAccess } from './control-plane.ts';
import { kubeconfigText, type Credentials } from './kubeconfig.ts';
import type { KubernetesOptions } from './kubernetes-options.ts';
import { makeKeys, type Keys } from './make-keys.ts';

const OWN_NAMES = [
  'DNS:localhost',
  'DNS:kubernetes',
  'DNS:kubernetes.default',
  'DNS:kubernetes.default.svc',
  'DNS:kubernetes.default.svc.cluster.local',
  'IP:127.0.0.1',
  `IP:${API_SERVICE_ADDRESS}`,
];

/** A control plane that runs, its keys, and what has to go with it. */
export interface StartedControlPlane extends AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly keys: Keys;
}

/** Starts a control plane in a place, in whose directory all of its files are. */
export async function startControlPlane(
  programs: KubernetesPrograms,
  place: ControlPlanePlace,
  wanted: KubernetesOptions,
  signal: AbortSignal,
): Promise<StartedControlPlane> {
  await using owner = new AsyncDisposableStack();
  const options = { ...wanted, audit: wanted.audit ?? isAuditKept() };
  const { directory, address, ports } = place;
  const keys = await makeKeys(directory, [...OWN_NAMES, ...(address === '127.0.0.1' ? [] : [`IP:${address}`])]);
  const parent = options.isDurable === false ? owner.use(await openBedDirectory(inMemory())).path : directory;
  const etcdDirectory = join(parent, 'etcd');
  if (options.data !== undefined) await cp(options.data, etcdDirectory, { recursive: true });
  await writeFile(auditPolicyPath(directory), AUDIT_POLICY);
  // Those who measure the server take it as it is, with what that costs.
  const isOldEtcd = options.controllers !== undefined && (await isOld(programs.etcd));
  const access = await writeAccess(directory, `https://${address}:${ports.apiserver}`, keys);
  const settings = { programs, place, keys, options, etcdDirectory, isOldEtcd };
  const controlPlane = owner.use(new ControlPlane(settings, access));
  await controlPlane.start(signal);
  const owned = owner.move();
  return { controlPlane, keys, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** What is there of owners that were killed is removed by the next one. */
function inMemory(): string {
  return `/dev/shm/smalt-etcd-${process.getuid?.() ?? 0}`;
}

/** Whether it is of before 3.4.25 or 3.5.8, the first ones that can be asked how far they are. */
async function isOld(etcd: string): Promise<boolean> {
  const said = await runProgram({ name: etcd, debianPackage: 'etcd-server' }, ['--version']);
  const [major = 0, minor = 0, patch = 0] = /\d+\.\d+\.\d+/.exec(said.toString())?.[0].split('.').map(Number) ?? [];
  if (major !== 3) return major < 3;
  return minor < 4 || (minor === 4 && patch < 25) || (minor === 5 && patch < 8);
}

async function writeAccess(directory: string, url: string, keys: Keys): Promise<ControlPlaneAccess> {
  const authority = await readFile(keys.authority);
  const write = async (name: string, credentials: Credentials): Promise<string> => {
    const path = join(directory, `${name}.kubeconfig`);
    await writeFile(path, kubeconfigText(url, authority, credentials), { mode: 0o600 });
    return path;
  };
  const [certificate, key] = await Promise.all([readFile(keys.admin.certificatePath), readFile(keys.admin.keyPath)]);
  return {
    url,
    token: keys.tokens.admin,
    authority,
    kubeconfig: await write('admin', { certificate, key }),
    controllerConfig: await write('controller-manager', { token: keys.tokens.controllerManager }),
    schedulerConfig: await write('scheduler', { token: keys.tokens.scheduler }),
  };
}
