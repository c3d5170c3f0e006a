import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { mergeValues, valueAt } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedObject, type RenderedPod } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const NO_HYPERVISOR = isNot('node-role.kubernetes.io/hypervisor', '');
const AWAY = { matchExpressions: [NO_HYPERVISOR] };
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

  it.each(['nodeAgent', 'haAgent', 'ovsAgent', 'virtHandler', 'libvirt.managed'])(
    'takes the nodes that %s goes by for hypervisors too, if it is on',
    async (part) => {
      const own = { nodeSelector: { pool: 'vms', zone: '1' } };
      const never = { nodes: { controlPlane: 'never' } };

      const on = controlPlanePods(await objectsWith(mergeValues(never, valueAt(part, own))));
      const off = controlPlanePods(await objectsWith(mergeValues(never, valueAt(part, { ...own, enabled: false }))));

      expect([on.length, off.length].every((count) => count > 5)).toBe(true);
      const terms = [isNot('pool', 'vms'), isNot('zone', '1')].map((each) => ({
        matchExpressions: [NO_HYPERVISOR, each],
      }));
      for (const { name, pod } of on) expect([name, pod.affinity]).toEqual([name, mustBe(terms)]);
      for (const { name, pod } of off) expect([name, pod.affinity]).toEqual([name, mustBe([AWAY])]);
    },
  );

  it('tells nodes apart by the value of a label as well', async () => {
    const values = 'nodes: {controlPlane: never, selector: {pool: a}}\nvirtHandler: {nodeSelector: {pool: b}}';

    const [first] = controlPlanePods(await objectsOf(values));

    expect(first?.pod.affinity).toEqual(mustBe([{ matchExpressions: [isNot('pool', 'a'), isNot('pool', 'b')] }]));
  });

  it.each([
    ['logs: {nodeSelector: {kubernetes.io/os: linux}}', 'whose logs are collected'],
    ['virtHandler: {nodeSelector: {node-role.kubernetes.io/hypervisor: "", kvm: "yes"}}', 'that are some of them'],
  ])('takes no more nodes for hypervisors with %j: those %s', async (values) => {
    const never = { nodes: { controlPlane: 'never' } };

    const [first] = controlPlanePods(await objectsWith(mergeValues(parse(values), never)));

    expect(first?.pod.affinity).toEqual(mustBe([AWAY]));
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

function isNot(key: string, value: string): unknown {
  return { key, operator: 'NotIn', values: [value] };
}

function mustBe(nodeSelectorTerms: readonly unknown[]): unknown {
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
}

async function objectsOf(values: string): Promise<readonly RenderedObject[]> {
  return await objectsWith(parse(values) ?? {});
}

async function objectsWith(values: unknown): Promise<readonly RenderedObject[]> {
  const all = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), values);
  return renderedObjects(await renderChart(helm, { values: all }));
}
