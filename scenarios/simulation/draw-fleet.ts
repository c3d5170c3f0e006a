import { defaultDetectionSettings, settingsProblems, type DetectionSettings } from '@smalt/failure-detection';
import type { EngineSettings } from '@smalt/ha-service';
import { defaultInstanceRecoverySettings } from '@smalt/instance-recovery';
import { defaultRecoveryPolicy, type RecoveryMethod, type RecoveryPolicy } from '@smalt/recovery-policy';

import type { Dice } from './dice.ts';
import { canBeFooled, createHost, type BmcKind, type SimulatedHost } from './simulated-host.ts';
import { SERVICE_DOWN_MS } from './simulated-nova.ts';

const bmcKinds: readonly (readonly [BmcKind, number])[] = [
  ['honest', 60],
  ['slow', 8],
  ['ignores', 6],
  ['flips', 6],
  ['hangs', 6],
  ['moody', 8],
  ['lies', 6],
];

/** The hosts of one story, in racks of two or three. */
export function drawHosts(dice: Dice): readonly SimulatedHost[] {
  const count = dice.between(4, 10);
  const perRack = dice.between(1, 3);
  return Array.from({ length: count }, (_, index) =>
    createHost({
      name: `n${index + 1}`,
      rack: `rack-${Math.floor(index / perRack) + 1}`,
      bmc: dice.weighted(bmcKinds),
      sharesPower: dice.chance(0.2),
      hasSecondBmc: dice.chance(0.3),
      hasWrongOutlet: dice.chance(0.2),
    }),
  );
}

/** Settings as a careful person would choose them for such a fleet, a little hastier than the defaults. */
export function drawSettings(dice: Dice, hosts: readonly SimulatedHost[]): EngineSettings {
  const { judgement, brakes, recovery, hostReturn } = defaultDetectionSettings;
  const needsStorage = hosts.some(canBeFooled) || dice.chance(0.3);
  const detection: DetectionSettings = {
    judgement: {
      ...judgement,
      rules: hasty(judgement.rules),
      requiredSources: needsStorage ? ['agent', 'storage'] : ['agent'],
    },
    brakes: {
      ...brakes,
      warmUpMs: 90_000,
      sightMs: 45_000,
      maximumMissingShare: dice.pick([0.1, 0.3, 0.5, 0.5]),
      missingWindowMs: hosts.length > 6 ? 600_000 : 1_800_000,
      maximumOpen: dice.between(1, 4),
      maximumOpenPerDomain: dice.between(1, 2),
      intervalMs: dice.pick([1_000, 60_000]),
    },
    recovery: {
      ...recovery,
      parallelRebuilds: dice.between(1, 3),
      graceMs: dice.pick([120_000, 240_000]),
      evacuationTimeoutMs: 300_000,
    },
    hostReturn: { ...hostReturn, isAutomatic: dice.chance(0.6), steadyMs: 30_000 },
  };
  const problems = settingsProblems(detection);
  if (problems.length > 0) throw new RangeError(`the simulator draws unsafe settings: ${problems.join('; ')}`);
  return {
    detection,
    policy: drawPolicy(dice, hosts),
    instanceRecovery: defaultInstanceRecoverySettings,
    lookIntervalMs: dice.pick([5_000, 10_000, 15_000, 15_000, 15_000]),
    refreshIntervalMs: dice.pick([15_000, 30_000]),
    followIntervalMs: 2_000,
    serviceDownMs: SERVICE_DOWN_MS,
    callTimeoutMs: 20_000,
  };
}

const methods: readonly RecoveryMethod[] = ['auto', 'reserved-host', 'auto-priority', 'reserved-host-priority'];

/** One segment for all, with or without hosts that are kept free; and sometimes one host that is left alone. */
function drawPolicy(dice: Dice, hosts: readonly SimulatedHost[]): RecoveryPolicy {
  const isReserving = hosts.length > 5 && dice.chance(0.3);
  const reservedHosts = isReserving ? hosts.slice(-dice.between(1, 2)).map(({ name }) => name) : [];
  const method = isReserving ? dice.pick(methods) : 'auto';
  const all = { name: 'all', isEnabled: true, hosts: {}, method, reservedHosts, joinsAggregates: dice.chance(0.5) };
  const alone = { ...all, name: 'alone', isEnabled: false, hosts: { names: ['n1'] }, reservedHosts: [] };
  return { ...defaultRecoveryPolicy, segments: dice.chance(0.1) ? [alone, all] : [all] };
}

/** The rules of the defaults, for agents that report twice as often. */
function hasty(rules: DetectionSettings['judgement']['rules']): DetectionSettings['judgement']['rules'] {
  return {
    ...rules,
    agent: { ...rules.agent, freshMs: 35_000, deadAfterMs: 75_000 },
    libvirt: { ...rules.libvirt, freshMs: 35_000, deadAfterMs: 45_000 },
    'node-lease': { ...rules['node-lease'], freshMs: 30_000, deadAfterMs: 65_000 },
    storage: { ...rules.storage, freshMs: 45_000, deadAfterMs: 95_000 },
  };
}
