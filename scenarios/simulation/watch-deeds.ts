import type { DetectionSettings } from '@smalt/failure-detection';

import type { Replica } from './replica.ts';
import { signBefore, type Sign, type SimulatedHost } from './simulated-host.ts';
import { SERVICE_DOWN_MS } from './simulated-nova.ts';
import type { Stage } from './stage.ts';

/** How late anything may be known, whoever looks. */
const LAG_MS = 25_000;
/** How long a look and what follows may take, and how often storage is asked. */
const LOOK_SLACK_MS = 8_000;
const MONITOR_MS = 20_000;
const SLACK_MS = 2_000;

/** The rules of fencing once more, from what is so and not from what was decided. */
export function watchPowerOff(stage: Stage, replica: Replica, host: SimulatedHost, method: string): void {
  stage.story.tell(`${replica.process?.name} orders ${method} to power ${host.name} off`);
  const complain = (rule: string) => stage.story.violate(`${host.name} is fenced ${rule}`);
  const { detection } = stage.settings;
  const silent = silentGroups(stage, host, 'known');
  if (silent.length < 2) complain(`by ${silent.length} signals: ${silent.join(', ')}`);
  const knownAt = stage.scheduler.now - stage.settings.lookIntervalMs - LOOK_SLACK_MS;
  const quietMs = stage.scheduler.now - signBefore(host, 'batch', knownAt);
  if (quietMs < detection.judgement.rules.agent.freshMs) complain(`though its agent was heard ${quietMs} ms ago`);
  watchBrakesOfHost(stage, host, complain);
  watchBrakesOfService(stage, replica, complain);
  watchLead(stage, replica, complain);
  const missing = missingHosts(stage);
  const { maximumMissing, maximumMissingShare } = baseline(stage).brakes;
  const most = Math.min(maximumMissing, Math.max(1, Math.floor(stage.world.hosts.length * maximumMissingShare)));
  if (missing > most) complain(`while ${missing} hosts are missing and ${most} may be`);
}

/** Nobody asks for a machine to be rebuilt that runs, or without the lead. */
export function watchEvacuation(stage: Stage, replica: Replica, serverId: string): void {
  stage.story.tell(`${replica.process?.name} asks for the evacuation of ${serverId}`);
  const complain = (rule: string) => stage.story.violate(`${serverId} is evacuated ${rule}`);
  const server = stage.nova.servers.get(serverId);
  if (server !== undefined && stage.world.guests.get(serverId)?.places.has(server.host) === true) {
    complain(`while it runs on ${server.host}`);
  }
  watchLead(stage, replica, complain);
}

type Complain = (rule: string) => void;

function watchBrakesOfHost(stage: Stage, host: SimulatedHost, complain: Complain): void {
  const { now } = stage.scheduler;
  const object = stage.kubernetes.object(host.name);
  const isSettled = now - object.changedAt >= LAG_MS;
  if (isSettled && ['manual', 'auto', 'termination'].includes(object.maintenance)) {
    complain(`in maintenance: ${object.maintenance}`);
  }
  if (isSettled && !object.isHighlyAvailable) complain('though it is not highly available');
  if (!object.isOnboarded) complain('though it is not onboarded');
  const held = stage.store.hosts.get(host.name)?.heldBy;
  if (held !== undefined && stage.store.incidents.get(held)?.host === host.name && !hasOpenIncident(stage, host)) {
    complain('though it is held');
  }
}

function hasOpenIncident({ store }: Stage, host: SimulatedHost): boolean {
  return [...store.incidents.values()].some((each) => each.host === host.name && each.closedAt === undefined);
}

function watchBrakesOfService(stage: Stage, replica: Replica, complain: Complain): void {
  const { now } = stage.scheduler;
  const { brakes } = baseline(stage);
  if (stage.pausedSince !== undefined && now - stage.pausedSince >= LAG_MS) complain('while all is paused');
  const warmForMs = now - Math.max(replica.leadsSince, replica.wokeAt ?? 0);
  if (warmForMs < brakes.warmUpMs) complain(`by a service that has watched for ${warmForMs} ms`);
  const seesForMs = now - replica.blindUntil;
  if (seesForMs < brakes.sightMs - LAG_MS) complain(`by a service that was blind ${seesForMs} ms ago`);
}

function watchLead(stage: Stage, replica: Replica, complain: Complain): void {
  const { lease, scheduler } = stage;
  const isLed = lease.holder === replica.process?.name;
  if (!isLed && scheduler.now - lease.takenAt >= 1_000) {
    complain(`by ${replica.process?.name} while ${lease.holder} leads`);
  }
}

/**
 * The independent groups of sources for which the host has been silent as long as the rules ask: in truth, or as far as
 * it can be known, since a sign that was given a moment ago cannot be.
 */
function silentGroups(stage: Stage, host: SimulatedHost, as: 'known' | 'true'): readonly string[] {
  const { now } = stage.scheduler;
  const { rules } = baseline(stage).judgement;
  const lookMs = stage.settings.lookIntervalMs + LOOK_SLACK_MS;
  const isSilent = (sign: Sign, afterMs: number, lagMs: number) =>
    now - signBefore(host, sign, as === 'true' ? now : now - lagMs) >= afterMs - SLACK_MS;
  const groups = [
    ['agent', isSilent('batch', rules.agent.deadAfterMs, lookMs)],
    ['kubernetes', isSilent('lease', rules['node-lease'].deadAfterMs, lookMs)],
    ['compute', isSilent('heartbeat', SERVICE_DOWN_MS, lookMs + stage.settings.refreshIntervalMs)],
    ['storage', isSilent('write', rules.storage.deadAfterMs, lookMs + MONITOR_MS)],
    ['power', !host.isPowered || host.bmc === 'lies' || host.bmc === 'flips'],
  ] as const;
  return groups.filter(([, isDead]) => isDead).map(([group]) => group);
}

function missingHosts(stage: Stage): number {
  return stage.world.hosts.filter((host) => {
    const object = stage.kubernetes.object(host.name);
    const isHeld = stage.store.hosts.get(host.name)?.heldBy !== undefined;
    if (isHeld || object.maintenance !== '' || !object.isOnboarded) return false;
    const silent = silentGroups(stage, host, 'true');
    return ['agent', 'kubernetes', 'compute', 'storage'].every((group) => silent.includes(group));
  }).length;
}

/** What is right is told by the settings before anybody weakened them. */
function baseline({ soundSettings }: Stage): DetectionSettings {
  return soundSettings.detection;
}
