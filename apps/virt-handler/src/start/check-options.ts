import { isAbsolute } from 'node:path';

import { checkDns1123Label, checkDns1123Subdomain } from '@smalt/kubernetes';

import { VirtHandlerError } from '../virt-handler-error.ts';
import type { VirtHandlerOptions } from '../virt-handler-options.ts';

/** What the kernel takes as the path of a socket, less `/instances/UID/sockets/NAME`. */
const MOST_STATE_PATH = 107 - 68;

/** Refuses options that can never work, each in a sentence that names it. */
export function checkOptions({ nodeName, namespace, stateDirectory, podsDirectory }: VirtHandlerOptions): void {
  const [wrong] = checkDns1123Subdomain(nodeName);
  if (wrong !== undefined) throw refusal('node', nodeName, `is not the name of a node: ${wrong}`);
  const [odd] = namespace === undefined ? [] : checkDns1123Label(namespace);
  if (odd !== undefined) throw refusal('namespace', String(namespace), `is not the name of a namespace: ${odd}`);
  for (const [name, path] of Object.entries({ state: stateDirectory, pods: podsDirectory })) {
    if (path !== undefined && !isAbsolute(path)) throw refusal(name, path, 'must be an absolute path');
  }
  if (stateDirectory !== undefined && stateDirectory.length > MOST_STATE_PATH) {
    const why = `is too long for the sockets of guests below it: use at most ${MOST_STATE_PATH} characters`;
    throw refusal('state', stateDirectory, why);
  }
}

function refusal(name: string, value: string, reason: string): VirtHandlerError {
  return new VirtHandlerError('bad-setting', `${name}: "${value}" ${reason}`, { field: name });
}
