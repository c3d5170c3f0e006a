import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedObject, type RenderedPod } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const TCP = '{libvirt: {transport: tcp}}';
const BY_TCP = 'uri: qemu+tcp://$(HOST_IP):16509/system';
const BY_TLS = 'uri: qemu+tls://$(HOST_IP)/system';
const OWN_LIBVIRT = 'managed: {enabled: false}';
const NO_HANDLER = 'virtHandler: {enabled: false}';
const AGENTS = ['smalt-ha-agent', 'smalt-node-agent'] as const;
const OTHER_NETWORK = 'extraEnv: [{name: SMALT_VIRT_HANDLER_MIGRATION_ADDRESS, value: $(NODE_NAME).migration.example}]';

describe.skipIf(helm === '')('the managed libvirtd (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each([
    ['{}', '$(HOST_IP)'],
    [TCP, '$(HOST_IP)'],
    ['{libvirt: {managed: {listenAddress: 0.0.0.0}}}', '0.0.0.0'],
    ['{libvirt: {managed: {listenAddress: "::"}}}', '::'],
    [
      `{virtHandler: {${OTHER_NETWORK}}, libvirt: {managed: {listenAddress: $(NODE_NAME).migration.example}}}`,
      '$(NODE_NAME).migration.example',
    ],
    // Nobody moves anything by it.
    [`{virtHandler: {enabled: false, ${OTHER_NETWORK}}}`, '$(HOST_IP)'],
  ])('listens at one address, that of its node unless it is told otherwise: with %s %s', async (values, address) => {
    const pod = podOfPart(await objectsOf(values), 'smalt-libvirt');

    const [written] = pod.initContainers ?? [];
    expect(written?.args).toEqual([
      'libvirt-config',
      '--from=/etc/smalt/libvirt/libvirtd.conf',
      '--to=/etc/smalt/node/libvirtd.conf',
      `--address=${address}`,
    ]);
    expect(written?.env?.find(({ name }) => name === 'HOST_IP')?.valueFrom?.fieldRef?.fieldPath).toBe('status.hostIP');
    expect(pod.containers[0]?.args).toContain('--config=/etc/smalt/node/libvirtd.conf');
  });

  it('has its address written by a program that may nothing else', async () => {
    const pod = podOfPart(await objectsOf('{}'), 'smalt-libvirt');

    expect(pod.initContainers).toMatchObject([
      {
        securityContext: {
          privileged: false,
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'RuntimeDefault' },
        },
        volumeMounts: [{ mountPath: '/etc/smalt/libvirt', readOnly: true }, { mountPath: '/etc/smalt/node' }],
      },
    ]);
  });

  it.each([
    ['{}', 'smalt-node-agent:new'],
    ['{nodeAgent: {image: {tag: old}}}', 'smalt-node-agent:new'],
    [`{nodeAgent: {image: {digest: "sha256:${'0'.repeat(64)}"}}}`, 'smalt-node-agent:new'],
    ['{libvirt: {managed: {configImage: {repository: other, tag: own}}}}', 'other:own'],
  ])('has that program of its own release, whatever node agents are pinned to: with %s %s', async (values, image) => {
    const objects = await objectsOf(mergeValues({ image: { tag: 'new' } }, parse(values)));

    expect(podOfPart(objects, 'smalt-libvirt').initContainers).toMatchObject([{ image: `smalt.local/${image}` }]);
  });

  it('needs nobody to write an address where it does not listen', async () => {
    const pod = podOfPart(await objectsOf('{libvirt: {certificates: {source: none}}}'), 'smalt-libvirt');

    expect(pod.initContainers).toBeUndefined();
    expect(pod.containers[0]?.args).toContain('--config=/etc/smalt/libvirt/libvirtd.conf');
    expect(pod.volumes?.map(({ name }) => name)).not.toContain('node-config');
  });

  it.each([
    ['{libvirt: {managed: {listenAddress: a b}}}', '/libvirt/managed/listenAddress'],
    ['{libvirt: {managed: {listenAddress: $(OTHER)}}}', '/libvirt/managed/listenAddress'],
    [
      String.raw`{libvirt: {managed: {daemonConfig: "max_clients = 1\nlisten_addr = \"::\""}}}`,
      'libvirt.managed.daemonConfig: say listen_addr as libvirt.managed.listenAddress',
    ],
    [
      `{virtHandler: {${OTHER_NETWORK}}}`,
      'libvirt.managed.listenAddress: guests move by another address than that of their node (virtHandler.extraEnv: SMALT_',
    ],
    [
      '{virtHandler: {config: {migration: {address: 192.0.2.7}}}}',
      'than that of their node (virtHandler.config.migration.address)',
    ],
  ])('is refused where it would listen elsewhere than others come to: %s', async (values, message) => {
    await expect(objectsOf(values)).rejects.toThrow(message);
  });
});

