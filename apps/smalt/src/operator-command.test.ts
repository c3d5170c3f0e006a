import { EventEmitter } from 'node:events';

import { freePorts, installDefinitions, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { startSimulatedOpenStack, type SimulatedOpenStack } from '@smalt/bed-openstack-simulator';
import { hypervisorKind, readFleetDefinitions } from '@smalt/fleet-api';
import { operatorFields } from '@smalt/hypervisor-operator';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { readOvsDefinitions } from '@smalt/ovs-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { operatorCommand } from './operator-command.ts';

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

const owned = new AsyncDisposableStack();
let server: TestApiServer;
let cloud: SimulatedOpenStack;
let client: KubeClient;

beforeAll(async () => {
  server = owned.use(await startTestApiServer());
  cloud = owned.use(await startSimulatedOpenStack());
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
});

afterAll(() => owned.disposeAsync());

it('refuses a cluster that does not know our kinds, with what to do', async () => {
  const program = fakeProgram([], cloud.environment());

  await expect(operatorCommand(program.context)).rejects.toThrow(
    'install them with kubectl apply -f deploy/helm/smalt/files/crds',
  );
});

it(
  'works until it is told to stop, answers for itself, and starts anew when OVSNodes appear',
  { timeout: 60_000 },
  async () => {
    await installDefinitions(client, await readFleetDefinitions(), AbortSignal.timeout(20_000));
    const [metricsPort = 0, healthPort = 0] = await freePorts(2);
    const words = ['--metrics-bind-address', `127.0.0.1:${metricsPort}`, '--discovery-ms=100', '--leader-elect'];
    const program = fakeProgram(
      [...words, '--health-probe-bind-address', `127.0.0.1:${healthPort}`],
      cloud.environment(),
    );

    const ended = operatorCommand(program.context);
    await expect.poll(() => program.readyCount(), { timeout: 20_000 }).toBe(1);
    await client
      .resource(nodeKind)
      .create({ metadata: { name: 'seen', labels: { 'nova.openstack.cloud.sap/virt-driver': 'kvm' } } });
    const names = async (): Promise<readonly string[]> =>
      (await client.resource(hypervisorKind).list()).items.map(({ metadata }) => metadata.name);
    await expect.poll(names, { timeout: 10_000 }).toEqual(['seen']);
    // Of kinds that have only just been declared a server may not have all at once.
    const readiness = async (): Promise<number> => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status;
    await expect.poll(readiness, { timeout: 20_000 }).toBe(200);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await installDefinitions(client, await readOvsDefinitions(), AbortSignal.timeout(20_000));
    await expect.poll(() => program.readyCount(), { timeout: 20_000 }).toBe(2);
    program.process.emit('SIGTERM', 'SIGTERM');

    expect(await ended).toBe(0);
    expect(metrics).toMatch(/^leader_election_master_status\{name="4c28796a.cloud.sap"\} 1$/m);
    expect(metrics).toMatch(/^smalt_openstack_requests_total\{service="identity",.*status="201"\} [1-9]/m);
    expect(metrics).toMatch(/^kube_customresource_hypervisor_info\{.*name="seen"/m);
  },
);

it('prints every flag', async () => {
  const program = fakeProgram(['--help']);

  expect(await operatorCommand(program.context)).toBe(0);
  const text = program.output.join('');
  for (const { flag } of operatorFields()) expect(text).toContain(`--${flag}`);
});

it('tells its version', async () => {
  const program = fakeProgram(['--version']);

  expect(await operatorCommand(program.context)).toBe(0);
  expect(program.output.join('')).toMatch(/^smalt operator \d+\.\d+\.\d+ \(\w+\/\w+\)\n$/);
});

it.each([
  { words: ['--agent-namespaces='], message: '--agent-namespaces is required' },
  { words: ['--agent-namespace=a'], message: 'unknown flag --agent-namespace; did you mean "--agent-namespaces"?' },
  { words: ['--metrics-bind-address=8080'], message: '--metrics-bind-address must be an address and a port' },
  { words: ['--health-probe-bind-address=x'], message: '--health-probe-bind-address must be an address and a port' },
  { words: ['--openstack-cloud=prod'], message: 'cloud "prod" is asked for, and none of' },
  { words: ['--label-selector=a in ('], message: 'labelSelector: ' },
  { words: ['--config=/nowhere'], message: 'the configuration file cannot be read' },
])('refuses $words in one sentence', async ({ words, message }) => {
  const program = fakeProgram(words, cloud.environment());

  await expect(operatorCommand(program.context)).rejects.toThrow(message);
});

it.each([
  { environment: {}, message: 'OS_AUTH_URL is not set' },
  { environment: { OS_PW_CMD: 'exit 7' }, message: 'OS_PW_CMD: the command ended with 7' },
])('refuses a cloud that it cannot find: $message', async ({ environment, message }) => {
  const program = fakeProgram([], { HOME: '/nowhere', ...environment });

  await expect(operatorCommand(program.context)).rejects.toThrow(message);
});

function fakeProgram(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const output: string[] = [];
  let readies = 0;
  const process = Object.assign(new EventEmitter(), { exit: () => undefined });
  const defaults = ['--kubeconfig', server.kubeconfig, '--health-probe-bind-address=0'];
  const namespaces = words.some((word) => word.startsWith('--agent-namespace')) ? [] : ['--agent-namespaces=nova'];
  const context: CommandContext = {
    arguments: [...defaults, ...namespaces, ...words],
    environment,
    process,
    output: { write: (text) => output.push(text) },
    errors: { write: () => undefined },
    onReady: () => void readies++,
  };
  return { context, process, output, readyCount: () => readies };
}
