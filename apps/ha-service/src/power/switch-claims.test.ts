import { expect, it } from 'vitest';

import { levelsOf } from './host-level.ts';
import type { HostPowerFacts } from './host-power-facts.ts';
import type { CommandLevel, PowerLevel, RedfishLevel } from './power-settings.ts';
import { SwitchClaims } from './switch-claims.ts';

it('names another host that says the same of its switch, as all say now', () => {
  const world = new World();
  world.put({ name: 'n1', address: 'a' });
  world.put({ name: 'n2', address: 'b' });

  const answers = [world.rivalOf('n1')];
  world.put({ name: 'n2', address: 'a' });
  answers.push(world.rivalOf('n1'), world.rivalOf('n2'));
  world.hosts.delete('n1');
  answers.push(world.rivalOf('n2'));
  world.put({ name: 'n3', address: 'a' });
  world.hosts.delete('n2');
  answers.push(world.rivalOf('n3'));

  expect(answers).toEqual([undefined, 'n2', 'n1', undefined, undefined]);
});

it('goes by the settings of now, and by labels where they have them', () => {
  const world = new World();
  world.put({ name: 'n1', address: 'a', labels: { outlet: '1' } });
  world.put({ name: 'n2', address: 'b', labels: { outlet: '1' } });

  const before = world.rivalOf('n1');
  world.levels = [level('{label:outlet}')];

  expect([before, world.rivalOf('n1')]).toEqual([undefined, 'n2']);
});

it('does not count a level that a host has not', () => {
  const world = new World();
  world.put({ name: 'n1', address: undefined });
  world.put({ name: 'n2', address: undefined });
  world.levels = [{ ...level('{address}'), hosts: ['n1'] }, level('fixed-{host}')];

  expect([world.rivalOf('n1'), world.rivalOf('n2')]).toEqual([undefined, undefined]);
});

it('counts a switch that two levels of two hosts go to', () => {
  const world = new World();
  world.levels = [
    { ...level('{address}'), hosts: ['n1'] },
    { ...level('{label:outlet}'), hosts: ['n2'] },
  ];
  world.put({ name: 'n1', address: 'a' });
  world.put({ name: 'n2', address: undefined, labels: { outlet: 'a' } });

  expect(world.rivalOf('n1')).toBe('n2');
});

it('leaves a switch that names its system by its UUID to its host, whatever names no system at the same address', () => {
  const world = new World();
  world.levels = [BLADE, { driver: 'ipmi', name: 'ipmi', ...ACCOUNT, address: '{address}' }];
  world.put({ name: 'n1', address: '192.0.2.7', labels: { uuid: 'aaaaaaaa-0000-0000-0000-000000000000' } });
  world.put({ name: 'n2', address: '192.0.2.7', labels: { uuid: 'bbbbbbbb-0000-0000-0000-000000000000' } });

  const two = [world.rivalsOf('n1'), world.rivalsOf('n2')];
  world.put({ name: 'n2', address: '192.0.2.7' });
  const unnamed = [world.rivalsOf('n1'), world.rivalsOf('n2')];
  world.put({ name: 'n2', address: '192.0.2.7', labels: { uuid: 'AAAAAAAA-0000-0000-0000-000000000000' } });
  const same = [world.rivalsOf('n1'), world.rivalsOf('n2')];

  expect(two).toEqual([
    [undefined, 'n2'],
    [undefined, 'n1'],
  ]);
  expect(unnamed).toEqual([[undefined, 'n2'], ['n1']]);
  expect(same).toEqual([
    ['n2', 'n2'],
    ['n1', 'n1'],
  ]);
});

it('finds a rival that names no system by the same driver, after one that names another system', () => {
  const world = new World();
  const { systemUuid: _, ...anySystem } = BLADE;
  world.levels = [
    { ...BLADE, hosts: ['n1', 'n2'] },
    { ...anySystem, name: 'any', hosts: ['n3'] },
  ];
  world.put({ name: 'n1', address: '192.0.2.7', labels: { uuid: 'aaaaaaaa-0000-0000-0000-000000000000' } });
  world.put({ name: 'n2', address: '192.0.2.7', labels: { uuid: 'bbbbbbbb-0000-0000-0000-000000000000' } });
  world.put({ name: 'n3', address: '192.0.2.7' });

  expect(['n1', 'n2', 'n3'].map((name) => world.rivalsOf(name))).toEqual([['n3'], ['n3'], ['n1']]);
});

const ACCOUNT = { user: 'fencer', passwordFile: '/etc/password' };

const BLADE: RedfishLevel = {
  driver: 'redfish',
  name: 'bmc',
  ...ACCOUNT,
  url: 'https://{address}',
  systemUuid: '{label:uuid}',
};

class World {
  readonly hosts = new Map<string, HostPowerFacts>();
  levels: readonly PowerLevel[] = [level('{address}')];
  readonly #claims = new SwitchClaims({
    settings: () => ({ levels: this.levels }),
    fleet: () => [...this.hosts.values()],
  });

  put({ name, address, labels = {} }: Partial<HostPowerFacts> & Pick<HostPowerFacts, 'name'>): void {
    this.hosts.set(name, { name, address, labels });
  }

  /** By the first level that the host has. */
  rivalOf(name: string): string | undefined {
    return this.rivalsOf(name)[0];
  }

  /** By each level that the host has. */
  rivalsOf(name: string): readonly (string | undefined)[] {
    const facts = this.hosts.get(name) ?? { name, address: undefined, labels: {} };
    return levelsOf({ levels: this.levels }, facts).map((each) => this.#claims.rivalOf(name, each));
  }
}

function level(outlet: string): CommandLevel {
  return { driver: 'command', name: 'pdu', command: ['/opt/pdu', outlet] };
}
