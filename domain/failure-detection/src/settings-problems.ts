import type { DetectionSettings, JudgementSettings } from './detection-settings.ts';
import type { SignalRule } from './judgement/host-signal.ts';

/** Every setting that would make the decision unsafe or senseless, one sentence each that names the field. */
export function settingsProblems(settings: DetectionSettings): readonly string[] {
  return [...judgementProblems(settings), ...brakeProblems(settings), ...recoveryProblems(settings)];
}

/** What a fleet of one second's beat could still keep apart from a slow network. */
const LEAST_SILENCE_MS = 3_000;

function judgementProblems({ judgement }: DetectionSettings): readonly string[] {
  const rules = Object.entries(judgement.rules);
  const groups = new Set(rules.map(([, rule]) => rule.group));
  return [
    ...atLeast('judgement.signalsNeeded', judgement.signalsNeeded, 2),
    ...(groups.size < judgement.signalsNeeded
      ? [`judgement.rules: ${groups.size} groups can never give ${judgement.signalsNeeded} independent signals`]
      : []),
    ...(judgement.requiredSources.length > 0
      ? []
      : ['judgement.requiredSources: is empty, so any two could condemn a host; name at least one, such as agent']),
    ...atLeast('judgement.agreeMs', judgement.agreeMs, 0),
    ...atLeast('judgement.outlivedMs', judgement.outlivedMs, 1),
    ...factProblems(judgement.rules),
    ...rules.flatMap(([source, rule]) => [
      ...atLeast(`judgement.rules.${source}.freshMs`, rule.freshMs, 1),
      // What says dead by a word has waited already; silence is all there is to the others.
      ...atLeast(`judgement.rules.${source}.deadAfterMs`, rule.deadAfterMs, leastDeadAfterMs(rule)),
    ]),
  ];
}

/** What is so whatever anybody sets: who sees life must be heard, power is no life, and what fails together is one. */
function factProblems(rules: JudgementSettings['rules']): readonly string[] {
  const { bmc, ...living } = rules;
  return [
    ...Object.entries(living)
      .filter(([, { countsAsLife }]) => !countsAsLife)
      .map(([source]) => `judgement.rules.${source}.countsAsLife: must be true, or it could not acquit a host`),
    ...(bmc.countsAsLife
      ? ['judgement.rules.bmc.countsAsLife: must be false: a host that hangs has power, and would never be recovered']
      : []),
    ...(rules.libvirt.group === rules.agent.group
      ? []
      : [`judgement.rules.libvirt.group: must be ${rules.agent.group}, for the agent is who asks libvirt`]),
  ];
}

function leastDeadAfterMs({ kind, freshMs }: SignalRule): number {
  return kind === 'silence' ? Math.max(LEAST_SILENCE_MS, freshMs + 1) : 1;
}

function brakeProblems({ brakes, judgement }: DetectionSettings): readonly string[] {
  const share = brakes.maximumMissingShare;
  // What goes at one moment is noticed as far apart as that.
  const slowestMs = Math.max(...Object.values(judgement.rules).map(({ deadAfterMs }) => deadAfterMs));
  return [
    ...atLeast('brakes.warmUpMs', brakes.warmUpMs, 1),
    ...atLeast('brakes.sightMs', brakes.sightMs, 0),
    ...atLeast('brakes.maximumMissing', brakes.maximumMissing, 1),
    ...(share > 0 && share <= 0.5 ? [] : [`brakes.maximumMissingShare: ${share} must be above 0 and at most 0.5`]),
    ...atLeast('brakes.missingWindowMs', brakes.missingWindowMs, slowestMs),
    ...atLeast('brakes.maximumOpen', brakes.maximumOpen, 1),
    ...atLeast('brakes.maximumOpenPerDomain', brakes.maximumOpenPerDomain, 1),
    ...atLeast('brakes.intervalMs', brakes.intervalMs, 0),
  ];
}

/** Somebody may have powered the host on in any longer time. */
const MOST_PROOF_MS = 600_000;

function recoveryProblems({ recovery, hostReturn }: DetectionSettings): readonly string[] {
  const row = recovery.offReadings * recovery.readIntervalMs;
  return [
    ...atLeast('recovery.offReadings', recovery.offReadings, 2),
    ...atLeast('recovery.readIntervalMs', recovery.readIntervalMs, 1),
    ...atLeast('recovery.slowReadIntervalMs', recovery.slowReadIntervalMs, recovery.readIntervalMs),
    ...atLeast('recovery.readTimeoutMs', recovery.readTimeoutMs, 1),
    ...atLeast('recovery.fenceTimeoutMs', recovery.fenceTimeoutMs, Math.max(row, recovery.readTimeoutMs)),
    ...atLeast('recovery.proofValidMs', recovery.proofValidMs, recovery.slowReadIntervalMs),
    ...(recovery.proofValidMs > MOST_PROOF_MS
      ? [`recovery.proofValidMs: ${recovery.proofValidMs} must be at most ${MOST_PROOF_MS}`]
      : []),
    ...atLeast('recovery.attemptsPerLevel', recovery.attemptsPerLevel, 1),
    ...atLeast('recovery.parallelRebuilds', recovery.parallelRebuilds, 1),
    ...atLeast('recovery.graceMs', recovery.graceMs, 120_000),
    ...atLeast('recovery.maximumAsks', recovery.maximumAsks, 1),
    ...atLeast('recovery.attemptsPerInstance', recovery.attemptsPerInstance, 1),
    ...atLeast('recovery.retryDelayMs', recovery.retryDelayMs, 1),
    ...atLeast('recovery.cleanUpMs', recovery.cleanUpMs, 0),
    ...atLeast('recovery.repeatMs', recovery.repeatMs, 1),
    ...atLeast('recovery.reservedTimeoutMs', recovery.reservedTimeoutMs, recovery.repeatMs),
    ...atLeast('recovery.evacuationTimeoutMs', recovery.evacuationTimeoutMs, 1),
    ...atLeast('hostReturn.steadyMs', hostReturn.steadyMs, 1),
  ];
}

function atLeast(field: string, value: number, least: number): readonly string[] {
  return Number.isFinite(value) && value >= least ? [] : [`${field}: ${value} must be at least ${least}`];
}
