import { EventEmitter } from 'node:events';

import { freePorts, installDefinitions, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { schedulerFields } from '@smalt/scheduler';
import { virtControllerFields } from '@smalt/virt-controller';
import { readVmDefinitions, virtualMachineKind } from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { schedulerCommand } from './scheduler-command.ts';
import { virtControllerCommand } from './virt-controller-command.ts';

interface PlacedPod extends KubernetesObject {
  readonly spec: { readonly nodeName?: string };
}

const podKind: KindReference<PlacedPod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', isNamespaced: true };
const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

const owned = new AsyncDisposableStack();
let server: TestApiServer;
let client: KubeClient;

beforeAll(async () => {
  server = owned.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
});

afterAll(() => owned.disposeAsync());

it('refuses a cluster that does not know virtual machines, with what to do', async () => {
  const program = fakeProgram([]);

  await expect(virtControllerCommand(program.context)).rejects.toThrow(
    'does not know virtualmachines.kubevirt.io, virtualmachineinstances.kubevirt.io',
  );
});

it(
  'runs machines up to their node until both are told to stop, and answers for itself',
  { timeout: 60_000 },
  async () => {
    await installDefinitions(client, await readVmDefinitions(), AbortSignal.timeout(20_000));
    const [port = 0, schedulerPort = 0] = await freePorts(2);
    const controller = fakeProgram(['--listen', `127.0.0.1:${port}`, '--leader-elect', '--launcher-image=launcher:1']);
    const scheduler = fakeProgram(['--listen', `127.0.0.1:${schedulerPort}`]);

    const ended = Promise.all([virtControllerCommand(controller.context), schedulerCommand(scheduler.context)]);
    await expect.poll(() => controller.readyCount() + scheduler.readyCount(), { timeout: 20_000 }).toBe(2);
    await client.resource(nodeKind).create(node());
    await client.resource(virtualMachineKind).create(machine());
    const nodeNames = async (): Promise<readonly (string | undefined)[]> =>
      (await client.resource(podKind).list()).items.map(({ spec }) => spec.nodeName);
    await expect.poll(nodeNames, { timeout: 15_000 }).toEqual(['n1']);
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const placed = await (await fetch(`http://127.0.0.1:${schedulerPort}/metrics`)).text();
    for (const program of [controller, scheduler]) program.process.emit('SIGTERM', 'SIGTERM');

    expect(await ended).toEqual([0, 0]);
    expect(ready.status).toBe(200);
    expect(metrics).toMatch(/^leader_election_master_status\{name="virt-controller"\} 1$/m);
    expect(metrics).toMatch(/^kubevirt_number_of_vms\{namespace="default"\} 1$/m);
    expect(metrics).toMatch(/^kubevirt_vmi_phase_count\{phase="Scheduling",node=""\} 1$/m);
    expect(placed).toMatch(/^scheduler_schedule_attempts_total\{result="scheduled",profile="default-scheduler"\} 1$/m);
  },
);

it.each([
  { command: virtControllerCommand, fields: virtControllerFields() },
  { command: schedulerCommand, fields: schedulerFields() },
])('prints every flag of $command.name', async ({ command, fields }) => {
  const program = fakeProgram(['--help']);

  expect(await command(program.context)).toBe(0);
  const text = program.output.join('');
  for (const { flag } of fields) expect(text).toContain(`--${flag}`);
});

it.each([
  { command: virtControllerCommand, words: ['--launcher-node-selector=x'], message: 'KEY=VALUE, such as zone=a' },
  { command: virtControllerCommand, words: ['--rollouts=Stage'], message: 'did you mean "--rollout"?' },
  { command: virtControllerCommand, words: ['--listen=x'], message: '--listen must be an address and a port' },
  { command: schedulerCommand, words: ['--listen=x'], message: '--listen must be an address and a port' },
  { command: schedulerCommand, words: ['--scheduler-name='], message: '--scheduler-name' },
])('refuses $words in one sentence', async ({ command, words, message }) => {
  await expect(command(fakeProgram(words).context)).rejects.toThrow(message);
});

function node() {
  const labels = { 'kubevirt.io/schedulable': 'true', 'hypervisor.node.kubevirt.io/test': 'true' };
  const annotations = { 'kubevirt.io/heartbeat': new Date().toISOString() };
  const allocatable = { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '10Gi' };
  return { metadata: { name: 'n1', labels, annotations }, status: { allocatable } };
}

function machine() {
  const domain = { devices: {}, memory: { guest: '64Mi' } };
  const template = { spec: { hypervisor: 'test', domain } };
  return { metadata: { name: 'vm', namespace: 'default' }, spec: { runStrategy: 'Always', template } };
}

function fakeProgram(words: readonly string[]) {
  const output: string[] = [];
  let readies = 0;
  const process = Object.assign(new EventEmitter(), { exit: () => undefined });
  const context: CommandContext = {
    arguments: ['--kubeconfig', server.kubeconfig, ...words],
    environment: {},
    process,
    output: { write: (text) => output.push(text) },
    errors: { write: () => undefined },
    onReady: () => void readies++,
  };
  return { context, process, output, readyCount: () => readies };
}
