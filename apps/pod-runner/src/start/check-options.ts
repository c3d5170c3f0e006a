import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';

import { checkDns1123Subdomain } from '@smalt/kubernetes';

import { PodRunnerError } from '../pod-runner-error.ts';
import type { PodRunnerOptions } from '../pod-runner-options.ts';

/** Refuses options that can never work, each in a sentence that names it. */
export function checkOptions(options: PodRunnerOptions): void {
  const { nodeName, podsDirectory, volumesDirectory, cgroupRoot, address, smaltCommand, runsProcesses } = options;
  const [wrong] = checkDns1123Subdomain(nodeName);
  if (wrong !== undefined) throw refusal('node', nodeName, `is not the name of a node: ${wrong}`);
  for (const [name, path] of Object.entries({ podsDirectory, volumesDirectory })) {
    if (path !== undefined && path !== '' && !isAbsolute(path)) throw refusal(name, path, 'must be an absolute path');
  }
  if (cgroupRoot !== undefined && cgroupRoot !== '' && !/^(?:\/(?!\.\.?(?:\/|$))[\w.:@-]+)+$/.test(cgroupRoot)) {
    throw refusal('cgroupRoot', cgroupRoot, 'must be a path below the root of the cgroups, such as /system.slice');
  }
  if (address !== undefined && isIP(address) === 0) throw refusal('address', address, 'is not an IP address');
  if (runsProcesses === false) return;
  if (smaltCommand === undefined || smaltCommand.length === 0) {
    throw new PodRunnerError('bad-setting', 'smaltCommand: say what is run for smalt in the command of a pod');
  }
  if (process.getuid?.() !== 0) {
    throw new PodRunnerError('not-root', 'the pod runner makes cgroups and launchers: run it as root');
  }
}

function refusal(name: string, value: string, reason: string): PodRunnerError {
  return new PodRunnerError('bad-setting', `${name}: "${value}" ${reason}`);
}
