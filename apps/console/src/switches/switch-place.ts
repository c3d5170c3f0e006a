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

/**
 * Reads of an OVSNode where its agent is. Throws where it names no address, or one that no token of a session may be shown to:
 * all but those of this machine, and of hosts that are on it.
 */
export function readSwitchPlace(node: JsonValue, name: string, ownAddresses: readonly string[] = []): SwitchPlace {
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
  // Whoever owns a node owns what its OVSNode says: a token that is shown there is theirs.
  if (!isThisMachine(parsed.hostname) && !ownAddresses.includes(parsed.hostname)) {
    const next = `smalt ovs asks it with a token that was made for it alone`;
    throw new ConsoleError(
      'forbidden',
      `the OVS agent of ${name} runs on another machine, which is shown no token of a session: ${next}`,
    );
  }
  return { url, authority: read(AUTHORITY_ANNOTATION) };
}

function isThisMachine(hostname: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(hostname) || hostname === '[::1]';
}
