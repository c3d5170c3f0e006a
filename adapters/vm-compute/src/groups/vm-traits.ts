import { createHash } from 'node:crypto';

import { ComputeError, type ComputeTraits, type HostIdentity, type HostTraits } from '@smalt/compute';
import type { Node } from '@smalt/placement';

import { ObjectName } from '../object-names.ts';
import { asComputeErrors } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';

/** A trait is a label of the Node, `trait.smalt.dev/NAME`. */
export class VmTraits implements ComputeTraits {
  readonly #api: VmApiAccess;

  constructor(api: VmApiAccess) {
    this.#api = api;
  }

  async get(host: HostIdentity, signal: AbortSignal): Promise<HostTraits> {
    return readTraits(await this.#api.requireNode(host, signal));
  }

  /** The version of a Node changes with every heartbeat, so that the list itself is the version of the list. */
  async set(host: HostIdentity, wanted: HostTraits, signal: AbortSignal): Promise<HostTraits> {
    const node = await this.#api.requireNode(host, signal);
    const { generation, traits } = readTraits(node);
    if (generation !== wanted.generation) {
      throw new ComputeError('stale', `the traits of ${node.metadata.name} were changed meanwhile`);
    }
    const labels = Object.fromEntries([
      ...traits.map((trait) => [`${ObjectName.traitPrefix}${trait}`, null] as const),
      ...wanted.traits.map((trait) => [`${ObjectName.traitPrefix}${trait}`, 'true'] as const),
    ]);
    const { name, uid, resourceVersion } = node.metadata;
    const metadata = { uid, resourceVersion, labels };
    const written = await asComputeErrors('write', () =>
      this.#api.nodes.patch(name, 'merge', { metadata }, { signal }),
    );
    return readTraits(written);
  }
}

function readTraits({ metadata }: Node): HostTraits {
  const traits = Object.keys(metadata.labels ?? {})
    .filter((label) => label.startsWith(ObjectName.traitPrefix))
    .map((label) => label.slice(ObjectName.traitPrefix.length))
    .toSorted();
  const generation = createHash('sha256').update(JSON.stringify(traits)).digest().readUIntBE(0, 6);
  return { generation, traits };
}
