import { expect, it } from 'vitest';

import { bondWords, bridgeWords, cardWords, controllerWords } from './switch-words.ts';

it.each([
  [
    { name: 'a', status: 'Active', ports: 1, flows: 1200, datapathType: 'system' },
    'Active, 1 port, 1,200 flows, kernel',
  ],
  [{ name: 'a', status: 'Silent', ports: 3, datapathType: 'netdev' }, 'Silent, 3 ports, user space'],
  [{ name: 'a' }, ''],
])('tells the bridge %j as "%s"', (bridge, words) => {
  expect(bridgeWords(bridge)).toBe(words);
});

it.each([
  [
    { name: 'b', status: 'Degraded', mode: 'balance-tcp', members: 2, activeMembers: 1 },
    'Degraded, balance-tcp, 1 of 2 members carry traffic',
  ],
  [{ name: 'b', status: 'Unknown', members: 2 }, 'Unknown, 2 members'],
])('tells the bond %j as "%s"', (bond, words) => {
  expect(bondWords(bond)).toBe(words);
});

it('tells a card with its speed and its bond', () => {
  expect(cardWords({ name: 'eno1', status: 'Up', speed: '25Gbps', bond: 'bond0' })).toBe('Up, 25Gbps, in bond0');
  expect(cardWords({ name: 'eno1', status: 'Down' })).toBe('Down');
});

it.each([
  [undefined, 'not used'],
  [{}, 'not used'],
  [{ connected: true, sbConnection: 'tcp:10.0.0.1:6642' }, 'connected to tcp:10.0.0.1:6642'],
  [{ connected: false }, 'not connected'],
])('tells the controller %j as "%s"', (controller, words) => {
  expect(controllerWords(controller)).toBe(words);
});
