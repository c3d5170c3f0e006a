import type { Clock } from '@smalt/controller-runtime';
import { isJsonArray, isJsonObject, parseJson, type JsonObject } from '@smalt/json';
import { isLibvirtError, type Connection, type Domain } from '@smalt/libvirt';
import type { Ignore } from '@smalt/service-runtime';

export interface CutLooseDeps {
  readonly daemon: Pick<Connection, 'qemuDomainMonitorCommand'>;
  readonly domain: Domain;
  readonly clock: Clock;
  readonly ignore: Ignore;
  /** Called after each attempt, whatever came of it. */
  readonly onTried: () => void;
}

const AGAIN_MS = 2_000;
/** A QEMU that stands still does not answer. */
const PATIENCE_MS = 5_000;

/**
 * Ends the connections of a guest to a target that has vanished, until the signal fires. QEMU waits for the answers of the
 * target until TCP gives up, after a quarter of an hour; if the migration is given up before, with the whole guest standing
 * still.
 */
export async function cutLoose(deps: CutLooseDeps, signal: AbortSignal): Promise<void> {
  const { clock, ignore, onTried } = deps;
  while (!signal.aborted) {
    try {
      await cutOnce(deps, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isLibvirtError(error)) throw error;
      ignore(error, 'a hypervisor that cannot cut connections waits for them');
    } finally {
      onTried();
    }
    await clock.wait(AGAIN_MS, signal).catch(() => undefined);
  }
}

async function cutOnce({ daemon, domain }: CutLooseDeps, signal: AbortSignal): Promise<void> {
  const ask = (command: object): Promise<string> =>
    daemon.qemuDomainMonitorCommand({ domain, command: JSON.stringify(command) }, { signal, timeoutMs: PATIENCE_MS });
  const instances = connectionsToTarget(await ask({ execute: 'query-yank' }));
  if (instances.length > 0) await ask({ execute: 'yank', arguments: { instances } });
}

/** The connections that a migration has made, in QEMU's words. What else can be cut is libvirt's own hold on the guest. */
export function connectionsToTarget(answer: string): readonly JsonObject[] {
  const reply = parseJson(answer);
  const all = isJsonObject(reply) ? reply['return'] : undefined;
  if (all === undefined || !isJsonArray(all)) return [];
  return all.filter(isJsonObject).filter(({ type, 'node-name': name }) => {
    return type === 'migration' || (type === 'block-node' && typeof name === 'string' && name.startsWith('migration-'));
  });
}
