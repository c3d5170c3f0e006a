import {
  BmcError,
  createCommandController,
  createIpmiController,
  RedfishController,
  type PowerController,
  type Secret,
} from '@smalt/bmc';
import type { KubeClient } from '@smalt/kube';
import type { Ignore } from '@smalt/service-runtime';

import type { HostLevel } from './host-level.ts';
import { createIronCoreController } from './ironcore-controller.ts';
import type { CommandLevel, IpmiLevel, RedfishLevel } from './power-settings.ts';
import { readSecretFile } from './read-secret-file.ts';

export interface ControllerDeps {
  /** Needed by the levels of IronCore alone. */
  readonly kube: Pick<KubeClient, 'resource'> | undefined;
  readonly ignore: Ignore;
  /** Names sessions and orders; never gives the same name twice. */
  readonly newId: () => string;
}

/** The power switch of a host by one level. Its secrets are read from their files now. */
export async function openController(
  deps: ControllerDeps,
  level: HostLevel,
  signal: AbortSignal,
): Promise<PowerController & Partial<AsyncDisposable>> {
  switch (level.driver) {
    case 'redfish':
      return redfishController(level, await readSecretFile('passwordFile', level.passwordFile, signal), deps.ignore);
    case 'ipmi':
      return ipmiController(level, await readSecretFile('passwordFile', level.passwordFile, signal));
    case 'command':
      return commandController(level, await readSecrets(level.environmentFiles ?? {}, signal));
    case 'ironcore':
      if (deps.kube === undefined) throw new BmcError('bad-setting', 'driver: ironcore needs a Kubernetes API server');
      return createIronCoreController(deps.kube, level, deps.newId);
  }
}

/** Throws `bad-setting`, as the next two do. */
export function redfishController(
  { driver: _driver, name: _name, hosts: _hosts, passwordFile: _file, perHost: _perHost, ...settings }: RedfishLevel,
  password: Secret,
  ignore: Ignore,
): RedfishController {
  return new RedfishController({ ...settings, password }, { ignore });
}

export function ipmiController(
  {
    driver: _driver,
    name: _name,
    hosts: _hosts,
    passwordFile: _file,
    perHost: _perHost,
    address,
    ...settings
  }: IpmiLevel,
  password: Secret,
): PowerController {
  return createIpmiController({ ...settings, host: address, password });
}

export function commandController(
  { command, environment, timeoutMs }: CommandLevel,
  secrets: Readonly<Record<string, Secret>>,
): PowerController {
  return createCommandController({
    command,
    environment: { ...environment, ...secrets },
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

async function readSecrets(
  files: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, Secret>>> {
  const entries = Object.entries(files).map(
    async ([name, path]) => [name, await readSecretFile(`environmentFiles.${name}`, path, signal)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
