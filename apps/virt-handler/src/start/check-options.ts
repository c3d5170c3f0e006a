import { isAbsolute } from 'node:path';

import { checkDns1123Label, checkDns1123Subdomain } from '@smalt/kubernetes';
import { DEFAULT_PODS_DIRECTORY } from '@smalt/pod-sandbox';

import { isInside } from '../storage/files/inside.ts';
import { VirtHandlerError } from '../virt-handler-error.ts';
import { DEFAULT_STATE_DIRECTORY, type VirtHandlerOptions } from '../virt-handler-options.ts';

/** What the kernel takes as the path of a socket, less `/instances/UID/sockets/NAME`. */
const MOST_STATE_PATH = 107 - 68;

/** Refuses options that can never work, each in a sentence that names it. */
export function checkOptions(options: VirtHandlerOptions): void {
  const { nodeName, namespace, stateDirectory, podsDirectory } = options;
  const [wrong] = checkDns1123Subdomain(nodeName);
  if (wrong !== undefined) throw refusal('node', nodeName, `is not the name of a node: ${wrong}`);
  const [odd] = namespace === undefined ? [] : checkDns1123Label(namespace);
  if (odd !== undefined) throw refusal('namespace', String(namespace), `is not the name of a namespace: ${odd}`);
  const paths = { state: stateDirectory, pods: podsDirectory, 'kubelet.devicePlugins': options.devicePlugins };
  for (const [name, path] of Object.entries(paths)) {
    if (path !== undefined && !isAbsolute(path)) throw refusal(name, path, 'must be an absolute path');
  }
  for (const each of options.hostDiskDirectories ?? []) checkDiskDirectory(each, options);
  if (stateDirectory !== undefined && stateDirectory.length > MOST_STATE_PATH) {
    const why = `is too long for the sockets of guests below it: use at most ${MOST_STATE_PATH} characters`;
    throw refusal('state', stateDirectory, why);
  }
}

function checkDiskDirectory(directory: string, options: VirtHandlerOptions): void {
  const { stateDirectory = DEFAULT_STATE_DIRECTORY, podsDirectory = DEFAULT_PODS_DIRECTORY } = options;
  const name = 'hostDisk.directories';
  if (!isAbsolute(directory)) throw refusal(name, directory, 'must be an absolute path');
  const state = [stateDirectory, podsDirectory].find((each) => each === directory || isInside(each, directory));
  if (state !== undefined) throw refusal(name, directory, `lies in the state of Smalt, ${state}; name another one`);
}

function refusal(name: string, value: string, reason: string): VirtHandlerError {
  return new VirtHandlerError('bad-setting', `${name}: "${value}" ${reason}`, { field: name });
}
