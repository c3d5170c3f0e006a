import { isAbsolute } from 'node:path';

import { checkDns1123Subdomain } from '@smalt/kubernetes';

import { OvsAgentError } from '../ovs-agent-error.ts';
import type { OvsAgentOptions } from '../ovs-agent-options.ts';

/** Refuses options that can never work, each in a sentence that names it. */
export function checkOptions({ nodeName, namespace, runDirectories = [] }: OvsAgentOptions): void {
  const [wrong] = checkDns1123Subdomain(nodeName);
  if (wrong !== undefined) throw refusal('node', nodeName, `is not the name of a node: ${wrong}`);
  const [odd] = namespace === undefined ? [] : checkDns1123Subdomain(namespace);
  if (odd !== undefined) throw refusal('namespace', String(namespace), `is not the name of a namespace: ${odd}`);
  const relative = runDirectories.find((directory) => !isAbsolute(directory));
  if (relative !== undefined) throw refusal('runDirectories', relative, 'must be an absolute path');
}

function refusal(name: string, value: string, reason: string): OvsAgentError {
  return new OvsAgentError('bad-setting', `${name}: "${value}" ${reason}`);
}
