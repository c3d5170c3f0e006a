import { readFile } from 'node:fs/promises';

import { messageOf } from '@smalt/service-runtime';

import { ConsoleError } from '../console-error.ts';
import type { ConsoleOptions, HighAvailabilityOptions } from '../console-options.ts';
import type { ConsoleConfig } from './load-console-config.ts';

const PLACE = /^(?<namespace>[a-z0-9-]{1,63})\/(?<name>[a-z0-9.-]{1,253})$/;

/** What the settings say of how to start; the rest are resources of the process. */
export type ConsoleSettings = Pick<
  ConsoleOptions,
  'tls' | 'origins' | 'trustedProxies' | 'highAvailability' | 'keyFile' | 'signedOutFile' | 'signedOutConfigMap'
>;

/** Makes options of what was read. Refuses, by the name of the setting, what does not go together. */
export function consoleSettings({ serve, sessions, highAvailability }: ConsoleConfig): ConsoleSettings {
  const { certificate, key, origins, trustedProxies } = serve;
  if ((certificate === '') !== (key === '')) {
    throw bad('serve.certificate and serve.key go together: give both, or none of them');
  }
  const { keyFile, signedOutFile, signedOutConfigMap } = sessions;
  if (signedOutFile !== '' && signedOutConfigMap !== '') {
    throw bad('sessions.signedOutFile and sessions.signedOutConfigMap are two ways for one thing: give one of them');
  }
  return {
    tls: certificate === '' ? undefined : { certificateFile: certificate, keyFile: key },
    origins,
    trustedProxies,
    highAvailability: highAvailability.url === '' ? undefined : readHighAvailability(highAvailability),
    keyFile,
    signedOutFile: signedOutFile === '' ? undefined : signedOutFile,
    signedOutConfigMap: signedOutConfigMap === '' ? undefined : readPlace(signedOutConfigMap),
  };
}

function readPlace(words: string): ConsoleOptions['signedOutConfigMap'] {
  const { namespace, name } = PLACE.exec(words)?.groups ?? {};
  if (namespace !== undefined && name !== undefined) return { namespace, name };
  throw bad(`sessions.signedOutConfigMap: "${words}" is none: give NAMESPACE/NAME`);
}

function readHighAvailability({
  url,
  authority,
  tokenFile,
}: ConsoleConfig['highAvailability']): HighAvailabilityOptions {
  const protocol = URL.parse(url)?.protocol;
  if (protocol !== 'https:') throw bad(`highAvailability.url: "${url}" is no address: give such as https://ha:7402`);
  if (tokenFile === '') throw bad('highAvailability.tokenFile has to be given with highAvailability.url');
  return {
    url,
    authority: authority === '' ? undefined : () => text('highAvailability.authority', authority),
    token: async () => (await text('highAvailability.tokenFile', tokenFile)).trim(),
  };
}

/** What others write while the console runs, and may not have written yet. */
async function text(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const message = `${setting}: ${path} cannot be read yet: ${messageOf(error)}`;
    throw new ConsoleError('unavailable', message, { cause: error });
  }
}

function bad(message: string): ConsoleError {
  return new ConsoleError('bad-setting', message);
}
