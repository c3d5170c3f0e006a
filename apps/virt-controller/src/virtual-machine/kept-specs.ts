import { specInRevision, type ChosenPart, type SpecByPart } from '@smalt/instance-types';
import { isNotFound, type KubeClient } from '@smalt/kube';

import { controllerRevisionKind } from '../kinds/controller-revision.ts';

const MOST_REMEMBERED = 1000;

/** What machines have chosen, as it was then: read from ControllerRevisions, whose data never changes. */
export class KeptSpecs {
  readonly #client: KubeClient;
  readonly #known = new Map<string, unknown>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Undefined when there is no such revision, or something else is in it; so too for an empty name. */
  async find<Part extends ChosenPart>(
    part: Part,
    { namespace, name }: { readonly namespace: string | undefined; readonly name: string },
    signal: AbortSignal,
  ): Promise<SpecByPart[Part] | undefined> {
    if (name === '') return undefined;
    const key = `${namespace ?? ''}/${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return specInRevision(part, known);
    try {
      const { data } = await this.#client.resource(controllerRevisionKind).get(name, { namespace, signal });
      const spec = specInRevision(part, data);
      if (spec !== undefined) this.#remember(key, data);
      return spec;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #remember(key: string, data: unknown): void {
    this.#known.set(key, data);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }
}
