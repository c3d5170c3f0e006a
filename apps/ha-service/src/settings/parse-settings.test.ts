import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { defaultDetectionSettings } from '@smalt/failure-detection';
import { defaultInstanceRecoverySettings } from '@smalt/instance-recovery';
import { defaultRecoveryPolicy } from '@smalt/recovery-policy';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

import { minimalSettings } from '../fixtures/minimal-settings.ts';
import { engineSettings } from './ha-service-settings.ts';
import { parseSettings } from './parse-settings.ts';

const EXAMPLE = resolve(import.meta.dirname, '../../../../deploy/ha-service/config.yaml');

describe('parseSettings', () => {
  it('takes little, and fills in calm defaults', () => {
    const settings = parseSettings(stringify(minimalSettings()));

    expect(settings).toMatchObject({
      listen: ':8443',
      detection: defaultDetectionSettings,
      policy: defaultRecoveryPolicy,
      instanceRecovery: defaultInstanceRecoverySettings,
      api: { asksKubernetes: true, allowsAnonymousSwitch: false },
      webhooks: [],
    });
    expect(engineSettings(settings)).toMatchObject({ detection: defaultDetectionSettings, lookIntervalMs: 1_000 });
  });

  it('takes the example, all of whose keys mean something', async () => {
    const content = await readFile(EXAMPLE, 'utf8');

    const settings = parseSettings(content);

    expect(settings).toMatchObject(parse(content));
    expect(settings.detection).toEqual(defaultDetectionSettings);
  });

  it('takes what the comments of the example offer', async () => {
    const content = await readFile(EXAMPLE, 'utf8');
    const offered = content
      .replace(/^store:\n {2}kind: sqlite\n.*\n/m, '')
      .replaceAll(
        /^(\s*)# (?=store:|  kind:|  urlFile|  authorityFile|includeA|excludeA|clientC|  viewers|  operators)/gm,
        '$1',
      );

    expect(parseSettings(offered)).toMatchObject({
      store: { kind: 'postgres' },
      policy: { includeAggregates: ['prod'], excludeAggregates: ['lab'] },
      api: { clientCertificates: { operators: ['alice'] } },
    });
  });

  it.each([
    {
      change: { compute: { kind: 'virtual-machines' } },
      message:
        'pace.serviceDownMs: must be at least 150000 where compute.kind is virtual-machines: virt-handlers are heard of once a minute',
    },
    { change: { lissten: 1 }, message: 'lissten: is not known; did you mean "listen"?' },
    { change: { listen: '8443' }, message: 'listen: "8443" must be an address and a port, such as :8443' },
    { change: { tls: undefined }, message: 'tls: is missing: give a mapping (the identity of the service)' },
    { change: { store: { kind: 'mysql' } }, message: 'store.kind: "mysql" must be one of sqlite, postgres' },
    {
      change: { store: { kind: 'sqlite', path: 'ha.sqlite' } },
      message: 'store.path: "ha.sqlite" must be the path of a file',
    },
    { change: { fencing: {} }, message: 'fencing.levels: nothing could be powered off' },
    {
      change: { detection: { judgement: { signalsNeeded: 1 } } },
      message: 'detection.judgement.signalsNeeded: 1 must be a whole number of at least 2',
    },
    {
      change: { detection: { brakes: { maximumMissingShare: 0.9 } } },
      message: 'detection.brakes.maximumMissingShare: 0.9 must be above 0 and at most 0.5',
    },
    {
      change: { detection: { judgement: { requiredSources: ['agents'] } } },
      message: 'detection.judgement.requiredSources[0]: "agents" must be one of agent',
    },
    {
      change: { policy: { segments: [{ name: 'a', method: 'reserved-host' }] } },
      message: 'policy.segments[0].reservedHosts: method reserved-host needs at least one',
    },
    { change: { instanceRecovery: { missedPings: 1 } }, message: 'instanceRecovery.missedPings: 1 must be' },
    { change: { webhooks: [webhook('a'), webhook('a')] }, message: 'webhooks: two are called a; rename one' },
    {
      change: { webhooks: [{ ...webhook('a'), url: 'http://x' }] },
      message: 'webhooks[0].url: "http://x" must be an https',
    },
    {
      change: { webhooks: [{ ...webhook('a'), kinds: ['fences'] }] },
      message: 'webhooks[0].kinds[0]: "fences" must be one of',
    },
    { change: { api: { asksKubernetes: false } }, message: 'api: nobody could use it' },
    {
      change: { api: { clientCertificates: { operators: ['a'] } } },
      message: 'api.clientCertificates.authorityFile: is missing',
    },
    {
      change: { api: { clientCertificates: { authorityFile: '/ca' } } },
      message: 'api.clientCertificates.viewers: nobody is named',
    },
    {
      change: {
        api: { clientCertificates: { authorityFile: '/ca', viewers: ['a'] } },
        sources: { push: { authorityFile: '/ca' } },
      },
      message: 'sources.push.authorityFile: is also that of persons',
    },
    { change: { sources: { push: { serviceAccounts: ['a'] } } }, message: 'must be namespace:serviceaccount' },
    { change: { pace: { refreshIntervalMs: 90_000 } }, message: 'pace.refreshIntervalMs: must not be more than' },
  ])('names what is wrong: $message', ({ change, message }) => {
    const content = stringify({ ...minimalSettings(), ...change });

    expect(() => parseSettings(content)).toThrow(message);
  });

  it.each(['a: [', 'listen: :1\nlisten: :2'])('refuses what is not YAML: %j', (content) => {
    expect(() => parseSettings(content)).toThrow('the file is not YAML');
  });

  it('refuses a file that is no mapping', () => {
    expect(() => parseSettings('just text')).toThrow('"just text" must be a mapping');
  });
});

function webhook(name: string): Readonly<Record<string, unknown>> {
  return { name, url: 'https://x.example/', secretFile: '/secret' };
}
