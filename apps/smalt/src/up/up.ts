import { readFile } from 'node:fs/promises';

import type { ConsoleServer } from '@smalt/console';
import { messageOf, type Logger } from '@smalt/service-runtime';

import type { HostAgents } from '../host/start-host-agents.ts';
import { startTogether } from '../start-together.ts';
import { MachineAccounts } from '../virtual-machines/machine-accounts.ts';
import type { Checklist } from './checklist.ts';
import { installConsoleAdmin, makeConsoleLink } from './console-entry.ts';
import { openControlSocket } from './control-socket.ts';
import { dataPath } from './data-directory.ts';
import { isDemoWanted, makeDemo } from './demo-machine.ts';
import type { Fleet } from './fleet.ts';
import type { OpenStackOfHosts } from './openstack-of-hosts.ts';
import { pagesDirectory } from './pages-directory.ts';
import { readyText } from './ready-text.ts';
import { registerNodes } from './register-nodes.ts';
import { reportSwitch } from './report-switch.ts';
import { startApi, type RunningApi } from './start-api.ts';
import { startControlPlane, type ControlPlane } from './start-control-plane.ts';
import { startHighAvailability, type HighAvailability } from './start-high-availability.ts';
import { startWebConsole } from './start-web-console.ts';
import { ThisHost } from './this-host.ts';

