import type { DetectionSettings } from './detection-settings.ts';

/** Every setting that would make the decision unsafe or senseless, one sentence each that names the field. */
export function settingsProblems(settings: DetectionSettings): readonly string[] {
  return [...judgementProblems(settings), ...brakeProblems(settings), ...recoveryProblems(settings)];
}

function judgementProblems({ judgement }: DetectionSettings): readonly string[] {
  const rules = Object.entries(judgement.rules);
  const groups = new Set(rules.map(([, rule]) => rule.group));
  return [
    ...atLeast('judgement.signalsNeeded', judgement.signalsNeeded, 2),
    ...(groups.size < judgement.signalsNeeded
      ? [`judgement.rules: ${groups.size} groups can never give ${judgement.signalsNeeded} independent signals`]
      : []),
    ...(rules.some(([, rule]) => rule.countsAsLife)
      ? []
      : ['judgement.rules: no source counts as life, so nothing could acquit a host; let at least one']),
    ...atLeast('judgement.agreeMs', judgement.agreeMs, 0),
    ...rules.flatMap(([source, rule]) => [
      ...atLeast(`judgement.rules.${source}.freshMs`, rule.freshMs, 1),
      ...atLeast(`judgement.rules.${source}.deadAfterMs`, rule.deadAfterMs, 1),
      ...(rule.kind === 'silence' && rule.deadAfterMs <= rule.freshMs
        ? [`judgement.rules.${source}.deadAfterMs: must be more than its freshMs of ${rule.freshMs}`]
        : []),
    ]),
  ];
}

function brakeProblems({ brakes }: DetectionSettings): readonly string[] {
  const share = brakes.maximumMissingShare;
  return [
    ...atLeast('brakes.warmUpMs', brakes.warmUpMs, 1),
    ...atLeast('brakes.sightMs', brakes.sightMs, 0),
    ...atLeast('brakes.maximumMissing', brakes.maximumMissing, 1),
    ...(share > 0 && share <= 0.5 ? [] : [`brakes.maximumMissingShare: ${share} must be above 0 and at most 0.5`]),
    ...atLeast('brakes.maximumOpen', brakes.maximumOpen, 1),
    ...atLeast('brakes.maximumOpenPerDomain', brakes.maximumOpenPerDomain, 1),
    ...atLeast('brakes.intervalMs', brakes.intervalMs, 0),
  ];
}

function recoveryProblems({ recovery, hostReturn }: DetectionSettings): readonly string[] {
  const row = recovery.offReadings * recovery.readIntervalMs;
  return [
    ...atLeast('recovery.offReadings', recovery.offReadings, 2),
    ...atLeast('recovery.readIntervalMs', recovery.readIntervalMs, 1),
    ...atLeast('recovery.slowReadIntervalMs', recovery.slowReadIntervalMs, recovery.readIntervalMs),
    ...atLeast('recovery.readTimeoutMs', recovery.readTimeoutMs, 1),
    ...atLeast('recovery.fenceTimeoutMs', recovery.fenceTimeoutMs, Math.max(row, recovery.readTimeoutMs)),
    ...atLeast('recovery.proofValidMs', recovery.proofValidMs, recovery.slowReadIntervalMs),
    ...atLeast('recovery.attemptsPerLevel', recovery.attemptsPerLevel, 1),
    ...atLeast('recovery.parallelRebuilds', recovery.parallelRebuilds, 1),
    ...atLeast('recovery.graceMs', recovery.graceMs, 60_000),
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
