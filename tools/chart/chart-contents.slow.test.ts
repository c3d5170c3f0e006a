import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { imageRecipes } from '../images/src/recipes.ts';
import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { CHART, findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedObject } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const ELSEWHERE = '{haService: {enabled: false}, haAgent: {config: {ha: {url: "https://ha.example"}}}}';
const BY_ISSUER = 'certificates: {source: cert-manager, issuer: {name: authority}}';
/** What every namespace has. */
const GIVEN = ['ConfigMap kube-root-ca.crt'];

describe.skipIf(helm === '')('what the chart mounts (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each(['', ELSEWHERE, BY_ISSUER])('is made by somebody, with %j', async (values) => {
    const objects = await objectsOf(values);

    const mounted = objects.flatMap((object) => podOf(object)?.volumes ?? []);
    const names = mounted.flatMap(({ secret, configMap }) => [
      ...(secret === undefined ? [] : [`Secret ${secret.secretName}`]),
      ...(configMap === undefined ? [] : [`ConfigMap ${configMap.name}`]),
    ]);

    expect(names.length).toBeGreaterThan(5);
    const made = new Set([...GIVEN, ...objects.flatMap(madeBy)]);
    expect(names.filter((name) => !made.has(name))).toEqual([]);
  });

  it('tells an HA agent by itself of no authority that nobody makes', async () => {
    const config = parse(dataOf(await objectsOf(ELSEWHERE), 'smalt-ha-agent')['config.yaml'] ?? '');

    expect(config).toEqual({
      ha: {
        url: 'https://ha.example',
        token: '/var/run/secrets/smalt/ha/token',
        reports: '/etc/smalt/reports/reports.yaml',
      },
    });
  });

  it('has launchers pulled as all other images are', async () => {
    const objects = await objectsOf('image: {pullPolicy: Always, pullSecrets: [{name: registry}, {name: mirror}]}');

    expect(parse(dataOf(objects, 'virt-controller')['config.yaml'] ?? '')).toMatchObject({
      launcher: { pullPolicy: 'Always', pullSecrets: ['registry', 'mirror'] },
    });
  });

  it('leaves to those who have chosen it how handlers know virt-api, where sign-outs are kept, and how guests move', async () => {
    const own = 'virtApi: {config: {handlers: {tokenFile: /token}}}';
    const kept = 'console: {config: {sessions: {signedOutFile: /kept}}}';
    const address = 'virtHandler: {extraEnv: [{name: SMALT_VIRT_HANDLER_MIGRATION_ADDRESS, value: 192.0.2.7}]}';
    const everywhere = 'libvirt: {managed: {listenAddress: 0.0.0.0}}';

    const [plain, chosen] = [await objectsOf(''), await objectsOf(own, kept, address, everywhere)];

    expect(parse(dataOf(chosen, 'virt-api')['config.yaml'] ?? '').handlers).toEqual({ tokenFile: '/token' });
    expect(parse(dataOf(chosen, 'smalt-console')['config.yaml'] ?? '').sessions).toEqual({
      keyFile: '/etc/smalt/key/key',
      signedOutFile: '/kept',
    });
    expect([addressOf(plain), addressOf(chosen)]).toEqual([['--migration-address=$(HOST_IP)'], []]);
  });

  it('keeps who signed out for as long as the key of sessions, whatever becomes of the release', async () => {
    const found = (await objectsOf('')).find(({ metadata }) => metadata.name === 'smalt-console-signed-out');

    expect(found?.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  });

  it.each([
    ['', 'docs/runbooks/'],
    ['https://git.example/smalt/blob/main', 'https://git.example/smalt/blob/main/docs/runbooks/'],
    ['https://git.example/smalt/blob/main/', 'https://git.example/smalt/blob/main/docs/runbooks/'],
  ])('has alerts name their runbooks below %j', async (runbookUrl, start) => {
    const objects = await objectsOf(`monitoring: {rules: {enabled: true, runbookUrl: '${runbookUrl}'}}`);

    const rules = objects.filter(({ kind }) => kind === 'PrometheusRule');
    const urls = rules.flatMap(({ spec }) => [...JSON.stringify(spec).matchAll(/"runbook_url":"([^"]*)"/g)]);
    const files = (await readdir(join(CHART, 'files/alerts'))).filter((name) => name.endsWith('.yaml'));
    expect(rules.length).toBe(files.length);
    expect(urls.length).toBeGreaterThan(30);
    expect(urls.filter(([, url = '']) => !url.startsWith(start))).toEqual([]);
  });

  it.each([
    ['', true],
    ['libvirt: {certificates: {createNamespace: false}}', false],
    ['libvirt: {certificates: {source: none}}', false],
    ['nodeAgent: {enabled: false}', false],
    // The operator asks for certificates there.
    ['{nodeAgent: {enabled: false}, libvirt: {certificates: {source: cert-manager, issuer: {name: a}}}}', true],
  ])(
    'makes the namespace of the keys of nodes where it is needed and not there yet: with %j %j',
    async (values, isMade) => {
      const made = (await objectsOf(values))
        .filter(({ kind }) => kind === 'Namespace')
        .map(({ metadata }) => metadata.name);

      expect(made.includes('smalt-libvirt')).toBe(isMade);
    },
  );

  it.each([
    ['', 'listen_tls = 1'],
    ['libvirt: {certificates: {source: none}}', 'listen_tls = 0'],
    // Whoever made certificates, nobody would install them, and a libvirtd that waits for them does not start.
    ['nodeAgent: {enabled: false}', 'listen_tls = 0'],
    ['{nodeAgent: {enabled: false}, libvirt: {certificates: {source: nodes}}}', 'listen_tls = 1'],
    ['{nodeAgent: {enabled: false}, libvirt: {transport: tcp}}', 'listen_tcp = 1'],
  ])('has libvirtd listen where somebody brings what it needs for it: with %j %s', async (values, line) => {
    const objects = await objectsOf(values);

    const arguments_ = objects.filter(({ metadata }) => metadata.name === 'smalt-libvirt').flatMap(argumentsOf);
    expect(dataOf(objects, 'smalt-libvirt')['libvirtd.conf']?.split('\n')).toContain(line);
    expect(arguments_.includes('--listen')).toBe(line.endsWith('1'));
  });

  it('looks after the key of the console, whoever makes the certificates', async () => {
    const jobs = (await objectsOf(BY_ISSUER, 'libvirt: {certificates: {source: none}}')).filter(isCertificatesJob);

    expect(jobs.map((job) => [job.kind, argumentsOf(job).filter((one) => one.startsWith('--keys'))])).toEqual([
      ['Job', ['--keys=smalt-console-key']],
      ['CronJob', ['--keys=smalt-console-key']],
    ]);
  });

  it('gives a run for certificates up that cannot begin, for the next one waits for its end', async () => {
    const jobs = (await objectsOf('')).filter(isCertificatesJob).map(({ kind, spec }) => [kind, jobOf(spec)]);

    expect(jobs).toEqual([
      ['Job', expect.objectContaining({ activeDeadlineSeconds: 600 })],
      ['CronJob', expect.objectContaining({ activeDeadlineSeconds: 600 })],
    ]);
  });

  it('reads the journal of a node wherever the node keeps it, and holds no more of it than of other logs', async () => {
    const objects = await objectsOf('');

    const { pipeline } = parse(dataOf(objects, 'smalt-logs')['fluent-bit.yaml'] ?? '');
    const [journal] = pipeline.inputs;
    expect(journal).toMatchObject({ name: 'systemd', mem_buf_limit: '16M' });
    expect(journal).not.toHaveProperty('path');
    const pod = objects.filter(({ metadata }) => metadata.name === 'smalt-logs').flatMap((one) => podOf(one) ?? []);
    const mounted = pod.flatMap(({ containers }) => containers).flatMap(({ volumeMounts }) => volumeMounts ?? []);
    expect(mounted.filter(({ readOnly }) => readOnly === true).map(({ mountPath }) => mountPath)).toEqual(
      expect.arrayContaining(['/var/log', '/run/log/journal', '/etc/machine-id']),
    );
  });

  it('has all parts with metrics scraped, each where it tells them', async () => {
    const objects = await objectsOf('monitoring: {serviceMonitors: {enabled: true}}');

    const telling = objects.filter((object) =>
      podOf(object)?.containers.some(({ ports }) => ports?.some(({ name }) => name === 'metrics')),
    );
    const monitors = objects.filter(({ kind }) => kind === 'ServiceMonitor');
    expect(telling.length).toBeGreaterThan(8);
    expect(monitors.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      telling.map(({ metadata }) => metadata.name).toSorted(),
    );
    expect(monitors.find(({ metadata }) => metadata.name === 'smalt-logs')?.spec).toMatchObject({
      endpoints: [{ port: 'metrics', path: '/api/v2/metrics/prometheus' }],
    });
  });

  it('has no program of ours listen by one version of the Internet protocol alone', async () => {
    const configs = (await objectsOf('')).map(({ data }) => data?.['config.yaml'] ?? '');

    expect(configs.join('\n')).toContain("listen: '[::]:8443'");
    expect(configs.filter((text) => text.includes('0.0.0.0'))).toEqual([]);
  });

  it('has all that the image of libvirt says of itself', async () => {
    const data = dataOf(await objectsOf(''), 'smalt-libvirt');
    const files = imageRecipes('12').find(({ name }) => name === 'smalt-libvirt')?.files ?? {};

    const wanted = Object.entries(files).filter(([path]) => path.startsWith('etc/libvirt/'));
    expect(wanted.length).toBe(2);
    for (const [path, text] of wanted) {
      const lines = (data[path.replace('etc/libvirt/', '')] ?? '').split('\n');
      const settings = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      expect(lines).toEqual(expect.arrayContaining(settings));
    }
  });

  it('knows the console by the same names, whoever makes its certificate', async () => {
    const names =
      'console: {origins: ["https://a.example:8443", "https://192.0.2.7"], ingress: {enabled: true, host: b.example}}';
    const [own, other] = await Promise.all(['{}', `{${BY_ISSUER}}`].map((by) => objectsOf(names, by)));

    const argument = own?.flatMap(argumentsOf).find((one) => one.startsWith('--certificates=smalt-console-tls='));
    const certificate = other?.find(
      ({ kind, metadata }) => kind === 'Certificate' && metadata.name === 'smalt-console-tls',
    );
    const inCluster = ['smalt-console', 'smalt-console.smalt-system', 'smalt-console.smalt-system.svc'];
    expect(argument?.split('=')[2]?.split('+')).toEqual([...inCluster, 'a.example', '192.0.2.7', 'b.example']);
    expect(certificate?.spec).toMatchObject({
      dnsNames: [...inCluster, 'a.example', 'b.example'],
      ipAddresses: ['192.0.2.7'],
    });
  });
});

