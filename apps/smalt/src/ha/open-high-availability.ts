import { readFile } from 'node:fs/promises';

import { isJsonObject } from '@smalt/json';
import { KubeClient, type Identity, type KubeConfig } from '@smalt/kube';
import { messageOf } from '@smalt/service-runtime';

import type { ClusterFlags } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import { findKubeConfig, ownDataDirectory } from '../output/find-kubeconfig.ts';
import { SmaltError } from '../smalt-error.ts';
import { askControlSocket } from '../up/control-socket.ts';
import { dataPath } from '../up/data-directory.ts';
import { HA_AUDIENCE } from '../up/high-availability-settings.ts';

export interface HighAvailabilityFlags extends ClusterFlags {
  readonly haUrl?: string;
  /** A file with who vouches for the service. */
  readonly haCa?: string;
  /** A file with a token to show there. */
  readonly tokenFile?: string;
}

type Program = Pick<CommandProgram, 'environment' | 'signal'>;

const USER_AGENT = 'smalt-ha/0.1.0';
const TIMEOUT_MS = 15_000;
const ANSWER_MS = 5_000;
/** Whom the administrator of a `smalt up` shows the HA service. */
const ACCOUNT = '/api/v1/namespaces/smalt-system/serviceaccounts/smalt-console-admin/token';
const TOKEN_SECONDS = 600;

/** The HA service that the flags name, or that of the `smalt up` on this machine. It has to be disposed of. */
export async function openHighAvailability(program: Program, flags: HighAvailabilityFlags): Promise<KubeClient> {
  const { environment } = program;
  const { url, authority } = await findService(program, flags);
  const tls = {
    isInsecure: false,
    ...(authority === undefined ? {} : { authority: { kind: 'text', text: authority } as const }),
  };
  const config: KubeConfig = { server: url, tls, identity: await identityFor(program, flags), namespace: '' };
  return new KubeClient({ config, userAgent: USER_AGENT, environment, timeoutMs: TIMEOUT_MS, maxAttempts: 1 });
}

interface ServiceAddress {
  readonly url: string;
  readonly authority: string | undefined;
}

async function findService(program: Program, flags: HighAvailabilityFlags): Promise<ServiceAddress> {
  const { environment } = program;
  const { haUrl, haCa } = flags;
  const url = haUrl ?? environment['SMALT_HA_URL'];
  if (url === undefined || url === '') return await ownService(ownDataDirectory(flags, environment), program.signal);
  if (URL.parse(url)?.protocol !== 'https:') throw new SmaltError('wrong-use', `--ha-url: ${url} is no https URL`);
  const file = haCa ?? environment['SMALT_HA_CA'];
  try {
    return { url, authority: file === undefined || file === '' ? undefined : await readFile(file, 'utf8') };
  } catch (error) {
    throw new SmaltError('wrong-use', `--ha-ca: ${messageOf(error)}`, { cause: error });
  }
}

async function ownService(directory: string, signal: AbortSignal): Promise<ServiceAddress> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const answer = await askControlSocket(dataPath(directory, 'control'), { kind: 'high-availability' }, soon);
    const { url, authority } = isJsonObject(answer) ? answer : {};
    if (typeof url === 'string' && typeof authority === 'string') return { url, authority };
    throw new SmaltError('failed', 'the smalt up that runs does not say where its HA service is');
  } catch (error) {
    const next = 'name it with --ha-url and --ha-ca, or with SMALT_HA_URL and SMALT_HA_CA';
    const why = 'no HA service is named, and no smalt up of this machine tells of one';
    throw new SmaltError('wrong-use', `${why}: ${next}`, { cause: error });
  }
}

/** What is shown to the service: tokens alone, made for it. */
async function identityFor(program: Program, flags: HighAvailabilityFlags): Promise<Identity> {
  if (flags.tokenFile !== undefined) return { kind: 'token', token: { kind: 'file', path: flags.tokenFile } };
  const config = await findKubeConfig(flags, program.environment);
  if (config.identity.kind === 'token') return config.identity;
  await using client = new KubeClient({ config, userAgent: USER_AGENT, environment: program.environment });
  const body = JSON.stringify({ spec: { expirationSeconds: TOKEN_SECONDS, audiences: [HA_AUDIENCE] } });
  try {
    const answer = await client.request({ method: 'POST', path: ACCOUNT, body, signal: program.signal });
    const status = isJsonObject(answer) && isJsonObject(answer['status']) ? answer['status'] : {};
    const { token } = status;
    if (typeof token !== 'string')
      throw new SmaltError('failed', 'the API server answers a request for a token with something else');
    return { kind: 'token', token: { kind: 'text', text: token } };
  } catch (error) {
    const next = `kubectl create token NAME --audience ${HA_AUDIENCE} > FILE makes one for --token-file`;
    const message = `the HA service knows callers by tokens, and the kubeconfig has ${config.identity.kind}: ${next}`;
    throw new SmaltError('refused', message, { cause: error });
  }
}
