import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { findProgram, runProgram } from '@smalt/libvirt-daemon';

const PACKAGE = 'openvswitch-switch';
const SCHEMA = '/usr/share/openvswitch/vswitch.ovsschema';
const ANSWER_SECONDS = 10;

export interface HostSwitchOptions {
  /** Holds its database, sockets and logs. Short, because sockets lie in it. */
  readonly directory: string;
  /** Of the host: by it the switch is known. */
  readonly name: string;
  /** Those that it has from the beginning. */
  readonly bridges: readonly string[];
}

/** The Open vSwitch of a host. */
export interface HostSwitch {
  /** Where its sockets and pid files are. */
  readonly runDirectory: string;
  readonly logDirectory: string;
}

/**
 * Starts the Open vSwitch of the host that this process is in, or finds the one that runs; undefined where Open vSwitch is not
 * installed. It belongs to nobody: it runs on when this process ends, is started again by itself when it dies, and goes with the
 * power of the host. Packets are moved by its own process: nothing of the kernel is needed.
 */
export async function openHostSwitch(options: HostSwitchOptions, signal: AbortSignal): Promise<HostSwitch | undefined> {
  if (!(await isInstalled())) return undefined;
  const place = await makePlace(options.directory);
  const run: Run = (name, ...parameters) =>
    runProgram({ name, debianPackage: PACKAGE }, parameters, { environment: place.environment, signal });
  const database = join(place.directory, 'conf.db');
  if (!(await exists(database))) await run('ovsdb-tool', 'create', database, SCHEMA);
  const { runDirectory, logDirectory } = place;
  const socket = join(runDirectory, 'db.sock');
  if (!(await answers(run, 'ovsdb-server'))) {
    await run('ovsdb-server', database, `--remote=punix:${socket}`, ...asDaemon(place, 'ovsdb-server'));
  }
  await run('ovs-vsctl', '--no-wait', 'init', '--', 'set', 'Open_vSwitch', '.', ...(await about(run, options.name)));
  if (!(await answers(run, 'ovs-vswitchd'))) {
    await run('ovs-vswitchd', `unix:${socket}`, '--disable-system', ...asDaemon(place, 'ovs-vswitchd'));
  }
  for (const bridge of options.bridges) {
    const type = ['--', 'set', 'bridge', bridge, 'datapath_type=netdev'];
    await run('ovs-vsctl', `--timeout=${ANSWER_SECONDS}`, '--may-exist', 'add-br', bridge, ...type);
  }
  return { runDirectory, logDirectory };
}

type Run = (name: string, ...parameters: readonly string[]) => Promise<Buffer>;

interface Place extends HostSwitch {
  readonly directory: string;
  /** What its programs are told by: their built-in paths are those of the operating system. */
  readonly environment: Readonly<Record<string, string>>;
}

async function makePlace(directory: string): Promise<Place> {
  const [runDirectory, logDirectory] = [join(directory, 'run'), join(directory, 'log')];
  for (const path of [runDirectory, logDirectory]) await mkdir(path, { recursive: true, mode: 0o700 });
  const environment = {
    OVS_RUNDIR: runDirectory,
    OVS_LOGDIR: logDirectory,
    OVS_DBDIR: directory,
    OVS_SYSCONFDIR: directory,
  };
  return { directory, runDirectory, logDirectory, environment };
}

function asDaemon({ runDirectory, logDirectory }: Place, name: string): readonly string[] {
  const files = [`--pidfile=${join(runDirectory, `${name}.pid`)}`, `--log-file=${join(logDirectory, `${name}.log`)}`];
  return [...files, '--detach', '--monitor', '--no-chdir', '-vconsole:off', '-vsyslog:off'];
}

/** What Debian's own start script writes into the database; the daemons do not. */
async function about(run: Run, name: string): Promise<readonly string[]> {
  const version = /\(Open vSwitch\) (\S+)/.exec((await run('ovs-vswitchd', '--version')).toString())?.[1] ?? '';
  return [`ovs-version=${version}`, `external-ids:system-id=${name}`, `external-ids:hostname=${name}`];
}

/** A pid file of the boot before may lie there: only an answer counts. */
async function answers(run: Run, name: string): Promise<boolean> {
  return await run('ovs-appctl', `--timeout=${ANSWER_SECONDS}`, `--target=${name}`, 'version').then(
    () => true,
    () => false,
  );
}

async function isInstalled(): Promise<boolean> {
  const programs = ['ovsdb-server', 'ovs-vswitchd', 'ovs-vsctl', 'ovs-appctl', 'ovsdb-tool'];
  const found = programs.map((name) =>
    findProgram(name, PACKAGE).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).every(Boolean);
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
