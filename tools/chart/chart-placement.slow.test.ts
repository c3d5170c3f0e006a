import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedObject, type RenderedPod } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const AWAY = { matchExpressions: [{ key: 'node-role.kubernetes.io/hypervisor', operator: 'NotIn', values: [''] }] };
const DIGEST = `sha256:${'0'.repeat(64)}`;

describe.skipIf(helm === '')('where the chart runs pods (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each([
    ['avoid', { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference: AWAY }] }],
    ['never', { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [AWAY] } }],
    ['allow', undefined],
  ])('keeps the control plane away from hypervisors as it is told: %s', async (controlPlane, nodeAffinity) => {
    const pods = controlPlanePods(await objectsOf(`nodes: {controlPlane: ${controlPlane}}`));

    expect(pods.length).toBe(7);
    const wanted = nodeAffinity === undefined ? undefined : { nodeAffinity };
    for (const { name, pod } of pods) expect([name, pod.affinity]).toEqual([name, wanted]);
  });

  it('takes a node for a hypervisor only if it has all labels', async () => {
    const [first] = controlPlanePods(await objectsOf('nodes: {controlPlane: never, selector: {a: "", b: "1"}}'));

    const terms = [
      { matchExpressions: [{ key: 'a', operator: 'NotIn', values: [''] }] },
      { matchExpressions: [{ key: 'b', operator: 'NotIn', values: ['1'] }] },
    ];
    expect(first?.pod.affinity).toEqual({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: terms,
        },
      },
    });
  });

  it.each([
    ['', { 'node-role.kubernetes.io/hypervisor': '' }],
    ['nodes: {selector: {pool: vms}}', { pool: 'vms' }],
  ])('has agents where it is told, and asks for no label beside that: %j', async (values, labels) => {
    const agents = (await objectsOf(values)).filter(({ kind }) => kind === 'DaemonSet');

    expect(agents.length).toBe(6);
    for (const agent of agents)
      expect([agent.metadata.name, podOf(agent)?.nodeSelector]).toEqual([agent.metadata.name, labels]);
  });

  it('lets a part have an affinity of its own', async () => {
    const objects = await objectsOf('virtApi: {affinity: {podAffinity: {}}}');

    expect(podNamed(objects, 'virt-api')?.affinity).toEqual({ podAffinity: {} });
  });

  it('lets the program for certificates be placed and named like the others', async () => {
    const objects = await objectsOf(`
      certificates:
        image: { repository: mirror/smalt, digest: '${DIGEST}' }
        nodeSelector: { pool: control }
        tolerations: [{ key: control, operator: Exists }]
        affinity: { podAffinity: {} }`);

    const pods = controlPlanePods(objects).filter(({ name }) => name.startsWith('smalt-certificates'));
    expect(pods.length).toBe(2);
    for (const { pod } of pods) {
      expect(pod).toMatchObject({
        nodeSelector: { pool: 'control' },
        tolerations: [{ key: 'control', operator: 'Exists' }],
        affinity: { podAffinity: {} },
        containers: [{ image: `smalt.local/mirror/smalt@${DIGEST}` }],
      });
    }
  });

  it('has the HA service leave a node that has died within half a minute', async () => {
    const tolerations = podNamed(await objectsOf(''), 'smalt-ha-service')?.tolerations;

    expect(tolerations).toEqual(
      ['not-ready', 'unreachable'].map((state) => ({
        key: `node.kubernetes.io/${state}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 30,
      })),
    );
  });

  it('serves on until others have heard that a pod ends, where nobody tries twice', async () => {
    const sleep = { preStop: { sleep: { seconds: 5 } } };
    const own = await objectsOf('');
    const shared = await objectsOf('haService: {replicas: 3, store: {kind: postgres, postgres: {secret: database}}}');

    expect(podNamed(own, 'virt-api')?.containers[0]?.lifecycle).toEqual(sleep);
    // One replica has nobody who could serve meanwhile.
    expect(podNamed(own, 'smalt-ha-service')?.containers[0]?.lifecycle).toBeUndefined();
    expect(podNamed(shared, 'smalt-ha-service')?.containers[0]?.lifecycle).toEqual(sleep);
  });

  it.each([
    ['', '--nodes-selector=node-role.kubernetes.io/hypervisor='],
    ['nodes: {selector: {pool: vms}}', '--nodes-selector=pool=vms'],
    ['nodeAgent: {nodeSelector: {pool: vms}}', '--nodes-selector=pool=vms'],
  ])('gives certificates to the nodes with an agent: %j', async (values, argument) => {
    const job = (await objectsOf(values)).find(({ kind }) => kind === 'CronJob');

    expect(job && podOf(job)?.containers[0]?.args).toContain(argument);
  });
});

interface NamedPod {
  readonly name: string;
  readonly pod: RenderedPod;
}

/** Those of all that is no agent. */
function controlPlanePods(objects: readonly RenderedObject[]): readonly NamedPod[] {
  return objects
    .filter(({ kind }) => kind !== 'DaemonSet')
    .flatMap((object) => {
      const pod = podOf(object);
      return pod === undefined ? [] : [{ name: object.metadata.name, pod }];
    });
}

function podNamed(objects: readonly RenderedObject[], name: string): RenderedPod | undefined {
  return controlPlanePods(objects).find((one) => one.name === name)?.pod;
}

async function objectsOf(values: string): Promise<readonly RenderedObject[]> {
  const all = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), parse(values) ?? {});
  return renderedObjects(await renderChart(helm, { values: all }));
}
