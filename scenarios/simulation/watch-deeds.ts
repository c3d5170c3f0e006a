import { isCovered } from './check-end.ts';
import { deadGroups, lastKnownSign, livingGroups } from './known-signs.ts';
import type { SeenLook } from './knowledge.ts';
import type { ActingReplica } from './acting-replica.ts';
import type { SimulatedHost } from './simulated-host.ts';
import type { Stage } from './stage.ts';

/** An order is given within this time after it was decided, or not at all. */
const ACT_WITHIN_MS = 5_000;
/** How much younger than in truth a sign may seem that comes by a slow answer. */
const ANSWER_MS = 30_000;
/** How much older than in truth the last sign of a host may seem: the compute system calls it up for a while after. */
const SIGN_AGE_MS = 180_000;
const HANDS_OFF: readonly string[] = ['manual', 'auto', 'termination'];

type Complain = (rule: string) => void;

/** The rules of fencing once more, from what is so and was known, and not from what was decided. */
export function watchPowerOff(stage: Stage, replica: ActingReplica, host: SimulatedHost, method: string): void {
  stage.story.tell(`${replica.process?.name} orders ${method} to power ${host.name} off`);
  const complain = (rule: string) => stage.story.violate(`${host.name} is fenced ${rule}`);
  watchLead(stage, replica, complain);
  const incident = [...stage.store.incidents.values()].find(
    (each) => each.host === host.name && each.closedAt === undefined,
  );
  if (incident === undefined || incident.fences.length === 0) complain('without a record of that');
  const decision = replica.knowledge.decisionOn(host.name);
  if (decision?.look === undefined) return complain('by a service that has not looked');
  const lateMs = stage.scheduler.now - decision.at;
  if (lateMs > ACT_WITHIN_MS) complain(`by a decision that is ${lateMs} ms old`);
  watchSigns(stage, host, decision.look, complain);
  watchObject(stage, host, { look: decision.look, markedAt: replica.knowledge.markedAt(host.name) }, complain);
  watchHost(stage, host, decision.look, complain);
  watchService(stage, replica, decision.look, complain);
  watchMissing(stage, host, decision.look, complain);
}

function watchSigns(stage: Stage, host: SimulatedHost, look: SeenLook, complain: Complain): void {
  const dead = deadGroups(stage, host, look);
  if (dead.length < 2) complain(`by ${dead.length} signals: ${dead.join(', ')}`);
  const living = livingGroups(stage, host, look);
  if (living.length > 0) complain(`though it showed life by ${living.join(', ')}`);
}

interface ObjectKnowledge {
  readonly look: SeenLook;
  readonly markedAt: number;
}

/** What its Hypervisor object said when the leader last saw it. */
function watchObject(stage: Stage, host: SimulatedHost, { look, markedAt }: ObjectKnowledge, complain: Complain): void {
  const { maintenance, isHighlyAvailable, isOnboarded, changedAt } = stage.kubernetes.object(host.name);
  if (HANDS_OFF.includes(maintenance) && changedAt.maintenance <= Math.max(look.pictureAt, markedAt)) {
    complain(`in maintenance: ${maintenance}`);
  }
  if (!isHighlyAvailable && changedAt.isHighlyAvailable <= look.pictureAt)
    complain('though it is not highly available');
  if (!isOnboarded && changedAt.isOnboarded <= look.pictureAt) complain('though it is not onboarded');
}

/** What else speaks for leaving a host alone. */
function watchHost(stage: Stage, host: SimulatedHost, look: SeenLook, complain: Complain): void {
  const { store, nova, kdumps, switchedOffAt } = stage;
  if (!isCovered(stage, host)) complain('though the policy leaves it alone');
  const held = store.hosts.get(host.name)?.heldBy;
  const heldBy = held === undefined ? undefined : store.incidents.get(held);
  if (heldBy?.closedAt !== undefined) complain(`though it is held after ${heldBy.id}`);
  const offAt = switchedOffAt.get(host.name);
  if (offAt !== undefined && offAt <= look.storeReadAt) complain('though it was switched off');
  const dump = kdumps.get(host.name);
  if (dump !== undefined && dump.since <= look.at && look.at < dump.until) complain('while it writes a kernel dump');
  const factsReadAt = look.factsReadAt.get(host.name);
  if (factsReadAt === undefined) return complain('though nobody knew whether it has instances');
  if (!nova.hasRelevant(host.name) && factsReadAt > nova.changedAt(host.name)) complain('though it has no instances');
}

