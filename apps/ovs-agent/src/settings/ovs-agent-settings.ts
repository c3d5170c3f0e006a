import { join, resolve } from 'node:path';

import type { TlsFiles } from '@smalt/ovs';
import { nearestName } from '@smalt/service-runtime';
import { isIssueRule, issueRules, type IssueRule } from '@smalt/switch-health';

import { OvsAgentError } from '../ovs-agent-error.ts';
import type { OvsAgentOptions, SouthboundOptions } from '../ovs-agent-options.ts';
import { TROUBLESHOOTING_DEFAULTS, type TroubleshootingSettings } from '../troubleshoot/troubleshooting-settings.ts';
import type { OvsAgentConfig } from './ovs-agent-config.ts';

/** What the settings leave open is looked up here. */
export interface SettingsSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
}

export type OvsAgentSettings = Omit<OvsAgentOptions, 'kubeConfig' | 'logger'> & { readonly namespace: string };

/** Makes what an agent is told of a configuration and its surroundings. What cannot work is refused by its name. */
export function ovsAgentSettings(config: OvsAgentConfig, around: SettingsSurroundings): OvsAgentSettings {
  const { environment } = around;
  const root = resolve(config.root);
  return {
    nodeName: nodeNameOf(config, around),
    namespace: config.namespace,
    lockDirectory: resolve(config.lock === '' ? config.state : config.lock),
    runDirectories: config.runDirectories.map((directory) => join(root, directory)),
    root,
    judgement: { expectedBridges: config.bridges, disabledRules: config.disabledRules.map(ruleOf) },
    times: {
      refreshMs: config.refreshSeconds * 1_000,
      controllerMs: config.controllerSeconds * 1_000,
      countersMs: config.countersSeconds * 1_000,
      answerMs: config.answerSeconds * 1_000,
      scanMs: config.scanSeconds * 1_000,
    },
    writesPerMinute: config.writesPerMinute,
    southbound: southboundOf(config),
    libvirtUri: config.libvirt === '' ? undefined : config.libvirt,
    troubleshooting: troubleshootingOf(config),
    environment,
  };
}

// Names of nodes have small letters; those of hosts may have others.
function nodeNameOf({ node }: OvsAgentConfig, { environment, hostname }: SettingsSurroundings): string {
  if (node !== '') return node;
  const { NODE_NAME: variable = '' } = environment;
  return variable === '' ? hostname.toLowerCase() : variable;
}

function ruleOf(word: string): IssueRule {
  if (isIssueRule(word)) return word;
  const nearest = nearestName(word, issueRules);
  const hint = nearest === undefined ? `the rules are ${issueRules.join(', ')}` : `did you mean ${nearest}?`;
  throw new OvsAgentError('bad-setting', `disabledRules: there is no rule "${word}"; ${hint}`);
}

function troubleshootingOf({ troubleshoot, state }: OvsAgentConfig): TroubleshootingSettings | undefined {
  const { listen, certificate, key, authority, mostCaptureMebibytes, ...rest } = troubleshoot;
  if (listen === '') return undefined;
  requireBoth('troubleshoot', { certificate, key });
  return {
    ...TROUBLESHOOTING_DEFAULTS,
    ...rest,
    listen,
    certificateFile: fileOf(certificate),
    keyFile: fileOf(key),
    authorityFile: fileOf(authority),
    mostCaptureBytes: mostCaptureMebibytes * 1_048_576,
    stateDirectory: resolve(state),
  };
}

function fileOf(path: string): string {
  return path === '' ? '' : resolve(path);
}

function requireBoth(
  section: string,
  { certificate, key }: { readonly certificate: string; readonly key: string },
): void {
  if ((certificate === '') === (key === '')) return;
  const [given, missing] = key === '' ? ['certificate', 'key'] : ['key', 'certificate'];
  throw new OvsAgentError('bad-setting', `${section}.${missing}: is needed beside ${section}.${given}; give both`);
}

function southboundOf({ southbound }: OvsAgentConfig): SouthboundOptions | undefined {
  const { read, certificate, key, authority } = southbound;
  if (!read) return undefined;
  requireBoth('southbound', { certificate, key });
  if (authority === '') {
    if (certificate === '') return {};
    const text = 'southbound.authority: is needed beside southbound.certificate; give the file of the authority';
    throw new OvsAgentError('bad-setting', text);
  }
  return { tls: tlsFiles({ certificate, key, authority }) };
}

function tlsFiles(files: { readonly certificate: string; readonly key: string; readonly authority: string }): TlsFiles {
  const authorityFile = resolve(files.authority);
  if (files.certificate === '') return { authorityFile };
  return { authorityFile, certificateFile: resolve(files.certificate), keyFile: resolve(files.key) };
}
