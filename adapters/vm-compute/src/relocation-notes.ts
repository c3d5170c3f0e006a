import { ComputeError, isComputeError } from '@smalt/compute';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { idOfMachine, printKey } from './instances/instance-key.ts';
import { labelled } from './label-selectors.ts';
import { judgeRelocation, parseRelocation, type Relocation, type RelocationState } from './relocation.ts';
import { asComputeErrors, unlessGone } from './to-compute-error.ts';
import type { VmApiAccess } from './vm-api-access.ts';

export interface RelocationNotesOptions {
  readonly api: VmApiAccess;
  /** The annotation that holds the note, and the label by which those of a node are found. */
  readonly annotation: string;
  readonly label: string;
}

/** A note with what became of it. */
export interface NotedRelocation extends RelocationState {
  readonly instanceId: string;
  readonly relocation: Relocation;
}

/** Notes on machines that they were asked to run elsewhere. There is one of a machine at a time. */
export class RelocationNotes {
  readonly #options: RelocationNotesOptions;

  constructor(options: RelocationNotesOptions) {
    this.#options = options;
  }

  /** All that left a node, the oldest first. */
  async from(nodeName: string, signal: AbortSignal): Promise<readonly NotedRelocation[]> {
    const { api, label } = this.#options;
    const machines = await api.all(api.machines, { labelSelector: labelled(label, nodeName), signal });
    const noted = await Promise.all(machines.map((machine) => this.#judge(machine, signal)));
    return noted
      .flatMap((each) => (each?.relocation.source === nodeName ? [each] : []))
      .toSorted((one, other) => Date.parse(one.relocation.startedAt) - Date.parse(other.relocation.startedAt));
  }

  /** Notes one. Throws `conflict` when one is open, or when somebody changed the machine meanwhile. */
  async add(machine: VirtualMachine, relocation: Relocation, signal: AbortSignal): Promise<void> {
    const last = await this.#judge(machine, signal);
    if (last?.state === 'open') {
      const { id, startedAt } = last.relocation;
      throw new ComputeError('conflict', `${last.instanceId} is on its way already: ${id}, since ${startedAt}`);
    }
    try {
      await this.#write(machine, relocation, signal);
    } catch (error) {
      if (!isComputeError(error, 'stale')) throw error;
      throw new ComputeError('conflict', `${printKey(machine.metadata)} was changed meanwhile: look again`, {
        cause: error,
      });
    }
  }

  /** Notes that nothing comes of one after all. */
  async fail(machine: VirtualMachine, relocation: Relocation, signal: AbortSignal): Promise<void> {
    const { resourceVersion: _read, ...metadata } = machine.metadata;
    await this.#write({ ...machine, metadata }, relocation, signal);
  }

  async #write({ metadata }: VirtualMachine, relocation: Relocation, signal: AbortSignal): Promise<void> {
    const { api, annotation, label } = this.#options;
    const { name, namespace, uid, resourceVersion } = metadata;
    const fields = {
      uid,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      annotations: { [annotation]: JSON.stringify(relocation) },
      labels: { [label]: relocation.source },
    };
    await asComputeErrors('write', () =>
      api.machines.patch(name, 'merge', { metadata: fields }, { namespace, signal }),
    );
  }

  async #judge(machine: VirtualMachine, signal: AbortSignal): Promise<NotedRelocation | undefined> {
    const { api, annotation } = this.#options;
    const { name, namespace, annotations } = machine.metadata;
    const relocation = parseRelocation(annotations?.[annotation]);
    if (relocation === undefined) return undefined;
    const vmi: VirtualMachineInstance | undefined = await unlessGone('read', () =>
      api.instances.get(name, { namespace, signal }),
    );
    return { instanceId: idOfMachine(machine), relocation, ...judgeRelocation(relocation, machine, vmi) };
  }
}
