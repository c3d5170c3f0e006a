import { describe, expect, it } from 'vitest';

import { deadHost, host, NOW, signal, silent } from '../fixtures/host-builders.ts';
import { record } from '../fixtures/incident-builders.ts';
import {
  defaultDetectionSettings,
  judgeFleet,
  refuseBeside,
  type BrakeSettings,
  type FleetView,
  type HostView,
  type OpenIncident,
  type RebuildRecord,
  type ServiceView,
  type Verdict,
} from '../index.ts';

const WINDOW_MS = defaultDetectionSettings.brakes.missingWindowMs;
const WAIT = { reason: 'no-proof', message: '', needsPerson: true } as const;
const MANY = Array.from({ length: 40 }, (_, index) => host(`h${index}`));

describe('judgeFleet', () => {
  it('lets the one dead host of a sound fleet be recovered', () => {
    const { judgements, verdicts } = judged({ hosts: [...MANY, deadHost('n1')] });

    expect(verdicts).toMatchObject([{ kind: 'open', host: 'n1' }]);
    expect(judgements.size).toBe(41);
  });

  it.each<[string, string, Partial<HostView>]>([
    ['manual maintenance', 'maintenance', { maintenance: 'manual' }],
    ['automatic maintenance', 'maintenance', { maintenance: 'auto' }],
    ['termination', 'maintenance', { maintenance: 'termination' }],
    ['an earlier recovery', 'held', { isHeld: true }],
    ['highAvailability: false', 'not-highly-available', { isHighlyAvailable: false }],
    ['no onboarding', 'not-onboarded', { isOnboarded: false }],
    ['a kernel dump', 'kdump', { kdumpUntil: NOW + 1 }],
    ['no instances', 'no-instances', { relevantInstances: 0 }],
    ['instances that nobody has counted', 'instances-unknown', { relevantInstances: undefined }],
    ['a compute service that nobody has watched for long enough', 'blind', { isUnwatched: true }],
  ])('does nothing because of %s', (_what, brake, part) => {
    expect(judged({ hosts: [...MANY, deadHost('n1', part)] }).verdicts).toMatchObject([
      { kind: 'refuse', refusal: { brake, message: expect.stringContaining('n1') } },
    ]);
  });

  it.each<[string, Partial<HostView>]>([
    ['a kernel dump that is over', { kdumpUntil: NOW }],
    ['maintenance that is our own', { maintenance: 'ha' }],
  ])('is not held up by %s', (_what, part) => {
    expect(judged({ hosts: [...MANY, deadHost('n1', part)] }).verdicts).toMatchObject([{ kind: 'open' }]);
  });

  it('waits for the compute system to have watched a host whose agent and lease are silent, and for no longer', () => {
    const dead = deadHost('n1', { signals: [silent('agent', 600_000), silent('node-lease', 600_000)] });
    const look = (isUnwatched: boolean) => judged({ hosts: [...MANY, { ...dead, isUnwatched }] });

    const { judgements, verdicts } = look(true);

    expect(verdicts.map(short)).toEqual(['n1 blind']);
    expect(verdicts).toMatchObject([{ refusal: { message: expect.stringMatching(/watched n1 .* heartbeat/u) } }]);
    expect(judgements.get('n1')).toMatchObject({ kind: 'condemned', isUnwatched: true });
    expect(look(false).verdicts.map(short)).toEqual(['n1 open']);
  });

  it.each<[string, string, Partial<ServiceView>]>([
    ['it has only just started', 'warm-up', { startedAt: NOW - 299_999 }],
    ['the clock went back to before its start', 'warm-up', { startedAt: NOW + 1 }],
    ['it cannot reach Kubernetes', 'blind', { kubernetesSince: undefined }],
    ['it cannot reach the compute system', 'blind', { computeSince: undefined }],
    ['it cannot reach its store', 'blind', { storeSince: undefined }],
    ['it has reached them for a moment only', 'blind', { computeSince: NOW - 59_999 }],
    ['it has opened another a moment ago', 'interval', { lastOpenedAt: NOW - 299_999 }],
  ])('does nothing while %s', (_what, brake, part) => {
    const verdicts = judged({ hosts: [...MANY, deadHost('n1')], service: part }).verdicts;

    expect(verdicts).toMatchObject([{ kind: 'refuse', refusal: { brake } }]);
  });

  it.each<[string, Partial<BrakeSettings>]>([
    ['paused', { isPaused: true }],
    ['dry-run', { isDryRun: true }],
  ])('does nothing when it is told %s', (brake, part) => {
    expect(judged({ hosts: [...MANY, deadHost('n1')], brakes: part }).verdicts).toMatchObject([
      { kind: 'refuse', refusal: { brake } },
    ]);
  });

  it('takes one at a time, the one that died first', () => {
    const hosts = [...MANY, deadHost('n1'), deadHost('n2', {}, 700_000)];

    expect(judged({ hosts }).verdicts.map(short)).toEqual(['n2 open', 'n1 interval']);
  });

  it('does nothing when too many are missing, by share or by number', () => {
    const four = ['a', 'b', 'c', 'd'].map((name) => deadHost(name));
    const nearby = [...MANY.slice(0, 30), ...four];

    expect(judged({ hosts: nearby }).verdicts.map(short)).toEqual(four.map(({ name }) => `${name} mass-failure`));
    expect(judged({ hosts: [...MANY, ...four] }).verdicts.map(short)[0]).toBe('a open');
    expect(judged({ hosts: [...MANY, ...four], brakes: { maximumMissing: 3 } }).verdicts.map(short)[0]).toBe(
      'a mass-failure',
    );
  });

  it('counts those that it cannot see as missing since it began to watch, but not those that were taken away', () => {
    const unseen = ['a', 'b', 'c', 'd'].map((name) => host(name, { signals: [] }));
    const away = ['a', 'b', 'c', 'd'].map((name) => host(name, { signals: [], maintenance: 'manual' }));
    const service = { startedAt: NOW - 600_000 };
    const look = (others: readonly HostView[], given: Partial<ServiceView> = service) =>
      judged({ hosts: [...MANY, ...others, deadHost('n1')], service: given }).verdicts.map(short);

    expect(look(unseen)).toEqual(['n1 mass-failure']);
    expect(look(unseen, {})).toEqual(['n1 open']);
    expect(look(away)).toEqual(['n1 open']);
  });

  it.each<[string, HostView, string]>([
    ['was lost at about the same time', lostAgo(600_000 + WINDOW_MS), 'mass-failure'],
    ['was lost long before', lostAgo(600_001 + WINDOW_MS), 'open'],
    ['is only suspected yet', lostAgo(60_000), 'mass-failure'],
    ['is empty and was lost with it', deadHost('n0', { relevantInstances: 0 }, 600_000 + WINDOW_MS), 'mass-failure'],
    ['is empty and was lost long before', deadHost('n0', { relevantInstances: 0 }, 600_001 + WINDOW_MS), 'open'],
  ])('in a fleet that may miss one, with another host that %s', (_what, other, expected) => {
    const { verdicts } = judged({ hosts: [...MANY.slice(0, 10), other, deadHost('n1')] });

    expect(verdicts.map(short)).toContain(`n1 ${expected}`);
  });

  it('holds a mass failure for one however long it lasts, and lets a host be recovered that dies long after it', () => {
    const four = ['a', 'b', 'c', 'd'].map((name, index) => deadHost(name, {}, 9_000_000 - index * 60_000));

    const { verdicts } = judged({ hosts: [...MANY.slice(0, 30), ...four, deadHost('n1')] });

    expect(verdicts.map(short)).toEqual([...four.map(({ name }) => `${name} mass-failure`), 'n1 open']);
  });

  it('takes a host for lost since it began to watch when nobody saw when it lived', () => {
    const once = ['a', 'b', 'c', 'd'].map((name) => deadSinceEver(name));
    const known = once.map(({ signals, ...each }) =>
      host(each.name, { signals: [...signals, silent('agent', 9_000_000)] }),
    );
    const [within, outside] = [{ startedAt: NOW - 600_000 - WINDOW_MS }, { startedAt: NOW - 600_001 - WINDOW_MS }];
    const [many, dead] = [MANY.slice(0, 30), deadHost('n1')];

    const looks = [
      judged({ hosts: [...many, ...once, dead], service: within }),
      judged({ hosts: [...many, ...once, dead], service: outside }),
      judged({ hosts: [...many, ...known, dead], service: within }),
    ];

    expect(looks.map(({ verdicts }) => verdicts.map(short))).toEqual([['n1 mass-failure'], ['n1 open'], ['n1 open']]);
  });

  it('counts all that are missing, whenever they were lost, until it has watched for one window', () => {
    const old = ['a', 'b', 'c', 'd'].map((name) => deadHost(name, {}, 9_000_000));
    const look = (startedAt: number) =>
      judged({ hosts: [...MANY.slice(0, 30), ...old, deadHost('n1')], service: { startedAt } });

    expect(look(NOW - WINDOW_MS + 1).verdicts.map(short)).toContain('n1 mass-failure');
    expect(look(NOW - WINDOW_MS + 1).isBrakeUsedUp).toBe(true);
    expect(look(NOW - WINDOW_MS).verdicts.map(short)).toContain('n1 open');
    expect(look(NOW - WINDOW_MS).isBrakeUsedUp).toBe(false);
  });

  it('holds a mass failure for one however long it lasts when some of its hosts are empty', () => {
    const empty = ['a', 'b', 'c'].map((name) => deadHost(name, { relevantInstances: 0 }, WINDOW_MS + 60_000));

    const { verdicts } = judged({ hosts: [...MANY.slice(0, 30), ...empty, deadHost('n1', {}, WINDOW_MS + 60_000)] });

    expect(verdicts.map(short)).toContain('n1 mass-failure');
  });

  it.each([
    { apartMs: 240_000, expected: 'mass-failure' },
    { apartMs: WINDOW_MS, expected: 'mass-failure' },
    { apartMs: WINDOW_MS + 1, expected: 'open' },
  ])(
    'says $expected of a host that is lost $apartMs ms after one that no fence proves off',
    ({ apartMs, expected }) => {
      const cut = deadHost('n0', { maintenance: 'ha' }, 600_000 + apartMs);
      const openIncidents = [{ id: 'i0', host: 'n0', wait: WAIT }];

      const { verdicts } = judged({ hosts: [...MANY.slice(0, 8), cut, deadHost('n1')], openIncidents });

      expect(verdicts.map(short)).toContain(`n1 ${expected}`);
    },
  );

  it.each<[boolean, string, readonly HostView[], Partial<Given>]>([
    [false, 'nobody is missing', [], {}],
    [true, 'as many are missing as may be', [lostAgo(180_000)], {}],
    [false, 'it has only just been lost', [lostAgo(179_999)], {}],
    [false, 'it was lost long ago', [lostAgo(WINDOW_MS + 1)], {}],
    [false, 'more may be', [lostAgo(180_000)], { brakes: { maximumMissingShare: 0.5 } }],
    [false, 'it is proved to be off', [deadHost('n0')], { openIncidents: [{ id: 'i0', host: 'n0', proof: word() }] }],
  ])('says %s of whether one more would be too many when %s', (expected, _what, others, given) => {
    const { isBrakeUsedUp } = judged({ hosts: [...MANY.slice(0, 11), ...others], ...given });

    expect(isBrakeUsedUp).toBe(expected);
  });

  it.each<[string, Partial<OpenIncident> | undefined, Partial<HostView>, string]>([
    ['marked as ours', {}, { maintenance: 'ha' }, 'mass-failure'],
    ['marked by an incident that is over', undefined, { maintenance: 'ha' }, 'mass-failure'],
    ['proved to be off', { proof: word() }, { maintenance: 'ha' }, 'open'],
    ['waiting for a person', { wait: WAIT }, {}, 'mass-failure'],
    ['held', undefined, { isHeld: true }, 'open'],
    ['being taken away', undefined, { maintenance: 'termination' }, 'open'],
    ['not highly available', undefined, { isHighlyAvailable: false }, 'open'],
    ['left alone by the policy', undefined, { policyObjection: 'its segment is off' }, 'open'],
    ['not onboarded', undefined, { isOnboarded: false }, 'open'],
  ])('with another host that is %s', (_what, incident, part, expected) => {
    const other = deadHost('n0', part, 700_000);
    const openIncidents = incident === undefined ? [] : [{ id: 'i0', host: 'n0', ...incident }];

    const { verdicts } = judged({ hosts: [...MANY.slice(0, 17), other, deadHost('n1')], openIncidents });

    expect(verdicts.map(short)).toContain(`n1 ${expected}`);
  });

  it('counts those that are left alone neither as missing nor as hosts', () => {
    const alone = MANY.slice(0, 30).map((each) => ({ ...each, isHighlyAvailable: false }));

    const { verdicts } = judged({ hosts: [...alone, ...MANY.slice(30), deadHost('n1'), deadHost('n2')] });

    expect(verdicts.map(short)).toEqual(['n1 mass-failure', 'n2 mass-failure']);
    expect(verdicts[0]).toMatchObject({ refusal: { message: expect.stringContaining('2 of 12 hosts are missing') } });
  });

  it('lets an incident that waits for a person hold up nobody of its domain, nor by its number', () => {
    const hosts = [...MANY, ...names(2).map((name) => deadHost(name)), deadHost('n1', { failureDomain: 'rack-d0' })];
    const waiting = names(2).map((name) => ({ id: name, host: name, wait: WAIT }));

    const others = waiting.map((each) => ({ ...each, wait: { ...WAIT, needsPerson: false } }));

    expect(judged({ hosts, openIncidents: waiting }).verdicts.map(short)).toContain('n1 open');
    expect(judged({ hosts, openIncidents: others }).verdicts.map(short)).toContain('n1 too-many-open');
  });

  it('lets an incident that only waits for states of instances to pass hold up nobody, as long as nothing else is left', () => {
    const passing = record('a', { passesSince: NOW - 1_000 });
    const hosts = [...MANY, deadHost('n0'), deadHost('n1', { failureDomain: 'rack-n0' })];
    const openIncident = { id: 'i0', host: 'n0', proof: word(), state: 'rebuilding' as const };
    const look = (instances: readonly RebuildRecord[]) =>
      judged({ hosts, openIncidents: [{ ...openIncident, instances }] }).verdicts.map(short);

    expect(look([passing, record('b', { state: 'rebuilt' })])).toContain('n1 open');
    expect(look([passing, record('b')])).toContain('n1 failure-domain');
    expect(look([passing, record('b', { state: 'asked' })])).toContain('n1 failure-domain');
    expect(look([])).toContain('n1 failure-domain');
  });

  it('keeps to the number of open incidents, and to one in a failure domain', () => {
    const other = deadHost('n0', { failureDomain: 'rack' });
    const hosts = [...MANY, other, deadHost('n1', { failureDomain: 'rack' })];
    const openIncidents = [{ id: 'i0', host: 'n0' }];

    expect(judged({ hosts, openIncidents }).verdicts.map(short)).toEqual(['n0 proceed', 'n1 failure-domain']);
    expect(judged({ hosts, openIncidents, brakes: { maximumOpen: 1 } }).verdicts.map(short)).toEqual([
      'n0 proceed',
      'n1 too-many-open',
    ]);
  });

  it.each<[string, Given, string]>([
    [
      'mass-failure',
      { hosts: [...MANY, ...names(12).map((name) => deadHost(name))] },
      'hosts are missing at once, at most 5 may be: d0, d1, d2, d3, d4, d5, d6, d7, d8, d9 and 2 more',
    ],
    [
      'failure-domain',
      {
        hosts: [...MANY, deadHost('n0', { failureDomain: 'rack' }), deadHost('n1', { failureDomain: 'rack' })],
        openIncidents: [{ id: 'i0', host: 'n0' }],
      },
      'n1 waits: 1 hosts of failure domain rack are being recovered, at most 1 may be: n0',
    ],
    [
      'too-many-open',
      { hosts: [...MANY, deadHost('n1')], openIncidents: names(2).map((name) => ({ id: name, host: name })) },
      'n1 waits: 2 hosts are being recovered, at most 2 may be: d0, d1',
    ],
    [
      'interval',
      { hosts: [...MANY, deadHost('n1')], service: { lastOpenedAt: NOW - 7 } },
      'another incident was opened 7 ms ago, not 300000',
    ],
    ['warm-up', { hosts: [...MANY, deadHost('n1')], service: { startedAt: NOW - 9 } }, 'watched for 9 ms of 300000'],
    [
      'policy',
      { hosts: [...MANY, deadHost('n1', { policyObjection: 'n1 is in aggregate x' })] },
      'n1 is in aggregate x',
    ],
  ])('says by names and numbers what the brake %s holds', (brake, given, sentence) => {
    const refused = judged(given).verdicts.filter((verdict) => verdict.kind === 'refuse');

    expect(refused.map(({ refusal }) => refusal)).toContainEqual({ brake, message: expect.stringContaining(sentence) });
  });

  it('holds the brakes against incidents that are open, too', () => {
    const hosts = [...MANY, deadHost('n1', { maintenance: 'manual' })];

    expect(judged({ hosts, openIncidents: [{ id: 'i', host: 'n1' }] }).verdicts.map(short)).toEqual(['n1 maintenance']);
  });

  it('finds the few dead hosts among 10,000, and takes one of them', () => {
    const hosts = Array.from({ length: 10_000 }, (_, index) => (index % 3_000 === 7 ? deadHost : host)(`h${index}`));

    const { judgements, verdicts } = judged({ hosts });

    const condemned = [...judgements].filter(([, { kind }]) => kind === 'condemned').map(([name]) => name);
    expect(condemned).toEqual(['h7', 'h3007', 'h6007', 'h9007']);
    expect([...judgements.values()].filter(({ kind }) => kind === 'alive')).toHaveLength(9_996);
    expect(verdicts.map(short)).toEqual(['h3007 open', 'h6007 interval', 'h7 interval', 'h9007 interval']);
  });
});

