import { describe, expect, it } from 'vitest';

import type { PowerLevel, PowerSettings } from './power-settings.ts';
import { defaultPowerSettings } from './power-settings.ts';
import { powerSettingsProblems } from './power-settings-problems.ts';

const account = { user: 'fencer', passwordFile: '/etc/smalt/password' };
const good: PowerLevel = { driver: 'redfish', name: 'bmc', url: 'https://{host}.bmc.example', ...account };
const person: PowerLevel = { driver: 'person', name: 'person' };

describe('powerSettingsProblems', () => {
  it.each<{ what: string; levels: readonly PowerLevel[] }>([
    { what: 'Redfish by name', levels: [good] },
    { what: 'Redfish with a UUID from a label', levels: [{ ...good, systemUuid: '{label:uuid}' }] },
    { what: 'Redfish by a map', levels: [{ ...good, perHost: { a: { url: 'https://192.0.2.4' } } }] },
    { what: 'IPMI by address', levels: [{ driver: 'ipmi', name: 'ipmi', address: '{address}', ...account }] },
    { what: 'a command', levels: [{ driver: 'command', name: 'pdu', command: ['/opt/pdu', '{host}'] }] },
    { what: 'one host alone', levels: [{ ...good, url: 'https://192.0.2.1', hosts: ['node1'] }] },
    { what: 'IronCore', levels: [{ driver: 'ironcore', name: 'iron', server: '{host}', namespace: 'metal' }] },
    { what: 'a person at the end', levels: [good, person] },
    { what: 'a person for some hosts', levels: [{ ...person, hosts: ['old-*'] }, good] },
  ])('has nothing against $what', ({ levels }) => {
    expect(powerSettingsProblems(settings({ levels }))).toEqual([]);
  });

  it.each<{ levels: readonly PowerLevel[]; problem: string }>([
    { levels: [], problem: 'levels: nothing could be powered off' },
    { levels: [good, good], problem: 'levels: the name bmc is there more than once' },
    { levels: [{ ...good, name: 'Der BMC' }], problem: 'levels: the name "Der BMC" has to be' },
    { levels: [person, good], problem: 'levels: bmc stands after a person' },
    { levels: [{ ...good, hosts: [] }], problem: 'levels[0].hosts: is empty' },
    { levels: [{ ...good, url: 'https://{name}.bmc' }], problem: 'levels[0].url: {name} is no field' },
    { levels: [{ ...good, url: 'https://bmc.example' }], problem: 'levels[0].url: is the same for all hosts' },
    { levels: [{ ...good, url: 'http://{host}' }], problem: 'levels[0].url has to start with https://' },
    { levels: [{ ...good, user: 'a:b' }], problem: 'levels[0].user has to be a name' },
    { levels: [{ ...good, systemUuid: 'abc' }], problem: 'levels[0].systemUuid has to be a UUID' },
    { levels: [{ ...good, timeoutMs: 0 }], problem: 'levels[0].timeoutMs' },
    { levels: [{ ...good, perHost: { a: { url: 'ftp://x' } } }], problem: 'levels[0].perHost.a: url has to start' },
    {
      levels: [{ driver: 'ipmi', name: 'ipmi', address: '{host}', ...account, cipherSuite: 0 }],
      problem: 'levels[0].cipherSuite has to be from 1 to 17',
    },
    {
      levels: [{ driver: 'command', name: 'pdu', command: ['pdu', '{host}'] }],
      problem: 'levels[0].command has to start with the full path',
    },
    {
      levels: [{ driver: 'command', name: 'pdu', command: ['/opt/pdu', 'off'] }],
      problem: 'levels[0].command[0]: is the same for all hosts',
    },
  ])('finds that $problem', ({ levels, problem }) => {
    expect(powerSettingsProblems(settings({ levels })).join('\n')).toContain(problem);
  });

  it.each([
    { command: ['ovn-sbctl'], problem: 'cleanUp[0].command: has to start with the full path' },
    { command: [], problem: 'cleanUp[0].command: has to start with the full path' },
    { command: ['/bin/x', '{node}'], problem: 'cleanUp[0].command: {node} is no field' },
  ])('finds that $problem', ({ command, problem }) => {
    const found = powerSettingsProblems(settings({ cleanUp: [{ name: 'ovn', command }] }));

    expect(found.join('\n')).toContain(problem);
  });

  it('wants readings in peace time that leave controllers some peace', () => {
    const found = powerSettingsProblems(settings({ check: { intervalMs: 10, concurrency: 0 } }));

    expect(found).toEqual([
      'check.intervalMs: 10 has to be at least 1000, or 0 for no readings in peace time',
      'check.concurrency: 0 has to be at least 1',
    ]);
  });
});

function settings(changes: Partial<PowerSettings>): PowerSettings {
  return { ...defaultPowerSettings, levels: [good], ...changes };
}