/** The Secrets and ConfigMaps that come of an object: itself, or what it has a program make. */
function madeBy(object: RenderedObject): readonly string[] {
  const { kind, metadata } = object;
  if (kind === 'Certificate') return [`Secret ${metadata.name}`];
  const names = argumentsOf(object).map((one) => /^--(?:certificates|keys)=([a-z-]+)/.exec(one)?.[1]);
  return [`${kind} ${metadata.name}`, ...names.map((name) => `Secret ${name ?? ''}`)];
}

function isCertificatesJob({ kind, metadata }: RenderedObject): boolean {
  return kind.endsWith('Job') && metadata.name.startsWith('smalt-certificates');
}

/** What a Job does, or each of a CronJob. */
function jobOf(spec: unknown): unknown {
  const { jobTemplate } = Object(spec);
  return Object(jobTemplate).spec ?? spec;
}

function argumentsOf(object: RenderedObject): readonly string[] {
  return podOf(object)?.containers.flatMap(({ args }) => args ?? []) ?? [];
}

function addressOf(objects: readonly RenderedObject[]): readonly string[] {
  return objects.flatMap(argumentsOf).filter((one) => one.startsWith('--migration-address='));
}

function dataOf(objects: readonly RenderedObject[], name: string): Readonly<Record<string, string>> {
  return objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.data ?? {};
}

async function objectsOf(...values: readonly string[]): Promise<readonly RenderedObject[]> {
  const all = values.reduce<unknown>(
    (before, text) => mergeValues(before, parse(text) ?? {}),
    mergeValues(NO_DEFINITIONS, everyPart('on')),
  );
  return renderedObjects(await renderChart(helm, { values: all }));
}
