import type { AgentPart } from '@smalt/controller-runtime';
import { HostModel } from './host-model.ts';
import type { HostContext, HostSettings } from './host-settings.ts';

/** Makes the part that reports what libvirt says about the host and its domains, and whether it can be reached. */
export function createHostPart(context: HostContext, settings: HostSettings): AgentPart {
  const model = new HostModel(context, settings);
  return { name: 'host', run: (signal) => model.run(signal) };
}
