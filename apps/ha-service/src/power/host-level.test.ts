import { describe, expect, it } from 'vitest';

import { levelsOf } from './host-level.ts';
import type { HostPowerFacts } from './host-power-facts.ts';
import type { PowerLevel } from './power-settings.ts';

describe('levelsOf', () => {
  it('gives a host the levels that are meant for it, in order, with its own addresses', () => {
    const levels: PowerLevel[] = [
      redfish({ url: 'https://{host}.bmc.example', hosts: ['node*'] }),
      { driver: 'command', name: 'pdu', command: ['/opt/pdu', '{label:outlet}'] },
      { driver: 'ironcore', name: 'iron', server: '{host}', namespace: 'metal', hosts: ['other'] },
      { driver: 'person', name: 'person' },
    ];

    const found = levelsOf({ levels }, host({ labels: { outlet: '7' } }));

    expect(found).toEqual([
      redfish({ url: 'https://node1.bmc.example', hosts: ['node*'] }),
      { driver: 'command', name: 'pdu', command: ['/opt/pdu', '7'] },
    ]);
  });

  it('leaves a level out whose address the host does not have', () => {
    const levels: PowerLevel[] = [
      redfish({ url: 'https://{address}' }),
      { driver: 'ipmi', name: 'ipmi', address: '{address}', user: 'u', passwordFile: '/p' },
      { driver: 'command', name: 'pdu', command: ['/opt/pdu', '{label:outlet}'] },
    ];

    expect(levelsOf({ levels }, host({}))).toEqual([]);
    expect(levelsOf({ levels }, host({ address: '192.0.2.1' })).map(({ name }) => name)).toEqual(['redfish', 'ipmi']);
  });

  it('prefers what is said of one host to what is said of all', () => {
    const perHost = { node1: { url: 'https://10.0.0.9:8443', user: 'root', systemPath: '/redfish/v1/Systems/{host}' } };
    const levels = [redfish({ url: 'https://{host}.bmc.example', perHost })];

    expect(levelsOf({ levels }, host({}))).toEqual([
      redfish({ url: 'https://10.0.0.9:8443', user: 'root', systemPath: '/redfish/v1/Systems/node1' }),
    ]);
    expect(levelsOf({ levels }, host({ name: 'constructor' }))).toMatchObject([
      { url: 'https://constructor.bmc.example' },
    ]);
  });
});

function host(facts: Partial<HostPowerFacts>): HostPowerFacts {
  return { name: 'node1', address: undefined, labels: {}, ...facts };
}

function redfish(changes: object): PowerLevel {
  const level = { driver: 'redfish', name: 'redfish', url: '', user: 'fencer', passwordFile: '/p' } as const;
  return { ...level, ...changes };
}