describe('refuseBeside', () => {
  it('counts those that are being recovered at the moment of the opening, not of the look', () => {
    const hosts = [...MANY, deadHost('n0'), deadHost('n1')];
    const brakes = { ...defaultDetectionSettings.brakes, maximumOpen: 1 };
    const refusal = (given: Partial<OpenIncident>) =>
      refuseBeside(deadHost('n1'), { hosts, openIncidents: [{ id: 'i0', host: 'n0', ...given }] }, brakes);

    expect(refusal({ wait: WAIT })).toBeUndefined();
    expect(refusal({ wait: undefined })).toMatchObject({ brake: 'too-many-open' });
  });
});

interface Given {
  readonly hosts: readonly HostView[];
  readonly service?: Partial<ServiceView>;
  readonly openIncidents?: FleetView['openIncidents'];
  readonly brakes?: Partial<BrakeSettings>;
}

function judged({ hosts, service, openIncidents = [], brakes }: Given) {
  const sound = { startedAt: 0, kubernetesSince: 0, computeSince: 0, storeSince: 0, lastOpenedAt: undefined };
  const settings = { ...defaultDetectionSettings, brakes: { ...defaultDetectionSettings.brakes, ...brakes } };
  return judgeFleet({ hosts, service: { ...sound, ...service }, openIncidents }, settings, NOW);
}

/** A host that is missed by its agent alone, so that nothing is done about it. */
function lostAgo(forMs: number): HostView {
  return host('n0', { signals: [silent('agent', forMs)] });
}

/** A host that died before the service began, of which nothing but its lease tells. */
function deadSinceEver(name: string): HostView {
  return host(name, { signals: [signal('node-lease', { aliveAt: 0, isUndated: true })] });
}

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `d${index}`);
}

function word() {
  return { kind: 'person', since: NOW - 1_000, by: 'ann', note: 'seen' } as const;
}

function short(verdict: Verdict): string {
  return `${verdict.host} ${verdict.kind === 'refuse' ? verdict.refusal.brake : verdict.kind}`;
}