/** What the service knew of itself. */
function watchService(stage: Stage, replica: ActingReplica, look: SeenLook, complain: Complain): void {
  const { brakes } = stage.soundSettings.detection;
  const { pause } = stage;
  if (pause !== undefined && pause.since <= look.storeReadAt) {
    complain(pause.isDryRun ? 'while this is a dry run' : 'while all is paused');
  }
  const wokeAt = replica.wokeAt ?? Number.NEGATIVE_INFINITY;
  const warmForMs = look.at - Math.max(replica.leadsSince, wokeAt <= look.at ? wokeAt : Number.NEGATIVE_INFINITY);
  if (warmForMs < brakes.warmUpMs) complain(`by a service that has watched for ${warmForMs} ms`);
  const seesForMs = look.at - look.blindAt;
  if (seesForMs < brakes.sightMs) complain(`by a service that was blind ${seesForMs} ms ago`);
}

function watchMissing(stage: Stage, fenced: SimulatedHost, look: SeenLook, complain: Complain): void {
  const { brakes } = stage.soundSettings.detection;
  const { hosts } = stage.world;
  const lostAt = lastKnownSign(stage, fenced, look);
  const windowMs = brakes.missingWindowMs - SIGN_AGE_MS;
  const missing = hosts.filter((host) => {
    if (!isLookedAfter(stage, host, look) || isExplained(stage, host, look)) return false;
    if (Math.abs(lastKnownSign(stage, host, look) - lostAt) > windowMs) return false;
    return livingGroups(stage, host, look, ANSWER_MS).length === 0;
  }).length;
  const share = Math.max(1, Math.floor(hosts.length * brakes.maximumMissingShare));
  const most = Math.min(brakes.maximumMissing, share);
  if (missing > most) complain(`while ${missing} hosts are missing and ${most} may be`);
}

/** Whether it is one of those that are recovered at all, and was when the leader last looked. */
function isLookedAfter(stage: Stage, host: SimulatedHost, look: SeenLook): boolean {
  const { isOnboarded, isHighlyAvailable, changedAt } = stage.kubernetes.object(host.name);
  const isListed = !stage.nova.awayHosts.has(host.name) && stage.nova.foundAt(host.name) <= look.computeReadAt;
  // What was given back a moment ago may still have left it alone.
  const isSettled = Math.max(changedAt.isOnboarded, changedAt.isHighlyAvailable) <= look.pictureAt;
  const isSwitchedOff = stage.switchedOffAt.has(host.name);
  return isListed && isSettled && isOnboarded && isHighlyAvailable && !isSwitchedOff && isCovered(stage, host);
}

/** Somebody took it away, or it was proved to be off: that it was marked, told to power off, or a person called, is no reason. */
function isExplained(stage: Stage, host: SimulatedHost, look: SeenLook): boolean {
  const { maintenance, changedAt } = stage.kubernetes.object(host.name);
  if (HANDS_OFF.includes(maintenance) || changedAt.maintenance > look.pictureAt) return true;
  const held = stage.store.hosts.get(host.name)?.heldBy;
  return [...stage.store.incidents.values()].some(({ id, host: name, closedAt, proof }) => {
    if (name !== host.name) return false;
    return closedAt === undefined ? proof !== undefined : id === held;
  });
}

/** Nobody asks for a machine to be rebuilt that runs, or without the lead, or where it may not go. */
export function watchEvacuation(
  stage: Stage,
  replica: ActingReplica,
  serverId: string,
  target: string | undefined,
): void {
  stage.story.tell(`${replica.process?.name} asks for the evacuation of ${serverId}`);
  const complain = (rule: string) => stage.story.violate(`${serverId} is evacuated ${rule}`);
  const server = stage.nova.servers.get(serverId);
  if (server !== undefined && stage.world.guests.get(serverId)?.places.has(server.host) === true) {
    complain(`while it runs on ${server.host}`);
  }
  const segment = stage.soundSettings.policy.segments.at(-1);
  if (segment?.method === 'reserved-host' && !segment.reservedHosts.includes(target ?? '')) {
    complain(`to ${target ?? 'any host'}, which is not reserved`);
  }
  watchLead(stage, replica, complain);
}

/** Nobody tells the compute system anything without the lead, whatever it is. */
export function watchOrder(stage: Stage, replica: ActingReplica, what: string): void {
  watchLead(stage, replica, (rule) => stage.story.violate(`"${what}" is ordered ${rule}`));
}

function watchLead(stage: Stage, replica: ActingReplica, complain: Complain): void {
  const { lease } = stage;
  if (lease.holder !== replica.process?.name) complain(`by ${replica.process?.name} while ${lease.holder} leads`);
}
