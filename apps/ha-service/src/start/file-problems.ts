import { readFile } from 'node:fs/promises';

import { fingerprintsOf } from '@smalt/kubernetes-callers';
import { messageOf } from '@smalt/service-runtime';
import { readCertificateFiles } from '@smalt/serving-certificate';

import { TokenCallers } from '../api/token-callers.ts';
import { powerFileProblems } from '../power/power-file-problems.ts';
import type { HaServiceSettings } from '../settings/ha-service-settings.ts';
import type { PullEndpoint } from '../sources/pull/pull-settings.ts';
import { parseNodeTokens } from '../sources/push/node-tokens.ts';

/** Every file that the settings name and that is of no use now, each with its field. Nothing of their content is told. */
export async function fileProblems(settings: HaServiceSettings, signal: AbortSignal): Promise<readonly string[]> {
  const { tls, fencing, api, webhooks, store, sources } = settings;
  const { authorityFile } = api.clientCertificates;
  const checks = [
    check('tls', () => readCertificateFiles({ ...tls, authorityFiles: [] })),
    ...given('api.tokensFile', api.tokensFile, async (path) => new TokenCallers(await text(path), path)),
    ...given('api.clientCertificates.authorityFile', authorityFile, async (path) => authorities(await text(path))),
    ...given('sources.push.authorityFile', sources.push.authorityFile, async (path) => authorities(await text(path))),
    ...given('sources.push.tokensFile', sources.push.tokensFile, async (path) =>
      parseNodeTokens(await text(path), path),
    ),
    ...sources.pull.flatMap((endpoint, index) => pullChecks(endpoint, `sources.pull[${index}]`)),
    ...webhooks.map(({ secretFile }, index) => check(`webhooks[${index}].secretFile`, () => secret(secretFile))),
    ...given('store.urlFile', store.kind === 'postgres' ? store.urlFile : '', secret),
  ];
  const [own, power] = await Promise.all([Promise.all(checks), powerFileProblems(fencing, signal)]);
  return [...own.flat(), ...power.map((problem) => `fencing.${problem}`)];
}

function pullChecks(endpoint: PullEndpoint, at: string): readonly Promise<readonly string[]>[] {
  const { authorityFile = '', certificateFile = '', keyFile = '', tokenFile = '', passwordFile = '' } = endpoint;
  const identity = { certificateFile, keyFile, authorityFiles: [] };
  return [
    ...given(`${at}.authorityFile`, authorityFile, async (path) => authorities(await text(path))),
    ...given(`${at}.certificateFile`, certificateFile, () => readCertificateFiles(identity)),
    ...given(`${at}.tokenFile`, tokenFile, secret),
    ...given(`${at}.passwordFile`, passwordFile, secret),
  ];
}

function given(
  field: string,
  path: string,
  read: (path: string) => Promise<unknown>,
): readonly Promise<readonly string[]>[] {
  return path === '' ? [] : [check(field, () => read(path))];
}

async function check(field: string, read: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await read();
    return [];
  } catch (error) {
    return [`${field}: ${messageOf(error)}`];
  }
}

async function text(path: string): Promise<string> {
  return await readFile(path, 'utf8');
}

function authorities(pem: string): void {
  if (fingerprintsOf(pem).size === 0) throw new Error('it holds no certificate: give one in PEM');
}

async function secret(path: string): Promise<void> {
  if ((await text(path)).trim() === '') throw new Error(`${path} is empty: put the secret into it`);
}
