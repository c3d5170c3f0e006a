import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { CHART, findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedObject, type RenderedPod } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const run = promisify(execFile);

describe.skipIf(helm === '')('the chart (needs helm: npm run bed:kubernetes -- --build)', () => {
  it('has nothing that helm lint finds', async () => {
    const { stdout } = await run(helm, ['lint', '--strict', CHART]);

    expect(stdout).toContain('0 chart(s) failed');
    expect(stdout).not.toMatch(/WARNING|ERROR/);
  });

  it('keeps everything in the namespace of the release', async () => {
    const text = await renderChart(helm, { namespace: 'elsewhere', values: { ...NO_DEFINITIONS, ...everyPart('on') } });

    expect(text.match(/smalt-system|ovn-system/g)).toBeNull();
    expect(text).toContain('system:serviceaccount:elsewhere:smalt-virt-handler');
  });

  it('gives pods a right beyond the usual only where it is named here', async () => {
    const pods = (await objectsOf(everyPart('on'))).flatMap((object) => {
      const pod = podOf(object);
      return pod === undefined ? [] : [{ name: object.metadata.name, pod }];
    });

    const isRoot = pods.filter(({ pod }) => pod.securityContext?.runAsNonRoot !== true);
    const privileged = pods.filter(({ pod }) => pod.containers.some((one) => one.securityContext?.privileged === true));
    const added = pods.flatMap(({ name, pod }) =>
      pod.containers.flatMap(({ securityContext }) =>
        (securityContext?.capabilities?.add ?? []).map((one) => `${name} ${one}`),
      ),
    );
    expect(namesOf(isRoot)).toEqual([
      'smalt-ha-agent',
      'smalt-libvirt',
      'smalt-logs',
      'smalt-node-agent',
      'smalt-ovs-agent',
      'virt-handler',
    ]);
    expect(namesOf(privileged)).toEqual(['smalt-libvirt', 'virt-handler']);
    expect(added.toSorted()).toEqual([
      'smalt-node-agent CHOWN',
      'smalt-node-agent DAC_OVERRIDE',
      'smalt-node-agent FOWNER',
      'smalt-ovs-agent NET_ADMIN',
      'smalt-ovs-agent NET_RAW',
      'smalt-ovs-agent SETGID',
    ]);
    expect(confinements(pods)).toEqual([
      'smalt-ha-agent SELinux spc_t',
      'smalt-logs SELinux spc_t',
      'smalt-node-agent AppArmor Unconfined',
      'smalt-node-agent SELinux spc_t',
      'smalt-ovs-agent SELinux spc_t',
    ]);
    for (const { name, pod } of pods) {
      const isPrivileged = namesOf(privileged).includes(name);
      expect([name, pod.automountServiceAccountToken]).toEqual([name, asksTheApi(name)]);
      expect([name, pod.securityContext?.seccompProfile?.type]).toEqual([
        name,
        isPrivileged ? undefined : 'RuntimeDefault',
      ]);
      for (const { securityContext, resources } of pod.containers) {
        expect(securityContext?.readOnlyRootFilesystem).toBe(true);
        expect(resources?.requests).toBeDefined();
        const limits = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
        expect(securityContext).toMatchObject(isPrivileged ? { privileged: true } : limits);
      }
    }
  });

  it('runs each part as an account of its own', async () => {
    const objects = await objectsOf(everyPart('on'));
    const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name);
    const used = objects.flatMap((object) => podOf(object)?.serviceAccountName ?? []);

    expect([...new Set(used)].toSorted()).toEqual(accounts.toSorted());
  });
});

interface NamedPod {
  readonly name: string;
  readonly pod: RenderedPod;
}

/** Those that have no business with the API server, or act with the token of somebody else. */
function asksTheApi(name: string): boolean {
  return !['smalt-console', 'smalt-ha-agent', 'smalt-libvirt', 'smalt-logs'].includes(name);
}

/** What pods have of AppArmor and SELinux instead of what runtimes give them. */
function confinements(pods: readonly NamedPod[]): readonly string[] {
  return pods
    .flatMap(({ name, pod }) =>
      pod.containers.flatMap(({ securityContext: { appArmorProfile, seLinuxOptions } = {} }) => [
        ...(appArmorProfile === undefined ? [] : [`${name} AppArmor ${appArmorProfile.type}`]),
        ...(seLinuxOptions === undefined ? [] : [`${name} SELinux ${seLinuxOptions.type}`]),
      ]),
    )
    .toSorted();
}

function namesOf(pods: readonly { readonly name: string }[]): readonly string[] {
  return pods.map(({ name }) => name).toSorted();
}

async function objectsOf(values: Readonly<Record<string, unknown>>): Promise<readonly RenderedObject[]> {
  return renderedObjects(await renderChart(helm, { values: { ...NO_DEFINITIONS, ...values } }));
}
