import { ComputeError, type NewTestInstance, type SmokeTests, type TestInstance } from '@smalt/compute';

import { parseKey } from '../instances/instance-key.ts';
import { labelled } from '../label-selectors.ts';
import { ObjectName } from '../object-names.ts';
import { subresourcePath } from '../subresources.ts';
import { asComputeErrors, unlessGone } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';
import type { SmokeTestSettings } from '../vm-compute-settings.ts';
import type { ReadConsole } from './read-console.ts';
import { readTestInstance, testInstance } from './test-instance.ts';

export interface VmSmokeTestsOptions {
  readonly api: VmApiAccess;
  readonly settings: SmokeTestSettings;
  readonly readConsole: ReadConsole | undefined;
}

/** Test instances live in a namespace of their own, and are deleted by who asked for them. */
export class VmSmokeTests implements SmokeTests {
  readonly #options: VmSmokeTestsOptions;

  constructor(options: VmSmokeTestsOptions) {
    this.#options = options;
  }

  async list(prefix: string, signal: AbortSignal): Promise<readonly TestInstance[]> {
    const { api, settings } = this.#options;
    const labelSelector = labelled(ObjectName.smokeTestLabel, 'true');
    const found = await api.all(api.instances, { namespace: settings.namespace, labelSelector, signal });
    return found.filter(({ metadata }) => metadata.name.startsWith(prefix)).map(readTestInstance);
  }

  async start({ name, host }: NewTestInstance, signal: AbortSignal): Promise<void> {
    const { api, settings } = this.#options;
    const node = await api.requireNode(host, signal);
    const hostName = node.metadata.labels?.[ObjectName.hostNameLabel] ?? node.metadata.name;
    await asComputeErrors('write', () => api.instances.create(testInstance(name, hostName, settings), { signal }));
  }

  async console(id: string, lines: number, signal: AbortSignal): Promise<string> {
    const { api, settings, readConsole } = this.#options;
    if (readConsole === undefined) throw new ComputeError('refused', 'consoles cannot be read here');
    const path = subresourcePath(parseKey(id), 'virtualmachineinstances', 'console');
    const target = await asComputeErrors('read', () => api.client.upgradeTarget(path));
    const text = await readConsole(target, { instance: id, forMs: settings.consoleMs, signal });
    return text.split('\n').slice(-lines).join('\n');
  }

  async delete(id: string, signal: AbortSignal): Promise<void> {
    const { name, namespace } = parseKey(id);
    await unlessGone('write', () => this.#options.api.instances.delete(name, { namespace, signal }));
  }
}
