import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runDoctor } from '../doctor/run-doctor.ts';
import { exitCodeOf } from '../output/exit-code.ts';
import { startCliBed, type CliBed } from '../output/fixtures/cli-bed.ts';
import { listText } from '../output/print-list.ts';
import { startHighAvailability, type HighAvailability } from '../up/start-high-availability.ts';
import { installConsoleAdmin } from '../up/console-entry.ts';
import { tellHistory, type ToldHistory } from './fixtures/told-history.ts';
import { hostsListing, incidentListing, incidentsListing, statusListing } from './ha-views.ts';
import { runHaHosts, runHaIncidents, runHaStatus, runHaWord, type HaFlags } from './run-ha-command.ts';

const NOW = new Date('2026-01-02T03:04:05Z');
const INCIDENT = {
  id: 'i1',
  host: 'n1',
  state: 'fencing',
  openedAt: '2026-01-02T03:00:00.000Z',
  wait: { reason: 'no-proof', message: 'no proof that it is off', needsPerson: true },
  needsPerson: true,
  proof: null,
  instances: { waiting: 2 },
  journal: [{ at: '2026-01-02T03:00:00.000Z', kind: 'opened', message: 'all signals are gone', by: null }],
};

/** The oldest one waits for a person; all others are over. */
const LONG_HISTORY = [
  ...Array.from({ length: 200 }, (_, number) => ({
    id: `over-${number}`,
    host: 'n2',
    state: 'closed',
    needsPerson: false,
  })),
  { id: 'waits', host: 'n1', state: 'fencing', needsPerson: true },
];

describe('the views', () => {
  it('tell of hosts by their signals', async () => {
    const signals = [
      { source: 'agent', aliveAgeSeconds: 2, deadSinceAgeSeconds: null },
      { source: 'node-lease', aliveAgeSeconds: 40, deadSinceAgeSeconds: 30 },
    ];
    const host = { name: 'n1', judgement: { kind: 'alive' }, signals, instances: 3, isSwitchedOn: true };

    expect(await listText(hostsListing([host]), 'table')).toBe(
      [
        'HOST  JUDGEMENT  SIGNALS                                  INSTANCES  WATCHED  HELD BY  INCIDENT',
        'n1    alive      agent 2 s ago, node-lease dead for 30 s  3          yes',
        '',
      ].join('\n'),
    );
  });

  it('tell of incidents, and whom they wait for', async () => {
    const text = await listText(incidentsListing([INCIDENT], NOW), 'table');

    expect(text).toContain('i1        n1    fencing  4 m 5 s  2 waiting  a person: no proof that it is off');
  });

  it('tell one incident from its beginning', async () => {
    const text = await listText(incidentListing(INCIDENT), 'table');

    expect(text).toContain('2026-01-02T03:00:00.000Z  opened');
    expect(text).toContain('all signals are gone');
    expect(text).toMatch(/proof that it is off +none yet/);
  });

  it('tell what came first first, though the service tells what came last', async () => {
    const [first] = INCIDENT.journal;
    const last = { at: '2026-01-02T03:04:00.000Z', kind: 'fence', message: 'it was told to power off', by: null };

    const text = await listText(incidentListing({ ...INCIDENT, journal: [last, first ?? last] }), 'table');

    expect(text.indexOf('all signals are gone')).toBeLessThan(text.indexOf('it was told to power off'));
  });

  it('say where the beginning of a long story is left out', async () => {
    const journal = Array.from({ length: 500 }, () => INCIDENT.journal).flat();

    const [long, short] = await Promise.all([
      listText(incidentListing({ ...INCIDENT, journal }), 'table'),
      listText(incidentListing({ ...INCIDENT, journal: journal.slice(1) }), 'table'),
    ]);

    expect(long).toContain('what was before this is left out');
    expect(short).not.toContain('left out');
  });

  it('say when a source is blind', async () => {
    const sources = [{ name: 'agent', reachableSince: null, isRequired: true }];

    const text = await listText(statusListing({ isLeading: true, isPaused: false }, sources, []), 'table');

    expect(text).toContain('source agent  blind: no host is condemned without it');
  });
});

