import { isJsonObject, type JsonValue } from '@smalt/json';

import { ConsoleError } from '../console-error.ts';

/** Where the agent of a switch is reached, and who signed for it. */
export interface SwitchPlace {
  readonly url: string;
  /** Undefined where everybody trusts its certificate. */
  readonly authority: string | undefined;
}

const URL_ANNOTATION = 'smalt.dev/troubleshooting-url';
const AUTHORITY_ANNOTATION = 'smalt.dev/troubleshooting-ca';

/** Reads of an OVSNode where its agent is. Throws where it names no address, or one to which no token may be sent. */
export function readSwitchPlace(node: JsonValue, name: string): SwitchPlace {
  const metadata = isJsonObject(node) ? node['metadata'] : undefined;
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  const read = (key: string): string | undefined => {
    const value = isJsonObject(annotations) ? annotations[key] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const url = read(URL_ANNOTATION);
  if (url === undefined) {
    const next = 'start its OVS agent with --troubleshoot-listen';
    throw new ConsoleError('not-found', `the OVSNode ${name} tells no address of a troubleshooting API: ${next}`);
  }
  const parsed = URL.parse(url);
  // Nothing but a host: with a path of its own it could lead to any service that such hosts have.
  if (parsed?.protocol !== 'https:' || parsed.href !== `${parsed.origin}/`) {
    const message = `the OVSNode ${name} tells ${JSON.stringify(url)}, which is no plain https address: who wrote that?`;
    throw new ConsoleError('unavailable', message);
  }
  return { url, authority: read(AUTHORITY_ANNOTATION) };
}
