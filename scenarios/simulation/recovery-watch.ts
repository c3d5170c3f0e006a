import { isOver } from '@smalt/failure-detection';

import { isCovered } from './check-end.ts';
import { hostPath, hostPaths, servicePath, servicePaths } from './network.ts';
import { recoveryBoundMs } from './recovery-bound.ts';
import type { ActingReplica } from './acting-replica.ts';
import { isAwake, type SimulatedHost } from './simulated-host.ts';
import { isOpen } from './simulated-nova.ts';
import type { Stage } from './stage.ts';

/** A host without power, and since when nothing has stood in the way of its recovery. */
interface Death {
  readonly servers: number;
  clearSince: number | undefined;
  isTold: boolean;
}

/** A host that has lost its power is recovered within its bound, whenever nothing stands in the way for that long. */
export class RecoveryWatch {
  readonly #stage: Stage;
  readonly #deaths = new Map<string, Death>();
  /** How many were recovered with nothing in the way from death to end. */
  inTime = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  look(): void {
    for (const host of this.#stage.world.hosts) {
      const isLost = !host.isPowered && this.#stage.nova.hasRelevant(host.name);
      if (isLost) this.#follow(host);
      else this.#settle(host);
    }
  }

  #settle(host: SimulatedHost): void {
    const death = this.#deaths.get(host.name);
    if (death?.clearSince !== undefined && !death.isTold && !host.isPowered) this.inTime += 1;
    this.#deaths.delete(host.name);
  }

  #follow(host: SimulatedHost): void {
    const { scheduler, nova, story, soundSettings } = this.#stage;
    let death = this.#deaths.get(host.name);
    if (death === undefined) {
      death = { servers: nova.relevantOn(host.name).length, clearSince: undefined, isTold: false };
      this.#deaths.set(host.name, death);
    }
    const obstacle = obstacleTo(this.#stage, host);
    if (obstacle !== undefined) {
      death.clearSince = undefined;
      return;
    }
    death.clearSince ??= scheduler.now;
    const boundMs = recoveryBoundMs(soundSettings, death.servers);
    if (scheduler.now - death.clearSince <= boundMs || death.isTold) return;
    death.isTold = true;
    story.violate(`${host.name} has no power, nothing stands in the way, and it is not recovered in ${boundMs} ms`);
  }
}

/** Why a host cannot be expected to be recovered now; undefined when it can. */
function obstacleTo(stage: Stage, host: SimulatedHost): string | undefined {
  return (
    ofService(stage) ?? ofHost(stage, host) ?? ofIncident(stage, host) ?? ofOthers(stage, host) ?? ofRoom(stage, host)
  );
}

function ofService(stage: Stage): string | undefined {
  const { kubernetes, nova, storeServer, scheduler, pause, replicas, lease, world } = stage;
  const { brakes } = stage.soundSettings.detection;
  if (kubernetes.isDown || nova.isDown || storeServer.isDown) return 'a server is down';
  if (nova.listDelayMs > 1_000 || storeServer.delayMs > 100 || nova.awayHosts.size > 0) return 'a server is slow';
  if (scheduler.now < storeServer.youngUntil) return 'the clock of the store was set';
  if (pause !== undefined) return 'all is paused';
  const leader = replicas.find(({ process }) => process !== undefined && process.name === lease.holder);
  if (leader?.isLeading !== true || leader.process?.isRunning !== true) return 'nobody leads';
  if (scheduler.now - Math.max(leader.leadsSince, leader.wokeAt ?? 0) < brakes.warmUpMs) return 'it warms up';
  const blindAt = Math.max(leader.knowledge.look?.blindAt ?? scheduler.now, leader.watch?.staleAt ?? 0);
  if (scheduler.now - blindAt < brakes.sightMs + stage.soundSettings.refreshIntervalMs) return 'it was blind';
  if (isCut(leader, world.network) || leader.watch?.isStale === true) return 'it is cut off';
  return undefined;
}