export interface UpOptions {
  /** Where the machine's state lives, and stays; claimed by this process. */
  readonly dataDirectory: string;
  /** The port the API server listens on, on loopback. Left out: that of Kubernetes, or a free one where that is taken. */
  readonly apiPort?: number | undefined;
  /** The port of the console, on loopback. Left out: the usual one, or a free one where that is taken. */
  readonly consolePort?: number | undefined;
  /** How many hosts are made on this machine; 0 where this machine is the host. */
  readonly hosts: number;
  /** Whether these are the computes of an OpenStack. */
  readonly hasOpenStack: boolean;
  /** The processors that no guest gets for itself; without any, none gets one. */
  readonly reservedProcessors?: readonly number[] | undefined;
  readonly hasConsole: boolean;
  /** Whether the first start makes a virtual machine to try. */
  readonly hasDemo: boolean;
  /** Whether what happens to domains is printed. */
  readonly showsEvents: boolean;
  /** Where Open vSwitch has its sockets. Left out: where it has them as a rule. */
  readonly switchDirectory?: string | undefined;
  /** Settings of the OVS agent, `SMALT_OVS_AGENT_…`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly checklist: Checklist;
  readonly now: () => Date;
  readonly log: Logger;
}

/**
 * Runs Smalt on this machine until the signal: the API server with our kinds, all controllers, the HA service, the hosts with
 * their agents, and the console. The signal shuts guests down too. When this process ends in any other way they run on,
 * and the next one finds them again.
 */
export async function up(options: UpOptions, signal: AbortSignal): Promise<void> {
  const { dataDirectory, checklist } = options;
  const beganAt = performance.now();
  await using stack = new AsyncDisposableStack();
  // Whatever ends first ends the others.
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  const parts = await startParts({ ...options, stop: signal }, stack, either);
  const facts = tellFacts(parts.facts, checklist, either);
  // What libvirt has told by now is shown first; what it has to find out for the first time keeps nobody waiting.
  const isQuick = parts.fleet.localHosts.length > 0;
  await (isQuick ? facts : Promise.race([facts, new Promise((resolve) => setImmediate(resolve))]));
  const isOwn = parts.openStack === undefined;
  const hasDemo = isOwn && options.hasDemo && (await isDemoWanted({ noteFile: dataPath(dataDirectory, 'demo') }));
  await tellReady(parts, { ...options, hasDemo }, (performance.now() - beganAt) / 1000, either);
  const tasks = runningTasks(parts, { ...options, hasDemo }, either).map((task) => task.finally(() => end.abort()));
  await Promise.allSettled(tasks);
  checklist.print('stopping');
  await Promise.all(tasks);
  await facts;
}

async function tellFacts(facts: Promise<string>, checklist: Checklist, signal: AbortSignal): Promise<void> {
  try {
    checklist.print(`\n${await facts}`);
  } catch (error) {
    if (!signal.aborted) checklist.print(`libvirt does not tell of itself: ${messageOf(error)}`);
  }
}

interface StartOptions extends UpOptions {
  /** Fires at Ctrl-C. */
  readonly stop: AbortSignal;
}

interface Parts {
  readonly api: RunningApi;
  readonly accounts: MachineAccounts;
  readonly fleet: Fleet;
  readonly facts: Promise<string>;
  readonly control: ControlPlane;
  readonly highAvailability: HighAvailability;
  readonly agents: HostAgents;
  readonly console: ConsoleServer | undefined;
  readonly openStack: OpenStackOfHosts | undefined;
}

async function startParts(options: StartOptions, stack: AsyncDisposableStack, signal: AbortSignal): Promise<Parts> {
  const { checklist } = options;
  const [api, fleet, openStack] = await startTogether(stack, [
    openApi(options, signal),
    openFleet(options, signal),
    options.hasOpenStack ? openCloud(options, signal) : Promise.resolve(undefined),
  ]);
  const facts = fleet.facts(signal);
  facts.catch(() => undefined);
  const accounts = await checklist.step('accounts', () => openAccounts({ ...options, api, fleet }, stack, signal));
  const base = { ...options, api, fleet, accounts, cloud: openStack?.environment };
  const [control, highAvailability] = await startTogether(stack, [
    checklist.step('controllers', () =>
      startControlPlane({ ...base, server: api.server, isFenced: fleet.power !== undefined }, signal),
    ),
    checklist.step('high availability', () => openHighAvailability(base, signal)),
  ]);
  const [agents, console] = await startTogether(stack, [
    checklist.step('agents', (tell) => {
      tell(fleet.names.join(', '));
      return fleet.startAgents({ ...base, ...api, highAvailability }, signal);
    }),
    options.hasConsole ? openConsole({ ...base, highAvailability }, signal) : Promise.resolve(undefined),
  ]);
  if (openStack !== undefined) await startComputes(base, openStack, signal);
  const parts = { api, accounts, fleet, facts, control, highAvailability, agents, console, openStack };
  stack.use(await openControlSocket(dataPath(options.dataDirectory, 'control'), controlHandlers(parts)));
  return parts;
}

async function openApi(options: StartOptions, signal: AbortSignal): Promise<RunningApi> {
  return await options.checklist.step('API server', async (tell) => {
    const dataDirectory = dataPath(options.dataDirectory, 'apiServer');
    const api = await startApi({ dataDirectory, port: options.apiPort, log: options.log }, signal);
    tell(`${api.server.url}, ${api.kinds} kinds`);
    return api;
  });
}

async function openCloud(options: StartOptions, signal: AbortSignal): Promise<OpenStackOfHosts> {
  const { checklist, dataDirectory } = options;
  const { OpenStackOfHosts } = await import('./openstack-of-hosts.ts');
  const directory = dataPath(dataDirectory, 'openStack');
  return await checklist.step('OpenStack', (tell) => OpenStackOfHosts.open(directory, tell, signal));
}

async function startComputes({ checklist, fleet }: Base, openStack: OpenStackOfHosts, signal: AbortSignal) {
  const hosts = { hosts: fleet.followedHosts, print: (line: string): void => checklist.print(line) };
  await checklist.step('computes', (tell) => openStack.startComputes(hosts, tell, signal));
}

async function openFleet(options: StartOptions, signal: AbortSignal): Promise<Fleet> {
  const { checklist, dataDirectory, hosts, hasOpenStack, now, stop, reservedProcessors } = options;
  const print = (line: string): void => checklist.print(line);
  if (hosts === 0) {
    const own = { dataDirectory, print, stop, reservedProcessors };
    return await checklist.step('libvirt', () => ThisHost.open(own, signal));
  }
  // One machine is enough for most; the others need not load it.
  const { LocalFleet } = await import('./local-fleet.ts');
  const wish = { dataDirectory, count: hosts, hasOpenStack, print, now, stop };
  return await checklist.step('network', () => LocalFleet.open(wish));
}

interface Base extends StartOptions {
  readonly api: RunningApi;
  readonly fleet: Fleet;
  readonly accounts: MachineAccounts;
  /** What OpenStack's clients read, where there is one. */
  readonly cloud: Readonly<Record<string, string>> | undefined;
}

async function openAccounts(
  { api, fleet, dataDirectory, log }: Omit<Base, 'accounts' | 'cloud'>,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<MachineAccounts> {
  const directory = dataPath(dataDirectory, 'accounts');
  const registerNode = (name: string, late: AbortSignal): Promise<void> => registerNodes(api.client, [name], late);
  const accounts = new MachineAccounts({ client: api.client, directory, log, registerNode });
  await accounts.open(signal);
  await Promise.all([registerNodes(api.client, fleet.names, signal), installConsoleAdmin(api.client, signal)]);
  const stop = new AbortController();
  const fresh = accounts.keepFresh(AbortSignal.any([signal, stop.signal]));
  stack.defer(async () => {
    stop.abort();
    await fresh;
  });
  return accounts;
}

async function openHighAvailability(base: Base, signal: AbortSignal): Promise<HighAvailability> {
  const { fleet, accounts, cloud, now, log } = base;
  const directory = dataPath(base.dataDirectory, 'highAvailability');
  const listen = { host: fleet.address, port: fleet.highAvailabilityPort };
  return await startHighAvailability({ directory, listen, accounts, power: fleet.power, cloud, now, log }, signal);
}

async function openConsole(
  base: Base & { readonly highAvailability: HighAvailability },
  signal: AbortSignal,
): Promise<ConsoleServer> {
  return await base.checklist.step('console', async (tell) => {
    const console = await startWebConsole(
      {
        ...base,
        directory: dataPath(base.dataDirectory, 'console'),
        pagesDirectory: pagesDirectory(),
        port: base.consolePort,
        apiServer: base.api.client.config,
        localHosts: base.fleet.localAddresses,
      },
      signal,
    );
    tell(console.url);
    return console;
  });
}

function controlHandlers({
  console,
  accounts,
  fleet,
  highAvailability,
}: Parts): Parameters<typeof openControlSocket>[1] {
  const { url, authorityFile } = highAvailability;
  return {
    ...fleet.control,
    'high-availability': async () => ({ url, authority: await readFile(authorityFile, 'utf8') }),
    open: async (_request, signal) => {
      if (console === undefined) throw new Error('the console is off: start smalt up without --no-console');
      return await makeConsoleLink(console, accounts, signal);
    },
  };
}

async function tellReady(parts: Parts, options: UpOptions, seconds: number, signal: AbortSignal): Promise<void> {
  const { api, console, accounts, fleet, openStack } = parts;
  const { url, kubeconfig } = api.server;
  const consoleLink = console === undefined ? undefined : await makeConsoleLink(console, accounts, signal);
  const facts = { seconds, apiUrl: url, kubeconfig, consoleLink, hosts: fleet.localHosts, hasDemo: options.hasDemo };
  for (const line of readyText({ ...facts, openrcFile: openStack?.openrcFile })) options.checklist.print(line);
}

/** What goes on until the end. Each ends when the signal fires, or never. */
function runningTasks(parts: Parts, options: UpOptions, signal: AbortSignal): readonly Promise<void>[] {
  const { fleet, control, highAvailability, agents, accounts } = parts;
  const print = (line: string): void => options.checklist.print(line);
  const stateDirectory = dataPath(options.dataDirectory, 'ovsAgent');
  return [
    fleet.keep(print, signal),
    control.ended,
    highAvailability.ended,
    agents.ended,
    ...(options.hosts === 0 ? [reportSwitch({ ...options, accounts, print, stateDirectory }, signal)] : []),
    ...(parts.openStack === undefined ? [] : [parts.openStack.keep(signal)]),
    ...(parts.console === undefined ? [] : [parts.console.ended]),
    ...(options.showsEvents ? [fleet.tellEvents(print, options.now, signal)] : []),
    ...(options.hasDemo ? [tellDemo(parts, options, signal)] : []),
  ];
}

async function tellDemo(parts: Parts, { dataDirectory, checklist }: UpOptions, signal: AbortSignal): Promise<void> {
  const { api, fleet } = parts;
  const places = { images: dataPath(dataDirectory, 'images'), noteFile: dataPath(dataDirectory, 'demo') };
  try {
    await makeDemo({ client: api.client, ...places, onImage: () => fleet.shareImages() }, signal);
    checklist.print('the virtual machine demo is made; npx smalt console demo shows how it boots');
  } catch (error) {
    if (!signal.aborted) checklist.print(`there is no demo, the next start tries again: ${messageOf(error)}`);
  }
  await untilAborted(signal);
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
