import type { JsonValue } from '@smalt/json';
import { isKubeError, type KubeConfig, type TlsOptions } from '@smalt/kube';

import { ConsoleError } from '../console-error.ts';
import { Upstream } from '../proxy/upstream.ts';
import { userClient } from '../session/reviewed-user.ts';
import type { SwitchCall } from './switch-call.ts';
import { readSwitchPlace } from './switch-place.ts';

/** The agent of a switch, ready to be asked by one user. The upstream is the caller's to dispose of. */
export interface OpenSwitch {
  readonly upstream: Upstream;
  readonly path: string;
  readonly credentials: { readonly authorization: string };
  readonly refuse: (status: number) => ConsoleError | undefined;
}

export interface SwitchFinding {
  readonly apiServer: KubeConfig;
  /** The addresses of hosts that are on this machine. */
  readonly localHosts: readonly string[];
}

/** How long the API server may take to say where an agent is. */
const FIND_MS = 10_000;

/**
 * Finds the agent of a switch by its OVSNode, which is read with the token of the user: whoever may not see that gets no
 * further. The same token is shown to the agent, which asks the cluster what its owner may do.
 */
export async function openSwitch(
  { apiServer, localHosts }: SwitchFinding,
  token: string,
  call: SwitchCall | undefined,
  signal: AbortSignal,
): Promise<OpenSwitch> {
  if (call === undefined) throw new ConsoleError('not-found', 'switches are not asked that here: see the README');
  const node = await readNode(apiServer, token, call, AbortSignal.any([signal, AbortSignal.timeout(FIND_MS)]));
  const { url, authority } = readSwitchPlace(node, call.name, localHosts);
  const tls: TlsOptions = { rejectUnauthorized: true, ...(authority !== undefined && { ca: authority }) };
  return {
    upstream: new Upstream({ name: `the OVS agent of ${call.name}`, url, tls: () => Promise.resolve(tls) }),
    path: call.path,
    credentials: { authorization: `Bearer ${token}` },
    refuse: (status) => agentRefusal(status, call.name),
  };
}

async function readNode(
  apiServer: KubeConfig,
  token: string,
  { namespace, name }: SwitchCall,
  signal: AbortSignal,
): Promise<JsonValue> {
  await using client = userClient(apiServer, token);
  try {
    const path = `/apis/ovs.c5c3.io/v1alpha1/namespaces/${namespace}/ovsnodes/${name}`;
    return await client.request({ method: 'GET', path, signal });
  } catch (error) {
    throw asRefusal(error, name);
  }
}

function asRefusal(cause: unknown, name: string): unknown {
  if (!isKubeError(cause)) return cause;
  const { code, message } = cause;
  if (code === 'unauthorized') {
    return new ConsoleError('signed-out', 'the API server does not know you any more: sign in again', { cause });
  }
  if (code === 'forbidden') return new ConsoleError('forbidden', message, { cause });
  if (code === 'not-found') {
    return new ConsoleError('not-found', `there is no OVSNode ${name}: its agent may have been stopped`, { cause });
  }
  const next = `the API server cannot be asked where the agent of ${name} is: try again`;
  return new ConsoleError('unavailable', next, { cause });
}

/** What to tell a user whom the agent does not know: they are still signed in here. */
function agentRefusal(status: number, name: string): ConsoleError | undefined {
  if (status !== 401) return undefined;
  const next = 'it may want tokens that were made for it alone; smalt ovs --token-file can show it one';
  return new ConsoleError('forbidden', `the OVS agent of ${name} does not take the token of this session: ${next}`);
}
