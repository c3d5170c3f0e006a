import { describe, expect, it } from 'vitest';

import { defaultDetectionSettings as defaults, settingsProblems, type DetectionSettings } from './index.ts';

const { judgement, brakes, recovery, hostReturn } = defaults;
const { agent } = judgement.rules;

describe('settingsProblems', () => {
  it('finds nothing wrong with the defaults', () => {
    expect(settingsProblems(defaults)).toEqual([]);
  });

  it.each<[string, Partial<DetectionSettings>]>([
    ['judgement.signalsNeeded', { judgement: { ...judgement, signalsNeeded: 1 } }],
    ['judgement.rules', { judgement: { ...judgement, signalsNeeded: 6 } }],
    ['judgement.rules', { judgement: { ...judgement, rules: lifeless() } }],
    ['judgement.agreeMs', { judgement: { ...judgement, agreeMs: -1 } }],
    [
      'judgement.rules.agent.deadAfterMs',
      { judgement: { ...judgement, rules: { ...judgement.rules, agent: { ...agent, deadAfterMs: 45_000 } } } },
    ],
    ['brakes.warmUpMs', { brakes: { ...brakes, warmUpMs: Number.NaN } }],
    ['brakes.maximumMissingShare', { brakes: { ...brakes, maximumMissingShare: 0.6 } }],
    ['brakes.maximumOpen', { brakes: { ...brakes, maximumOpen: 0 } }],
    ['recovery.offReadings', { recovery: { ...recovery, offReadings: 1 } }],
    ['recovery.fenceTimeoutMs', { recovery: { ...recovery, fenceTimeoutMs: 1_000 } }],
    ['recovery.graceMs', { recovery: { ...recovery, graceMs: 1 } }],
    ['hostReturn.steadyMs', { hostReturn: { ...hostReturn, steadyMs: 0 } }],
  ])('names %s', (field, part) => {
    expect(settingsProblems({ ...defaults, ...part })).toEqual([expect.stringContaining(`${field}: `)]);
  });
});

function lifeless(): DetectionSettings['judgement']['rules'] {
  const deaf = { countsAsLife: false };
  const { rules } = judgement;
  return {
    agent: { ...rules.agent, ...deaf },
    libvirt: { ...rules.libvirt, ...deaf },
    'node-lease': { ...rules['node-lease'], ...deaf },
    'compute-service': { ...rules['compute-service'], ...deaf },
    storage: { ...rules.storage, ...deaf },
    bmc: rules.bmc,
  };
}
