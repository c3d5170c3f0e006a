import type { HaAgentSettings, HaIdentity } from '@smalt/ha-agent';

import { AgentError } from '../agent-error.ts';

/** The settings of the HA agent, the same inside the node agent and alone. */
export interface HaConfig {
  readonly url: string;
  readonly certificate: string;
  readonly key: string;
  readonly token: string;
  readonly authority: string;
  readonly allowPlainHttp: boolean;
  readonly reports: string;
  readonly maxQueuedRecords: number;
  readonly maxQueuedMebibytes: number;
}

/** What `smalt ha-agent` is told. */
export interface HaAgentConfig {
  readonly node: string;
  readonly kubeconfig: string;
  readonly state: string;
  readonly libvirt: string;
  readonly listen: string;
  readonly ha: HaConfig;
  readonly log: LogConfig;
}

export interface LogConfig {
  readonly level: string;
  readonly format: string;
}

/** The settings as the HA agent takes them. `prefix` names where they stand: `ha.` or nothing. */
export function haSettings(config: HaConfig, prefix: string): HaAgentSettings {
  const { url, allowPlainHttp } = config;
  const identity = haIdentity(config, prefix);
  return {
    ...(url !== '' && {
      service: { url, identity, allowPlainHttp, authorityFile: textOrNothing(config.authority) },
    }),
    reportFile: textOrNothing(config.reports),
    maxQueuedRecords: config.maxQueuedRecords,
    maxQueuedBytes: config.maxQueuedMebibytes * 2 ** 20,
  };
}

function haIdentity({ certificate, key, token }: HaConfig, prefix: string): HaIdentity | undefined {
  if (certificate !== '' && token !== '') {
    throw new AgentError('bad-setting', `${prefix}certificate and ${prefix}token: give one of them, not both`);
  }
  if ((certificate === '') !== (key === '')) {
    const [given, missing] = certificate === '' ? ['key', 'certificate'] : ['certificate', 'key'];
    throw new AgentError('bad-setting', `${prefix}${given} is given without ${prefix}${missing}: give both`);
  }
  if (certificate !== '') return { kind: 'certificate', certificateFile: certificate, keyFile: key };
  return token === '' ? undefined : { kind: 'token', tokenFile: token };
}

function textOrNothing(text: string): string | undefined {
  return text === '' ? undefined : text;
}
