import { signBefore, type Sign, type SimulatedHost } from './simulated-host.ts';
import type { SeenLook } from './knowledge.ts';
import type { Stage } from './stage.ts';

/** The groups of sources that count as independent. */
export type SignGroup = 'agent' | 'kubernetes' | 'compute' | 'storage' | 'power';

const signs: readonly (readonly [SignGroup, Sign])[] = [
  ['agent', 'batch'],
  ['kubernetes', 'lease'],
  ['compute', 'heartbeat'],
  ['storage', 'write'],
];

/** The groups by which a host was dead at a look, as far as that look could know, and as the sound rules ask for. */
export function deadGroups(stage: Stage, host: SimulatedHost, look: SeenLook): readonly SignGroup[] {
  const { rules } = stage.soundSettings.detection.judgement;
  const deadAfterMs: Readonly<Record<Exclude<SignGroup, 'power'>, number>> = {
    agent: rules.agent.deadAfterMs,
    kubernetes: rules['node-lease'].deadAfterMs,
    // What the compute system says is a statement, and has to be repeated for a while.
    compute: stage.soundSettings.serviceDownMs + rules['compute-service'].deadAfterMs,
    storage: rules.storage.deadAfterMs,
  };
  const silent = signs
    .filter(([group, sign]) => group !== 'power' && (quietMs(stage, host, sign, look) ?? 0) >= deadAfterMs[group])
    .map(([group]) => group);
  const saysOff = !host.isPowered || host.bmc === 'lies' || host.bmc === 'flips';
  return saysOff ? [...silent, 'power'] : silent;
}

/** The groups that showed life at a look. */
export function livingGroups(stage: Stage, host: SimulatedHost, look: SeenLook, marginMs = 0): readonly SignGroup[] {
  const { rules } = stage.soundSettings.detection.judgement;
  const freshMs: Readonly<Record<Exclude<SignGroup, 'power'>, number>> = {
    agent: rules.agent.freshMs,
    kubernetes: rules['node-lease'].freshMs,
    compute: rules['compute-service'].freshMs,
    storage: rules.storage.freshMs,
  };
  return signs
    .filter(([group, sign]) => {
      if (group === 'power') return false;
      if (group === 'compute') return isCalledUp(stage, host, look, freshMs.compute + marginMs);
      return (quietMs(stage, host, sign, look) ?? Number.POSITIVE_INFINITY) <= freshMs[group] + marginMs;
    })
    .map(([group]) => group);
}

/** When a host last gave any sign that a look could know of. */
export function lastKnownSign(stage: Stage, host: SimulatedHost, look: SeenLook): number {
  const known = signs.map(([, sign]) => signBefore(host, sign, knownUntil(stage, sign, look)));
  return Math.max(...known);
}

/** What the compute system says counts from when it was asked, which is a little before it looked. */
function isCalledUp(stage: Stage, host: SimulatedHost, look: SeenLook, freshMs: number): boolean {
  if (!Number.isFinite(look.computeReadAt)) return false;
  const quietForMs = look.computeReadAt - signBefore(host, 'heartbeat', look.computeReadAt);
  const isUp = quietForMs < stage.soundSettings.serviceDownMs && !stage.nova.service(host.name).isForcedDown;
  return isUp && look.at - look.computeReadAt <= freshMs - stage.soundSettings.callTimeoutMs;
}

/** How long a host had been quiet at a look, by what that could know of one of its signs; undefined for nothing at all. */
function quietMs(stage: Stage, host: SimulatedHost, sign: Sign, look: SeenLook): number | undefined {
  const until = knownUntil(stage, sign, look);
  return Number.isFinite(until) ? look.at - signBefore(host, sign, until) : undefined;
}

function knownUntil({ monitorReads }: Stage, sign: Sign, look: SeenLook): number {
  switch (sign) {
    case 'batch':
      return look.storeReadAt;
    case 'lease':
      return look.pictureAt;
    case 'heartbeat':
      return look.computeReadAt;
    case 'write':
      return monitorReads.findLast((at) => at <= look.storeReadAt) ?? Number.NEGATIVE_INFINITY;
  }
}