describe.skipIf(helm === '')('agents (needs helm: npm run bed:kubernetes -- --build)', () => {
  it('reach libvirt by its socket, wherever that is, unless they are told otherwise', async () => {
    const objects = await objectsOf('{}');

    expect(waysOf(objects)).toEqual({
      'smalt-ha-agent': { uri: undefined, mounts: ['/run/libvirt'] },
      'smalt-node-agent': { uri: undefined, mounts: ['/etc/pki', '/run/libvirt'] },
    });
  });

  it.each([
    ['by TCP, without any socket of it', `${BY_TCP}, certificates: {source: nodes}`, [], []],
    ['by TCP, while the node agent installs certificates', BY_TCP, [], ['/etc/pki']],
    [
      'by TLS, with the certificates of the node',
      `${BY_TLS}, certificates: {source: nodes}`,
      ['/etc/pki'],
      ['/etc/pki'],
    ],
    ['by TLS, with those that the node agent installs', BY_TLS, ['/etc/pki'], ['/etc/pki']],
    ['by TLS, with certificates elsewhere', 'uri: qemu://hv/system?pkipath=/pki, certificates: {source: none}', [], []],
    ['by another socket', 'uri: ch:///system', ['/run/libvirt'], ['/etc/pki', '/run/libvirt']],
  ])('reach libvirt %s', async (_way, libvirt, ofHaAgent, ofNodeAgent) => {
    const objects = await objectsOf(`{${NO_HANDLER}, libvirt: {${OWN_LIBVIRT}, ${libvirt}}}`);

    const uri = /uri: (?<uri>[^ ,]+)/.exec(libvirt)?.groups?.['uri'];
    expect(waysOf(objects)).toEqual({
      'smalt-ha-agent': { uri, mounts: ofHaAgent },
      'smalt-node-agent': { uri, mounts: ofNodeAgent },
    });
  });

  it('know the address of their node before the URI that has it in it', async () => {
    const objects = await objectsOf(`{${NO_HANDLER}, libvirt: {${OWN_LIBVIRT}, ${BY_TCP}}}`);

    for (const name of AGENTS) {
      const names = podOfPart(objects, name).containers[0]?.env?.map((variable) => variable.name) ?? [];
      expect(names.indexOf('HOST_IP')).toBeLessThan(names.indexOf('LIBVIRT_DEFAULT_URI'));
    }
  });

  it('tell the managed libvirtd of new certificates by its socket, however they reach it else', async () => {
    const objects = await objectsOf(`{${NO_HANDLER}, libvirt: {${BY_TLS}}}`);

    expect(waysOf(objects)['smalt-node-agent']?.mounts).toEqual(['/etc/pki', '/run/libvirt']);
  });

  it.each([
    [`{libvirt: {${OWN_LIBVIRT}, ${BY_TCP}}}`, 'libvirt.uri: virt-handler reaches libvirt by its socket alone'],
    [`{${NO_HANDLER}, libvirt: {${BY_TCP}}}`, 'libvirt.uri: the managed libvirtd does not listen for tcp'],
    [
      `{${NO_HANDLER}, libvirt: {${BY_TLS}, transport: tcp}}`,
      'libvirt.uri: the managed libvirtd does not listen for tls',
    ],
    [
      `{${NO_HANDLER}, libvirt: {uri: "qemu+tls://h/system?pkipath=/a", certificates: {source: none}}}`,
      'libvirt.uri: the managed libvirtd does not listen, for nobody brings it certificates',
    ],
    [
      `{${NO_HANDLER}, libvirt: {${OWN_LIBVIRT}, ${BY_TLS}, certificates: {source: none}}}`,
      'libvirt.uri: TLS needs certificates',
    ],
    ['{libvirt: {uri: qemu+ssh://h/system}}', '/libvirt/uri'],
    ['{libvirt: {uri: qemu+tcp://$(OTHER)/system}}', '/libvirt/uri'],
    ['{libvirt: {uri: "qemu+tcp://fd00::7/system"}}', '/libvirt/uri'],
    ['{libvirt: {uri: /run/libvirt/libvirt-sock}}', '/libvirt/uri'],
    [
      '{libvirt: {uri: "ch:///system"}, nodeAgent: {config: {libvirt: "qemu:///system"}}}',
      'nodeAgent.config.libvirt: say it as libvirt.uri alone',
    ],
    [
      '{libvirt: {uri: "ch:///system"}, haAgent: {extraArgs: [--libvirt=qemu:///system]}}',
      'haAgent.extraArgs: --libvirt: say it as libvirt.uri alone',
    ],
  ])('are not sent where nobody is: %s', async (values, message) => {
    await expect(objectsOf(values)).rejects.toThrow(message);
  });

  it.each([
    [
      '{nodeAgent: {config: {libvirt: "qemu:///system"}}}',
      'what the program is told is its own, where the chart says nothing',
    ],
    [`{${NO_HANDLER}, libvirt: {${OWN_LIBVIRT}, uri: "ch+tcp://[$(HOST_IP)]:16509/system"}}`, 'IPv6'],
    [`{${NO_HANDLER}, libvirt: {${BY_TCP}, transport: tcp}}`, 'the managed libvirtd listens for that'],
  ])('are sent elsewhere: %s, for %s', async (values) => {
    await expect(objectsOf(values)).resolves.not.toEqual([]);
  });
});

/** By which URI each agent reaches libvirt, and what it has mounted of its node for that. */
function waysOf(objects: readonly RenderedObject[]): Readonly<Record<string, Way>> {
  const ways = AGENTS.map((name) => {
    const [container] = podOfPart(objects, name).containers;
    const mounts = container?.volumeMounts?.map(({ mountPath }) => mountPath) ?? [];
    return [
      name,
      {
        uri: container?.env?.find((variable) => variable.name === 'LIBVIRT_DEFAULT_URI')?.value,
        mounts: mounts.filter((path) => ['/run/libvirt', '/etc/pki'].includes(path)).toSorted(),
      },
    ] as const;
  });
  return Object.fromEntries(ways);
}

interface Way {
  readonly uri: string | undefined;
  readonly mounts: readonly string[];
}

function podOfPart(objects: readonly RenderedObject[], name: string): RenderedPod {
  const [pod] = objects.flatMap((object) => (object.metadata.name === name ? (podOf(object) ?? []) : []));
  if (pod === undefined) throw new Error(`nothing makes pods of ${name}`);
  return pod;
}

async function objectsOf(values: unknown): Promise<readonly RenderedObject[]> {
  const changed = typeof values === 'string' ? parse(values) : values;
  const all = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), changed);
  return renderedObjects(await renderChart(helm, { values: all }));
}
