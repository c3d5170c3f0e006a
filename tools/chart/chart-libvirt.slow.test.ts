import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedObject, type RenderedPod } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const TCP = '{libvirt: {transport: tcp}}';
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

  it('has its address written by a program that may nothing else, from the image that its node has for the agent', async () => {
    const pod = podOfPart(await objectsOf('{nodeAgent: {image: {repository: agent, tag: a}}}'), 'smalt-libvirt');

    expect(pod.initContainers).toMatchObject([
      {
        image: 'smalt.local/agent:a',
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

function podOfPart(objects: readonly RenderedObject[], name: string): RenderedPod {
  const [pod] = objects.flatMap((object) => (object.metadata.name === name ? (podOf(object) ?? []) : []));
  if (pod === undefined) throw new Error(`nothing makes pods of ${name}`);
  return pod;
}

async function objectsOf(values: string): Promise<readonly RenderedObject[]> {
  const all = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), parse(values));
  return renderedObjects(await renderChart(helm, { values: all }));
}
