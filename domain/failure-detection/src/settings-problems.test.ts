import { describe, expect, it } from 'vitest';

import { defaultDetectionSettings as defaults, settingsProblems, type DetectionSettings } from './index.ts';

const { judgement, brakes, recovery, hostReturn } = defaults;
const { agent, storage, bmc, libvirt } = judgement.rules;

describe('settingsProblems', () => {
  it('finds nothing wrong with the defaults', () => {
    expect(settingsProblems(defaults)).toEqual([]);
  });

  it.each<[string, Partial<DetectionSettings>]>([
    ['judgement.signalsNeeded', { judgement: { ...judgement, signalsNeeded: 1 } }],
    ['judgement.rules', { judgement: { ...judgement, signalsNeeded: 6 } }],
    ['judgement.requiredSources', { judgement: { ...judgement, requiredSources: [] } }],
    ['judgement.outlivedMs', { judgement: { ...judgement, outlivedMs: 0 } }],
    ['judgement.agreeMs', { judgement: { ...judgement, agreeMs: -1 } }],
    ['judgement.rules.agent.deadAfterMs', ruled({ agent: { ...agent, deadAfterMs: 45_000 } })],
    ['judgement.rules.agent.deadAfterMs', ruled({ agent: { ...agent, freshMs: 1, deadAfterMs: 2_999 } })],
    ['judgement.rules.agent.countsAsLife', ruled({ agent: { ...agent, countsAsLife: false } })],
    ['judgement.rules.storage.countsAsLife', ruled({ storage: { ...storage, countsAsLife: false } })],
    ['judgement.rules.bmc.countsAsLife', ruled({ bmc: { ...bmc, countsAsLife: true } })],
    ['judgement.rules.libvirt.group', ruled({ libvirt: { ...libvirt, group: 'libvirt' } })],
    ['brakes.warmUpMs', { brakes: { ...brakes, warmUpMs: Number.NaN } }],
    ['brakes.maximumMissingShare', { brakes: { ...brakes, maximumMissingShare: 0.6 } }],
    ['brakes.missingWindowMs', { brakes: { ...brakes, missingWindowMs: 179_999 } }],
    ['brakes.maximumOpen', { brakes: { ...brakes, maximumOpen: 0 } }],
    ['recovery.offReadings', { recovery: { ...recovery, offReadings: 1 } }],
    ['recovery.fenceTimeoutMs', { recovery: { ...recovery, fenceTimeoutMs: 1_000 } }],
    ['recovery.graceMs', { recovery: { ...recovery, graceMs: 119_999 } }],
    ['recovery.proofValidMs', { recovery: { ...recovery, proofValidMs: 600_001 } }],
    ['hostReturn.steadyMs', { hostReturn: { ...hostReturn, steadyMs: 0 } }],
  ])('names %s', (field, part) => {
    expect(settingsProblems({ ...defaults, ...part })).toEqual([expect.stringContaining(`${field}: `)]);
  });
});

function ruled(rules: Partial<DetectionSettings['judgement']['rules']>): Partial<DetectionSettings> {
  return { judgement: { ...judgement, rules: { ...judgement.rules, ...rules } } };
}
