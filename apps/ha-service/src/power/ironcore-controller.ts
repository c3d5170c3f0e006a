import { BmcError, isBmcError, type PowerController, type PowerReading } from '@smalt/bmc';
import { isAlreadyExists, isNotFound, type KubeClient } from '@smalt/kube';

import { decideIronCorePower, type IronCoreView } from './decide-ironcore-power.ts';
import {
  maintenanceKind,
  maintenanceName,
  OPERATION_ANNOTATION,
  REASON_ANNOTATION,
  serverKind,
  type Server,
  type ServerMaintenance,
} from './ironcore-kinds.ts';
import type { IronCoreLevel } from './power-settings.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * The power switch of a host whose Server object IronCore's metal-operator looks after: no password is needed here. It
 * tells what that operator saw last, which is a word less certain than that of the management controller itself.
 */
export function createIronCoreController(kube: Pick<KubeClient, 'resource'>, level: IronCoreLevel): PowerController {
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
    powerOff: (signal) => within(signal, (inner) => orderOff(kube, level, inner)),
    powerOn: (signal) => within(signal, (inner) => takeBack(kube, level, inner)),
  };
}

function readingOf(view: IronCoreView, level: IronCoreLevel, method: string): PowerReading {
  const { state, message } = decideIronCorePower(view, level);
  return { state, method: message === undefined ? method : `${method}: ${message}` };
}

async function look(
  kube: Pick<KubeClient, 'resource'>,
  level: IronCoreLevel,
  signal: AbortSignal,
): Promise<IronCoreView> {
  const server = await getServer(kube, level, signal);
  if (level.order === 'park') return { server, maintenance: undefined };
  return { server, maintenance: await findMaintenance(kube, level, signal) };
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

async function orderOff(kube: Pick<KubeClient, 'resource'>, level: IronCoreLevel, signal: AbortSignal): Promise<void> {
  await getServer(kube, level, signal);
  if (level.order === 'park') {
    const metadata = { annotations: { [OPERATION_ANNOTATION]: 'park' } };
    await kube.resource(serverKind).patch(level.server, 'merge', { metadata }, { signal });
    return;
  }
  await createMaintenance(kube, level, signal);
}

/** One maintenance for a server, whoever was killed between asking for it and hearing of it. */
async function createMaintenance(
  kube: Pick<KubeClient, 'resource'>,
  level: IronCoreLevel,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, server } = level;
  const metadata = { name: maintenanceName(level), namespace, annotations: { [REASON_ANNOTATION]: 'host is down' } };
  const spec = { policy: 'Enforced', serverRef: { name: server }, serverPower: 'Off' } as const;
  try {
    await kube.resource(maintenanceKind).create({ metadata, spec }, { namespace, signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const found = await findMaintenance(kube, level, signal);
    const isOurs = found?.spec?.serverRef?.name === server && found.spec.serverPower === 'Off';
    if (isOurs && found.metadata.deletionTimestamp === undefined) return;
    const what = `ServerMaintenance ${namespace}/${maintenanceName(level)}`;
    throw new BmcError('refused', `${what} is there and says something else, or is being deleted: delete it`);
  }
}

async function takeBack(kube: Pick<KubeClient, 'resource'>, level: IronCoreLevel, signal: AbortSignal): Promise<void> {
  if (level.order === 'park') {
    const metadata = { annotations: { [OPERATION_ANNOTATION]: 'unpark' } };
    await kube.resource(serverKind).patch(level.server, 'merge', { metadata }, { signal });
    return;
  }
  const found = await findMaintenance(kube, level, signal);
  if (found === undefined) return;
  const { namespace } = level;
  await kube.resource(maintenanceKind).delete(maintenanceName(level), { namespace, uid: found.metadata.uid, signal });
}

async function findMaintenance(
  kube: Pick<KubeClient, 'resource'>,
  level: IronCoreLevel,
  signal: AbortSignal,
): Promise<ServerMaintenance | undefined> {
  const { namespace } = level;
  try {
    return await kube.resource(maintenanceKind).get(maintenanceName(level), { namespace, signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
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
