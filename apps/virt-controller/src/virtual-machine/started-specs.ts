import { isNotFound, type KubeClient } from '@smalt/kube';
import type { VirtualMachine, VirtualMachineInstance, VirtualMachineSpec } from '@smalt/vm-api';
import { GENERATION_ANNOTATION, revisionName } from '@smalt/vm-lifecycle';

import { controllerRevisionKind } from '../kinds/controller-revision.ts';

const MOST_REMEMBERED = 1000;

/** The specs that instances were started from, read from ControllerRevisions, which never change. */
export class StartedSpecs {
  readonly #client: KubeClient;
  readonly #known = new Map<string, VirtualMachineSpec>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Undefined when there is no instance, or when nothing was noted about its start. */
  async find(
    vm: VirtualMachine,
    vmi: VirtualMachineInstance | undefined,
    signal: AbortSignal,
  ): Promise<VirtualMachineSpec | undefined> {
    if (vmi === undefined) return undefined;
    const { uid = '', generation = 0, namespace } = vm.metadata;
    const annotation = vmi.metadata.annotations?.[GENERATION_ANNOTATION];
    const current = revisionName(uid, generation);
    const name = vmi.status?.virtualMachineRevisionName ?? revisionName(uid, Number(annotation ?? generation));
    if (name === current) return vm.spec;
    return this.#known.get(name) ?? (await this.#read(name, namespace, signal));
  }

  async #read(
    name: string,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<VirtualMachineSpec | undefined> {
    try {
      const { data } = await this.#client.resource(controllerRevisionKind).get(name, { namespace, signal });
      const spec = specIn(data);
      if (spec !== undefined) this.#remember(name, spec);
      return spec;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #remember(name: string, spec: VirtualMachineSpec): void {
    this.#known.set(name, spec);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }
}

function specIn(data: unknown): VirtualMachineSpec | undefined {
  if (typeof data !== 'object' || data === null || !('spec' in data)) return undefined;
  const { spec } = data;
  if (typeof spec !== 'object' || spec === null || !('template' in spec)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own writing, and the API had checked it before
  return spec as VirtualMachineSpec;
}
