import { describe, expect, it } from 'vitest';

import { decideReturn, openIncident, type Incident, type ReturnStep, type ReturnView } from './index.ts';

const settings = { isAutomatic: true, steadyMs: 1_000 };
const NOW = 100_000;

describe('decideReturn', () => {
  it.each<[string, Partial<ReturnView>, ReturnStep['kind']]>([
    ['holds while the incident is open', { incident: incident('rebuilding') }, 'hold'],
    ['holds after a failed recovery', { incident: incident('failed') }, 'hold'],
    ['holds what a person has closed', { incident: incident('closed') }, 'hold'],
    [
      'lets a person release it after a failed recovery',
      { incident: incident('failed'), release: word() },
      'clear-forced-down',
    ],
    ['ignores a release of another host', { incident: incident('failed'), release: word({ host: 'n2' }) }, 'hold'],
    [
      'ignores a release of another incident',
      { incident: incident('failed'), release: word({ incidentId: 'x' }) },
      'hold',
    ],
    ['holds an open incident whatever is said', { incident: incident('fencing'), release: word() }, 'hold'],
    ['holds what never booted again', { bootId: 'boot-1' }, 'hold'],
    ['holds what may not have booted', { bootId: undefined }, 'hold'],
    ['waits for life', { judgement: { kind: 'unknown', blind: [] } }, 'wait'],
    ['first takes back that it is dead', {}, 'clear-forced-down'],
    ['waits for its service', { isForcedDown: false }, 'wait'],
    ['waits until its service is steady', { isForcedDown: false, upSince: NOW - 999 }, 'wait'],
    ['waits for remains', { isForcedDown: false, upSince: 0, openEvacuations: 1 }, 'wait'],
    ['then enables it', { isForcedDown: false, upSince: NOW - 1_000 }, 'enable'],
    ['takes back its word once it is enabled', { isForcedDown: false, isEnabled: true }, 'clear-maintenance'],
    ['is done', { isForcedDown: false, isEnabled: true, maintenance: '' }, 'returned'],
    ['leaves it to the operator to enable it', steady({ isLifecycleEnabled: true }), 'clear-maintenance'],
    ['waits for the operator', steady({ isLifecycleEnabled: true, maintenance: '' }), 'wait'],
    ['does not give it to the operator too early', steady({ isLifecycleEnabled: true, upSince: NOW - 999 }), 'wait'],
    [
      'does not enable what was disabled before',
      steady({ incident: incident('recovered', { wasEnabled: false }), maintenance: '' }),
      'returned',
    ],
    ['holds what a person keeps in maintenance', { maintenance: 'manual', release: word() }, 'hold'],
    ['takes back its word from one that was acquitted', { incident: incident('acquitted') }, 'clear-maintenance'],
    ['leaves alone what was acquitted', { incident: incident('acquitted'), maintenance: '' }, 'returned'],
  ])('%s', (_what, part, kind) => {
    expect(decideReturn(view(part), settings, NOW).kind).toBe(kind);
  });

  it('needs a person where nothing is automatic', () => {
    const manual = { ...settings, isAutomatic: false };

    expect(decideReturn(view({}), manual, NOW)).toMatchObject({ kind: 'hold' });
    expect(decideReturn(view({ release: word() }), manual, NOW)).toEqual({ kind: 'clear-forced-down' });
  });
});

function incident(state: Incident['state'], part: Partial<Incident> = {}): Incident {
  const opened = openIncident({ id: 'i1', host: 'n1', bootId: 'boot-1', condemnedBy: [], fenceMethods: [] }, 0);
  return { ...opened, state, ...part };
}

function steady(part: Partial<ReturnView>): Partial<ReturnView> {
  return { isForcedDown: false, upSince: NOW - 1_000, ...part };
}

function word(part: Partial<NonNullable<ReturnView['release']>> = {}) {
  return { by: 'ann', host: 'n1', incidentId: 'i1', ...part };
}

function view(part: Partial<ReturnView>): ReturnView {
  return {
    incident: incident('recovered'),
    judgement: { kind: 'alive', by: 'agent', lastLifeAt: NOW, isRebooted: true },
    bootId: 'boot-2',
    isForcedDown: true,
    isEnabled: false,
    maintenance: 'ha',
    isLifecycleEnabled: false,
    upSince: undefined,
    openEvacuations: 0,
    release: undefined,
    ...part,
  };
}
