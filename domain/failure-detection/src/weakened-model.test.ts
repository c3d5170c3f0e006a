import { describe, expect, it } from 'vitest';

import { realDecision, type Decision } from './fixtures/model-service.ts';
import { modelSettings, runModel, story, type Story } from './fixtures/run-model.ts';
import { allPaths, type BmcKind, type Path } from './fixtures/world.ts';
import type { Brake, DetectionSettings, Incident } from './index.ts';

const MINUTE = 60_000;
const { judgement, recovery } = modelSettings;
/** Right after the second request to evacuate; the next run's clock is ahead by more than the grace. */
const killedAtEvacuation = { action: 9, isDone: true, clockMs: 150_000 };

/** Each weakening breaks the rule that it is there for, and only the weakening does: the same story is safe without it. */
describe('a weakened decision is found out', () => {
  it.each<Weakening>([
    {
      what: 'the proof of the fence is made up',
      story: cutOff('ignores'),
      decision: { ...realDecision, nextSteps: believing },
      broken: [/rebuilt without proof/u, /runs twice/u],
    },
    {
      what: 'one reading of off is enough',
      story: cutOff('flips'),
      settings: { ...modelSettings, recovery: { ...recovery, offReadings: 1 } },
      broken: [/rebuilt without proof/u, /runs twice/u],
    },
    {
      what: 'one signal is enough',
      story: cutOff('honest', ['agent']),
      settings: lonely(),
      broken: [/fenced by 1 signals/u],
    },
    {
      what: 'storage need not agree, and a BMC always says off',
      story: cutOff('says-off'),
      settings: storageLeftOut(),
      broken: [/runs twice/u],
    },
    {
      what: 'any number of hosts may go at once',
      story: { ...cutOff('honest'), events: [0, 1].map((host) => cut(host, allPaths)) },
      decision: without('mass-failure'),
      broken: [/while 2 are missing/u],
    },
    {
      what: 'a blind service may act',
      story: { ...cutOff('honest'), blindness: [{ from: 0, to: 60 * MINUTE }] },
      decision: without('blind'),
      broken: [/by a blind service/u],
    },
    {
      what: 'maintenance is no reason',
      story: { ...cutOff('honest'), inMaintenance: 'n0' },
      decision: without('maintenance'),
      broken: [/fenced in maintenance/u],
    },
    {
      what: 'no warm-up is needed',
      story: { ...cutOff('honest'), events: [{ ...cut(0, allPaths), at: 1 }] },
      decision: without('warm-up'),
      broken: [/without a warm-up/u],
    },
    {
      what: 'an unanswered request is made again at once',
      story: { ...cutOff('honest'), fates: ['late'] },
      settings: { ...modelSettings, recovery: { ...recovery, graceMs: 0 } },
      broken: [/evacuated a second time/u],
    },
    {
      what: 'the times of another run are believed',
      story: { ...cutOff('honest'), fates: ['late'], kills: [killedAtEvacuation] },
      decision: { ...realDecision, adoptIncident: (incident) => incident },
      broken: [/evacuated a second time/u],
    },
    {
      what: 'nothing is cleaned up',
      story: cutOff('honest'),
      settings: { ...modelSettings, recovery: { ...recovery, cleanUpMs: 0 } },
      broken: [/before it was cleaned up/u],
    },
  ])('when $what', ({ story: told, settings = modelSettings, decision = realDecision, broken }) => {
    const sound = runModel(told);
    const weak = runModel(told, settings, decision);

    expect(sound.violations).toEqual([]);
    for (const rule of broken) expect(weak.violations).toContainEqual(expect.stringMatching(rule));
  });
});

interface Weakening {
  readonly what: string;
  readonly story: Story;
  readonly settings?: DetectionSettings;
  readonly decision?: Decision;
  readonly broken: readonly RegExp[];
}

function cutOff(bmc: BmcKind, paths: readonly Path[] = allPaths): Story {
  return story({ bmcs: [bmc, 'honest', 'honest', 'honest'], events: [cut(0, paths)] });
}

function cut(host: number, paths: readonly Path[]) {
  return { at: 6 * MINUTE, host, kind: 'cut', paths } as const;
}

function lonely(): DetectionSettings {
  const rules = { ...judgement.rules };
  for (const path of allPaths) if (path !== 'agent') rules[path] = { ...rules[path], countsAsLife: false };
  return { ...modelSettings, judgement: { ...judgement, rules, signalsNeeded: 1, requiredSources: ['agent'] } };
}

function storageLeftOut(): DetectionSettings {
  const rules = { ...judgement.rules, storage: { ...judgement.rules.storage, countsAsLife: false } };
  return { ...modelSettings, judgement: { ...judgement, rules, requiredSources: ['agent'] } };
}

/** Takes the order to power off for the deed. */
const believing: Decision['nextSteps'] = (incident, facts, settings, now) => {
  if (incident.state !== 'fencing') return realDecision.nextSteps(incident, facts, settings, now);
  const proof = { kind: 'person', since: now, by: 'nobody', note: '' } as const;
  const next: Incident = { ...incident, proof, state: 'forcing-down', revision: incident.revision + 1 };
  return { incident: next, actions: [] };
};

/** Lets those pass whom this brake holds. */
function without(brake: Brake): Decision {
  return {
    ...realDecision,
    judgeFleet: (view, settings, now) => {
      const fleet = realDecision.judgeFleet(view, settings, now);
      const verdicts = fleet.verdicts.map((verdict) => {
        if (verdict.kind !== 'refuse' || verdict.refusal.brake !== brake) return verdict;
        const { host, judgement: condemned } = verdict;
        const incidentId = view.openIncidents.find((each) => each.host === host)?.id;
        return incidentId === undefined
          ? ({ kind: 'open', host, judgement: condemned } as const)
          : ({ kind: 'proceed', host, incidentId, judgement: condemned } as const);
      });
      return { ...fleet, verdicts };
    },
  };
}
