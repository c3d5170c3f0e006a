import { isAbsolute } from 'node:path';

import { checkDns1123Subdomain } from '@smalt/kubernetes';
import { parseLibvirtUri } from '@smalt/libvirt';

import { AgentError } from './agent-error.ts';
import type { NodeAgentOptions } from './node-agent-options.ts';

/** Refuses options that can never work, each in a sentence that names it. */
export function checkOptions(options: NodeAgentOptions): void {
  const { nodeName, stateDirectory, libvirt, pollMs } = options;
  const [wrong] = checkDns1123Subdomain(nodeName);
  if (wrong !== undefined) throw refusal('nodeName', nodeName, `is not the name of a node: ${wrong}`);
  if (!isAbsolute(stateDirectory)) throw refusal('stateDirectory', stateDirectory, 'must be an absolute path');
  if (pollMs !== undefined && !(pollMs >= 1_000)) throw refusal('pollMs', String(pollMs), 'must be 1000 or more');
  if (libvirt.kind === 'managed') {
    if (!isAbsolute(libvirt.directory))
      throw refusal('libvirt.directory', libvirt.directory, 'must be an absolute path');
    return;
  }
  try {
    parseLibvirtUri(libvirt.uri);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AgentError('bad-setting', `libvirt.uri: ${reason}`, { cause: error });
  }
}

function refusal(name: string, value: string, reason: string): AgentError {
  return new AgentError('bad-setting', `${name}: "${value}" ${reason}`);
}
