import {
  defaultDetectionSettings as defaults,
  SignalSource,
  type BrakeSettings,
  type DetectionSettings,
  type JudgementSettings,
  type RecoverySettings,
  type ReturnSettings,
  type SignalRule,
} from '@smalt/failure-detection';

import { list } from './shape/list-shapes.ts';
import { section } from './shape/object-shape.ts';
import { choice, flag, milliseconds, share, text, whole } from './shape/scalar-shapes.ts';
import type { Shape } from './shape/shape.ts';

const { judgement, brakes, recovery, hostReturn } = defaults;

function rule(source: SignalSource): Shape<SignalRule> {
  const own = judgement.rules[source];
  return section(`how ${source} is understood`, {
    kind: choice(['silence', 'statement'], 'whether silence means death, or only a word', own.kind),
    group: text('sources of one group fail together and count as one', { fallback: own.group }),
    countsAsLife: flag('whether it can show that a host is alive', own.countsAsLife),
    freshMs: milliseconds('how long a sign of life is good for', own.freshMs, 1),
    deadAfterMs: milliseconds('how long silence, or a row of words, has to last', own.deadAfterMs, 1),
  });
}

const rulesSection: Shape<JudgementSettings['rules']> = section('the sources', {
  agent: rule('agent'),
  'node-lease': rule('node-lease'),
  'compute-service': rule('compute-service'),
  libvirt: rule('libvirt'),
  storage: rule('storage'),
  bmc: rule('bmc'),
});

const judgementSection: Shape<JudgementSettings> = section('when a host is condemned', {
  rules: rulesSection,
  signalsNeeded: whole('how many independent signals must agree', { fallback: judgement.signalsNeeded, least: 2 }),
  requiredSources: list('sources that must be among them', choice(Object.values(SignalSource), 'a source'), {
    fallback: judgement.requiredSources,
  }),
  agreeMs: milliseconds('how long they must have agreed', judgement.agreeMs),
  outlivedMs: milliseconds('after which a silence that a host outlived means nothing', judgement.outlivedMs, 1),
});

const brakeSection: Shape<BrakeSettings> = section('when nothing is done all the same', {
  isPaused: flag('do nothing, whatever is seen', brakes.isPaused),
  isDryRun: flag('do nothing, but tell what would have been done', brakes.isDryRun),
  warmUpMs: milliseconds('how long after its start the service only watches', brakes.warmUpMs, 1),
  sightMs: milliseconds('how long it must have reached Kubernetes, the compute system and its store', brakes.sightMs),
  maximumMissing: whole('if more hosts are missing at once, nothing is done', {
    fallback: brakes.maximumMissing,
    least: 1,
  }),
  maximumMissingShare: share('the same as a share of all hosts', brakes.maximumMissingShare),
  missingWindowMs: milliseconds(
    'how far apart hosts may be lost and yet be missing at once',
    brakes.missingWindowMs,
    1,
  ),
  maximumOpen: whole('how many hosts are recovered at a time', { fallback: brakes.maximumOpen, least: 1 }),
  maximumOpenPerDomain: whole('how many of one failure domain', { fallback: brakes.maximumOpenPerDomain, least: 1 }),
  intervalMs: milliseconds('how long after one incident the next may begin', brakes.intervalMs),
});

const returnSection: Shape<ReturnSettings> = section('when a repaired host takes instances again', {
  isAutomatic: flag("without a person's word, unless its recovery failed", hostReturn.isAutomatic),
  steadyMs: milliseconds('how long its compute service must have been up', hostReturn.steadyMs, 1),
});

const recoverySection: Shape<RecoverySettings> = section('how an incident is worked off', {
  offReadings: whole('how many readings of off in a row are proof', { fallback: recovery.offReadings, least: 2 }),
  readIntervalMs: milliseconds('the pause between two readings', recovery.readIntervalMs, 1),
  slowReadIntervalMs: milliseconds('the same while nothing is expected to change', recovery.slowReadIntervalMs, 1),
  readTimeoutMs: milliseconds('after which the answer to a reading is taken for lost', recovery.readTimeoutMs, 1),
  proofValidMs: milliseconds('how old the last reading may be when a rebuild is asked for', recovery.proofValidMs, 1),
  fenceTimeoutMs: milliseconds('how long one attempt to power off may take', recovery.fenceTimeoutMs, 1),
  attemptsPerLevel: whole('how often one level is tried', { fallback: recovery.attemptsPerLevel, least: 1 }),
  parallelRebuilds: whole('how many instances are rebuilt at a time', {
    fallback: recovery.parallelRebuilds,
    least: 1,
  }),
  graceMs: milliseconds('after which a request without a record never arrived', recovery.graceMs, 1),
  maximumAsks: whole('how often a request that never arrived is made again', {
    fallback: recovery.maximumAsks,
    least: 1,
  }),
  attemptsPerInstance: whole('how many evacuations of one instance may fail', {
    fallback: recovery.attemptsPerInstance,
    least: 1,
  }),
  retryDelayMs: milliseconds('the pause before the next evacuation of an instance', recovery.retryDelayMs),
  cleanUpMs: milliseconds('how long cleaning up is tried before it goes on without', recovery.cleanUpMs),
  repeatMs: milliseconds('the pause before that, or a reserved host, is asked again', recovery.repeatMs, 1),
  reservedTimeoutMs: milliseconds('how long a reserved host may take until it is up', recovery.reservedTimeoutMs, 1),
  evacuationTimeoutMs: milliseconds('after which a rebuild holds up no other', recovery.evacuationTimeoutMs, 1),
});

export const detectionSection: Shape<DetectionSettings> = section('when a host counts as dead, and what is done', {
  judgement: judgementSection,
  brakes: brakeSection,
  recovery: recoverySection,
  hostReturn: returnSection,
});