describe('with a real service', () => {
  let bed: CliBed;
  let service: HighAvailability;
  let flags: HaFlags;

  beforeAll(async () => {
    bed = await startCliBed({ hasRoles: true });
    const signal = new AbortController().signal;
    await installConsoleAdmin(bed.admin, signal);
    const listen = { host: '127.0.0.1', port: 0 };
    const { accounts, log } = bed;
    const directory = join(bed.directory, 'ha');
    service = await startHighAvailability({ directory, listen, accounts, now: () => new Date(), log }, signal);
    flags = { haUrl: service.url, haCa: service.authorityFile, output: 'table' };
  }, 60_000);

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await bed[Symbol.asyncDispose]();
  });

  it('is paused with a note, says so, and goes on', async () => {
    const [paused, status, resumed] = [bed.program(), bed.program(), bed.program()];

    await runHaWord(paused, { kind: 'pause' }, { ...flags, note: 'maintenance of the network' });
    await runHaStatus(status, flags);
    await runHaWord(resumed, { kind: 'resume' }, { ...flags, note: 'done', output: 'json' });

    expect(paused.printed()).toContain('high availability is paused');
    expect(status.printed()).toMatch(/^paused +yes$/m);
    expect(status.printed()).toMatch(/^you are +system:serviceaccount:smalt-system:smalt-console-admin, operator$/m);
    expect(JSON.parse(resumed.printed())).toMatchObject({ isPaused: false });
  });

  it('lists hosts and incidents, also for programs', async () => {
    const [hosts, incidents] = [bed.program(), bed.program()];

    await runHaHosts(hosts, { ...flags, output: 'yaml' });
    await runHaIncidents(incidents, undefined, flags);

    expect(hosts.printed()).toMatch(/^(\[\]|- name:)/);
    expect(incidents.printed()).toBe('There was no incident.\n');
  });

  it('never leaves out an incident that is open, however many came after it', async () => {
    await using history = await tellHistory(LONG_HISTORY);
    const [list, open, doctor] = [bed.program(), bed.program(), bed.program()];

    await runHaIncidents(list, undefined, flagsOf(history));
    await runHaIncidents(open, undefined, { ...flagsOf(history), open: true });
    await runDoctor(doctor, { ...flagsOf(history), output: 'json', machine: false, fleet: true });

    expect(list.printed().trim().split('\n')).toHaveLength(1 + 100 + 1);
    expect(list.printed()).toMatch(/^waits +n1 +fencing .*a person: no proof that it is off$/m);
    expect(open.printed().trim().split('\n')).toHaveLength(1 + 1);
    expect(JSON.parse(doctor.printed())).toContainEqual(
      expect.objectContaining({ level: 'problem', found: 'waits for a person: no proof that it is off' }),
    );
  });

  it.each([
    ['an incident that is not there', () => runHaIncidents(bed.program(), 'i9', flags), 3, 'there is no incident i9'],
    ['no note', () => runHaWord(bed.program(), { kind: 'pause' }, flags), 2, '--note: say why'],
    [
      'no service',
      () =>
        runHaStatus({ ...bed.program(), environment: { XDG_STATE_HOME: '/none', HOME: '/none' } }, { output: 'table' }),
      2,
      'no HA service is named',
    ],
    ['a URL that is none', () => runHaStatus(bed.program(), { ...flags, haUrl: 'ha' }), 2, 'is no https URL'],
  ])('%s ends with the code and the words for that', async (_, run, code, message) => {
    const error: unknown = await run().catch((thrown: unknown) => thrown);

    expect([String(error), exitCodeOf(error)]).toEqual([expect.stringContaining(message), code]);
  });
});

function flagsOf({ url, authorityFile, tokenFile }: ToldHistory): HaFlags {
  return { haUrl: url, haCa: authorityFile, tokenFile, output: 'table' };
}
