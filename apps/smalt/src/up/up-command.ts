import { homedir } from 'node:os';
import { resolve } from 'node:path';

import { parseProcessors } from '@smalt/pod-sandbox';
import { createLogger } from '@smalt/service-runtime';
import { Command, InvalidArgumentError, Option } from 'commander';

import { SmaltError } from '../smalt-error.ts';
import { stopSignal } from '../stop-signal.ts';
import { checkPassage } from './check-passage.ts';
import { Checklist } from './checklist.ts';
import { claimDataDirectory, type DataClaim } from './claim-data-directory.ts';
import { defaultDataDirectory } from './data-directory.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface UpFlags {
  readonly data?: string;
  readonly state?: string;
  readonly hosts?: number;
  readonly openstack?: boolean;
  readonly reservedProcessors?: readonly number[];
  readonly apiPort?: number;
  readonly console: boolean;
  readonly consolePort?: number;
  readonly demo: boolean;
  readonly events: boolean;
  readonly ovs?: string;
}

/** `smalt up`. */
export function upCommand(environment: Environment): Command {
  return new Command('up')
    .description('run everything on this machine until Ctrl-C')
    .addOption(dataOption())
    .addOption(new Option('--state <directory>', 'what --data was called before').hideHelp())
    .option('--hosts <number>', 'make so many hosts on this machine, each with a libvirt of its own', parseHosts)
    .option('--openstack', 'make these hosts the computes of a Keystone, Placement, Glance and Nova on this machine')
    .option(
      '--reserved-processors <list>',
      'such as 0 or 0-1: the other processors of this machine can be had by one virtual machine alone',
      parseReserved,
    )
    .option('--api-port <number>', "the API server's port on loopback (default: 6443, or a free one)", parsePort)
    .option('--console-port <number>', "the console's port on loopback (default: 8080, or a free one)", parsePort)
    .option('--no-console', 'leave the web console out')
    .option('--no-demo', 'make no virtual machine to try at the first start')
    .addOption(new Option('--events', 'the default').default(true).hideHelp())
    .option('--no-events', 'do not print what happens to domains')
    .option(
      '--ovs <directory>',
      'where Open vSwitch has its sockets (default: /var/run/openvswitch or /run/openvswitch)',
    )
    .action((flags: UpFlags) => runUp(flags, environment));
}

/** The flag by which commands find a `smalt up`. */
export function dataOption(): Option {
  return new Option(
    '--data <directory>',
    'where the state of this machine lives (default: /var/lib/smalt for root, else smalt in the state directory of the user)',
  );
}

/** The data directory that flags name, or the usual one. */
export function dataDirectoryOf(
  { data, state }: { readonly data?: string; readonly state?: string },
  environment: Environment,
): string {
  const usual = { userId: process.getuid?.(), environment, home: homedir() };
  return resolve(data ?? state ?? defaultDataDirectory(usual));
}

async function runUp(flags: UpFlags, environment: Environment): Promise<void> {
  if (process.getuid?.() !== 0) {
    throw new SmaltError('start-failed', 'smalt up runs libvirt and its guests, which only root may: use sudo');
  }
  const options = optionsOf(flags, environment);
  const hasOpenStack = flags.openstack === true;
  if (hasOpenStack) await refuseWithoutOpenStack();
  await using claim = await claimDataDirectory(options.dataDirectory, { hosts: flags.hosts, hasOpenStack });
  await checkPassage(options.dataDirectory);
  if (claim.hosts > 0) refuseReserved(options.reservedProcessors);
  const signal = stopSignal(process);
  using checklist = new Checklist(
    {
      write: (text) => process.stdout.write(text),
      isTerminal: process.stdout.isTTY,
      width: () => process.stdout.columns,
    },
    () => performance.now(),
  );
  // What logs say goes above what is being written over.
  const destination = { write: (text: string) => checklist.print(text.trimEnd()) };
  const log = createLogger({ name: 'smalt', level: 'warn', format: 'pretty', destination });
  // A wrong flag, or a question about them, needs none of what runs.
  const { up } = await import('./up.ts');
  try {
    await up({ ...options, ...fleetOf(claim), checklist, now: () => new Date(), log }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  checklist.print('stopped');
}

async function refuseWithoutOpenStack(): Promise<void> {
  const { whyNoOpenStack } = await import('@smalt/local-openstack');
  const why = await whyNoOpenStack();
  if (why !== undefined) throw new SmaltError('start-failed', `--openstack: ${why}: leave it out on this machine`);
}

function refuseReserved(processors: readonly number[] | undefined): void {
  if (processors === undefined) return;
  // They would give the same processor away, each to a machine of its own.
  const message = '--reserved-processors is for one host: several share the processors of this machine';
  throw new SmaltError('wrong-use', message);
}

function fleetOf({ hosts, hasOpenStack }: DataClaim): Pick<DataClaim, 'hosts' | 'hasOpenStack'> {
  return { hosts, hasOpenStack };
}

function optionsOf(flags: UpFlags, environment: Environment) {
  return {
    dataDirectory: dataDirectoryOf(flags, environment),
    reservedProcessors: flags.reservedProcessors,
    apiPort: flags.apiPort,
    hasConsole: flags.console,
    consolePort: flags.consolePort,
    hasDemo: flags.demo,
    showsEvents: flags.events,
    switchDirectory: flags.ovs === undefined ? undefined : resolve(flags.ovs),
    environment,
  };
}

function parseReserved(text: string): readonly number[] {
  if (/^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/.test(text)) return parseProcessors(text);
  throw new InvalidArgumentError('It is a list of processors, such as 0 or 0-1,8.');
}

function parseHosts(text: string): number {
  if (!/^[1-9]$/.test(text)) throw new InvalidArgumentError('Give a number from 1 to 9.');
  return Number(text);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 1 to 65535.');
  return port;
}