function isCut({ name }: ActingReplica, network: Stage['world']['network']): boolean {
  return servicePaths.some((path) => !network.isWhole(servicePath(name, path)));
}

function ofHost(stage: Stage, host: SimulatedHost): string | undefined {
  const { kubernetes, store, world, soundSettings } = stage;
  const { maintenance, isHighlyAvailable, isOnboarded } = kubernetes.object(host.name);
  const isMute = host.sharesPower && !host.hasMains;
  const isFenceable = (host.bmc === 'honest' || host.bmc === 'slow') && !isMute;
  if (!isFenceable || !world.network.isWhole(hostPath(host.name, 'bmc'))) return 'its BMC does not work';
  if (maintenance !== '' && maintenance !== 'ha') return 'it is in maintenance';
  if (!isHighlyAvailable || !isOnboarded || stage.switchedOffAt.has(host.name)) return 'it is switched off';
  if (stage.kdumps.has(host.name)) return 'it writes a kernel dump';
  const held = store.hosts.get(host.name)?.heldBy;
  if (held !== undefined && store.incidents.get(held)?.closedAt !== undefined) return 'it is held';
  const isPlain = isCovered(stage, host) && soundSettings.policy.segments.at(-1)?.method === 'auto';
  return isPlain ? undefined : 'its segment is another matter';
}

function ofIncident({ store, nova, world }: Stage, host: SimulatedHost): string | undefined {
  const own = [...store.incidents.values()].findLast((each) => each.host === host.name);
  if (own !== undefined && !isOver(own) && own.wait?.needsPerson === true) return 'it waits for a person';
  const records = nova.evacuations.filter((each) => each.source === host.name && isOpen(each));
  const isStuck = records.some(({ target }) => {
    const place = target === undefined ? undefined : world.host(target);
    return place !== undefined && (!isAwake(place) || !place.isComputeRunning);
  });
  return isStuck ? 'the target of an evacuation is dead too' : undefined;
}

function ofOthers(stage: Stage, host: SimulatedHost): string | undefined {
  const { world, kubernetes, store } = stage;
  const { brakes } = stage.soundSettings.detection;
  const others = world.hosts.filter((each) => each !== host);
  const unwell = others.filter((each) => {
    if (kubernetes.object(each.name).maintenance !== '' || store.hosts.get(each.name)?.heldBy !== undefined)
      return false;
    return !isWell(stage, each);
  });
  if (unwell.length === others.length) return 'nobody else is there';
  const most = Math.min(
    brakes.maximumMissing,
    Math.max(1, Math.floor(world.hosts.length * brakes.maximumMissingShare)),
  );
  if (unwell.length + 1 > most) return 'others are missing';
  const open = [...store.incidents.values()].filter((each) => !isOver(each) && each.host !== host.name);
  const inRack = open.filter((each) => world.host(each.host).rack === host.rack);
  const isTurn = open.length < brakes.maximumOpen && inRack.length < brakes.maximumOpenPerDomain;
  if (!isTurn) return 'others come first';
  // Two that die at once take turns; the second has its time when the first is over.
  return unwell.length > 0 ? 'another is not well' : undefined;
}

function isWell({ world, scheduler }: Stage, host: SimulatedHost): boolean {
  const isWhole = hostPaths.every((path) => world.network.isWhole(hostPath(host.name, path)));
  return (
    isAwake(host) && host.isAgentRunning && host.isComputeRunning && isWhole && scheduler.now - host.bootedAt > 90_000
  );
}

function ofRoom({ nova }: Stage, host: SimulatedHost): string | undefined {
  const left = nova.relevantOn(host.name).filter(({ id }) => nova.openEvacuation(id) === undefined);
  const wantedMiB = left.reduce((sum, { memoryMiB }) => sum + memoryMiB, 0);
  const [server] = left;
  if (server === undefined) return undefined;
  const isRoom = nova.targetsFor(server).some((target) => nova.freeMiB(target.host) >= wantedMiB);
  return isRoom ? undefined : 'there is no room';
}
