import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { hypervisorOf } from '@smalt/hypervisors';
import { launcherLogFile, podDirectory } from '@smalt/pod-sandbox';
import type { LogLine, NodeLogUnit, VirtualMachineInstance } from '@smalt/vm-api';

import { VirtHandlerError } from '../virt-handler-error.ts';
import { CONTAINER_LOGS, followContainerLog } from './follow-container-log.ts';
import { followFile } from './follow-file.ts';
import { followJournal, hasJournal } from './follow-journal.ts';
import { NODE_LOG_UNITS, type NodeLogSettings } from './log-settings.ts';
import { mergeSources } from './merge-sources.ts';

export interface NodeLogsDeps {
  readonly nodeName: string;
  readonly settings: NodeLogSettings;
  /** Where the pod runner keeps what it makes. */
  readonly podsDirectory: string;
  /** Where a kubelet keeps what containers print; where all of them do if not given. */
  readonly containerLogs?: string | undefined;
}

/** How much of a log is wanted. */
export interface LogExtent {
  readonly lines: number;
  readonly isFollowed: boolean;
}

type LogFlow = AsyncGenerator<readonly LogLine[], void>;

interface LogFile {
  readonly source: string;
  readonly path: string;
}

const POD_UID = /^[0-9A-Za-z-]{1,64}$/;
const NO_PROCESS = 'none';

/** The logs that are on this node: of its guests, of what runs them, and of our own programs. */
export class NodeLogs {
  readonly #deps: NodeLogsDeps;

  constructor(deps: NodeLogsDeps) {
    this.#deps = deps;
  }

  /** What the hypervisor and the launchers of an instance wrote here, also after its guest has ended. */
  ofInstance(instance: VirtualMachineInstance, extent: LogExtent, signal: AbortSignal): LogFlow {
    const { containerLogs: directory = CONTAINER_LOGS } = this.#deps;
    const files = this.#filesOf(instance).map((file) => linesOf(file, extent, signal));
    const containers = this.#podsOf(instance).map((podUid) => {
      return followContainerLog({ directory, podUid, ...extent }, signal);
    });
    return mergeSources([...files, ...containers]);
  }

  /** Throws `not-found` where this node has no such log. */
  async ofNode(unit: NodeLogUnit, extent: LogExtent, signal: AbortSignal): Promise<LogFlow> {
    const { journalctl } = this.#deps.settings;
    const files = await this.#filesOfUnit(unit);
    const flows = files.map((file) => linesOf(file, extent, signal));
    if (await hasJournal(journalctl))
      flows.push(followJournal({ journalctl, units: NODE_LOG_UNITS[unit], ...extent }, signal));
    if (flows.length > 0) return mergeSources(flows);
    const text = `there is no log of ${unit} on ${this.#deps.nodeName}: it has no journal, and no file of it in ${this.#places(unit)}`;
    throw new VirtHandlerError('not-found', text);
  }

  #filesOf(instance: VirtualMachineInstance): readonly LogFile[] {
    const { settings, podsDirectory } = this.#deps;
    const { namespace = '', name } = instance.metadata;
    const driver = basename(hypervisorOf(instance).libvirt.pidDirectory ?? NO_PROCESS);
    const own = { source: driver, path: join(settings.libvirtDirectory, driver, `${namespace}_${name}.log`) };
    const pods = this.#podsOf(instance).map((uid) => {
      return { source: 'launcher', path: launcherLogFile(podDirectory(podsDirectory, uid)) };
    });
    return driver === NO_PROCESS ? pods : [own, ...pods];
  }

  /** The uids of the pods of an instance on this node. */
  #podsOf({ status }: VirtualMachineInstance): readonly string[] {
    return Object.entries(status?.activePods ?? {}).flatMap(([uid, node]) =>
      node === this.#deps.nodeName && POD_UID.test(uid) ? [uid] : [],
    );
  }

  async #filesOfUnit(unit: NodeLogUnit): Promise<readonly LogFile[]> {
    const { libvirtDirectory, ovsDirectories, agentFiles } = this.#deps.settings;
    switch (unit) {
      case 'libvirt':
        return await logsIn(libvirtDirectory);
      case 'ovs':
        return (await Promise.all(ovsDirectories.map(logsIn))).flat();
      case 'agents':
        return agentFiles.map((path) => ({ source: basename(path), path }));
    }
  }

  #places(unit: NodeLogUnit): string {
    const { libvirtDirectory, ovsDirectories } = this.#deps.settings;
    if (unit === 'agents') return 'the settings (logs.agentFiles)';
    return unit === 'libvirt' ? libvirtDirectory : ovsDirectories.join(', ');
  }
}

async function* linesOf({ source, path }: LogFile, extent: LogExtent, signal: AbortSignal): LogFlow {
  for await (const lines of followFile({ path, ...extent }, signal)) {
    if (lines.length > 0) yield lines.map((text) => ({ source, text }));
  }
}

async function logsIn(directory: string): Promise<readonly LogFile[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(noneIfMissing);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.log'))
    .map(({ name }) => ({ source: name.replace(/\.log$/, ''), path: join(directory, name) }));
}

function noneIfMissing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
