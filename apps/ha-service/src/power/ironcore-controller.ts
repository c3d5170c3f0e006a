import { BmcError, isBmcError, type PowerController, type PowerReading } from '@smalt/bmc';
import { isNotFound, type KubeClient } from '@smalt/kube';
import { parseLabelSelector } from '@smalt/kubernetes';

import { decideIronCorePower, type IronCoreView } from './decide-ironcore-power.ts';
import {
  maintenanceKind,
  newMaintenance,
  OPERATION_ANNOTATION,
  ORDER_ANNOTATION,
  serverKind,
  SERVICE_LABELS,
  type Server,
  type ServerMaintenance,
} from './ironcore-kinds.ts';
import type { IronCoreLevel } from './power-settings.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * The power switch of a host whose Server object IronCore's metal-operator looks after: no password is needed here. It
 * tells what that operator saw last, which is a word less certain than that of the management controller itself.
 */
export function createIronCoreController(
  kube: Pick<KubeClient, 'resource'>,
  level: IronCoreLevel,
  newId: () => string,
): PowerController {
  const { server, timeoutMs = DEFAULT_TIMEOUT_MS } = level;
  const method = `ironcore ${server}`;
  const within = async <T>(signal: AbortSignal, work: (inner: AbortSignal) => Promise<T>): Promise<T> => {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      return await work(AbortSignal.any([signal, deadline]));
    } catch (error) {
      if (signal.aborted) throw new BmcError('aborted', `${method}: the caller gave up`, { cause: error });
      if (deadline.aborted) throw new BmcError('timeout', `${method}: not within ${timeoutMs} ms`, { cause: error });
      throw explained(error, method);
    }
  };
  return {
    method,
    readPower: (signal) => within(signal, async (inner) => readingOf(await look(kube, level, inner), level, method)),
    powerOff: (signal) => within(signal, (inner) => orderOff(kube, level, newId(), inner)),
    powerOn: (signal) => within(signal, (inner) => takeBack(kube, level, inner)),
  };
}

function readingOf(view: IronCoreView, level: IronCoreLevel, method: string): PowerReading {
  const { state, message } = decideIronCorePower(view, level);
  return { state, method, ...(message !== undefined && { message }) };
}

async function look(
  kube: Pick<KubeClient, 'resource'>,
  level: IronCoreLevel,
  signal: AbortSignal,
): Promise<IronCoreView> {
  const server = await getServer(kube, level, signal);
  if (level.order === 'park') return { server, maintenances: [] };
  return { server, maintenances: await listMaintenances(kube, level, signal) };
}

async function getServer(
  kube: Pick<KubeClient, 'resource'>,
  level: IronCoreLevel,
  signal: AbortSignal,
): Promise<Server> {
  const server = await kube.resource(serverKind).get(level.server, { signal });
  const { systemUUID = '' } = server.spec ?? {};
  const isRight = level.systemUuid === undefined || systemUUID.toLowerCase() === level.systemUuid.toLowerCase();
  if (isRight) return server;
  const what = `the Server ${level.server} has the UUID ${systemUUID}, not ${level.systemUuid}`;
  throw new BmcError('no-such-system', `${what}: check server and systemUuid`);
}

async function orderOff(
  kube: Pick<KubeClient, 'resource'>,
  level: IronCoreLevel,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const server = await getServer(kube, level, signal);
  if (level.order === 'park') return await park(kube, server, id, signal);
  const { namespace } = level;
  // One of an earlier order proves nothing: the host may have been powered on since behind the operator's back.
  await deleteMaintenances(kube, level, signal);
  await kube.resource(maintenanceKind).create(newMaintenance(level, id), { namespace, signal });
}

async function park(
  kube: Pick<KubeClient, 'resource'>,
  { metadata: { name }, status }: Server,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const isParked = status?.state === 'Parked';
  // The operator does nothing about one that is parked, so what it says of its power may be old: no order of ours is behind it.
  const annotations = isParked
    ? { [ORDER_ANNOTATION]: null }
    : { [ORDER_ANNOTATION]: id, [OPERATION_ANNOTATION]: 'park' };
  await kube.resource(serverKind).patch(name, 'merge', { metadata: { annotations } }, { signal });
  if (isParked)
    throw new BmcError('refused', `the Server ${name} is parked already: unpark it, or confirm that it is off`);
}

async function takeBack(kube: Pick<KubeClient, 'resource'>, level: IronCoreLevel, signal: AbortSignal): Promise<void> {
  if (level.order !== 'park') return await deleteMaintenances(kube, level, signal);
  const server = await getServer(kube, level, signal);
  // Somebody else may have parked it, for a reason of his own.
  if (server.metadata.annotations?.[ORDER_ANNOTATION] === undefined) return;
  const metadata = { annotations: { [ORDER_ANNOTATION]: null, [OPERATION_ANNOTATION]: 'unpark' } };
  await kube.resource(serverKind).patch(level.server, 'merge', { metadata }, { signal });
}

async function deleteMaintenances(
  kube: Pick<KubeClient, 'resource'>,
  level: IronCoreLevel,
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = level;
  for (const { metadata } of await listMaintenances(kube, level, signal)) {
    try {
      await kube.resource(maintenanceKind).delete(metadata.name, { namespace, uid: metadata.uid, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** Ours for this server. The label of the server may be cut, so what counts is whom it refers to. */
async function listMaintenances(
  kube: Pick<KubeClient, 'resource'>,
  { namespace, server }: IronCoreLevel,
  signal: AbortSignal,
): Promise<readonly ServerMaintenance[]> {
  const labels = Object.entries(SERVICE_LABELS).map(([label, value]) => `${label}=${value}`);
  const labelSelector = parseLabelSelector(labels.join(','));
  const { items } = await kube.resource(maintenanceKind).list({ namespace, labelSelector, signal });
  return items.filter(({ spec }) => spec?.serverRef?.name === server);
}

function explained(error: unknown, method: string): BmcError {
  if (isBmcError(error)) return error;
  const words = error instanceof Error ? error.message : String(error);
  if (isNotFound(error)) {
    const next = 'check server, and whether metal.ironcore.dev is served';
    return new BmcError('no-such-system', `${method}: ${words}: ${next}`, { cause: error });
  }
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const isUnauthorized = code === 'forbidden' || code === 'unauthorized';
  const isLost = code === 'connection' || code === 'timeout';
  const kind = isUnauthorized ? 'unauthorized' : isLost ? 'unreachable' : 'refused';
  return new BmcError(kind, `${method}: ${words}`, { cause: error });
}
