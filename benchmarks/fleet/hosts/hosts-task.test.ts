import { expect, it } from 'vitest';

import { readHostsTask, type HostsTask } from './hosts-task.ts';

const TASK: HostsTask = {
  kubeconfig: '/k',
  folder: '/f',
  haService: { url: 'https://127.0.0.1:1', secret: 's', authorityFile: '/ca' },
  hosts: [{ name: 'node1', uri: 'test+tcp://127.0.0.1:1/default' }],
};

it('reads what it is told', () => {
  expect(readHostsTask(JSON.stringify(TASK))).toEqual(TASK);
});

it('refuses what is not whole, by name', () => {
  expect(() => readHostsTask(JSON.stringify({ ...TASK, folder: 7 }))).toThrow('folder');
  expect(() => readHostsTask(JSON.stringify({ ...TASK, hosts: {} }))).toThrow('hosts');
  expect(() => readHostsTask('[]')).toThrow('not an object');
});
