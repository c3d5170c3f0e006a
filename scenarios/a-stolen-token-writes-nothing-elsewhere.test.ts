import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { startNetwork } from '@smalt/bed-libvirt';
import { readFleetDefinitions } from '@smalt/fleet-api';
import { KubeClient } from '@smalt/kube';
import { readOvsDefinitions } from '@smalt/ovs-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { makeObjects } from './stolen-tokens/node-objects.ts';
import { READS } from './stolen-tokens/node-reads.ts';
import { NOT_ABOUT_A_NODE, WRITES, type NodeWrite } from './stolen-tokens/node-writes.ts';
import { REFUSED_OF_ITS_OWN } from './stolen-tokens/refused-writes.ts';
import { startControlPlane, type VmControlPlane } from './virtual-machines/control-plane.ts';

const RIGHTS = resolve(import.meta.dirname, '../deploy/helm/smalt/files/rbac');
const RENDERED = resolve(import.meta.dirname, '../deploy/smalt.yaml');
/** The accounts that all nodes share, each in the file of its rights. */
const ACCOUNTS = ['node-agent', 'virt-handler', 'ovs-agent', 'pod-runner'];
/** Where the policy of each is tried first, with a write that does no harm. */
const PROBES: readonly string[] = [
  'smalt-node-agent patch hypervisors',
  'smalt-node-agent patch events',
  'smalt-node-agent patch migrations',
  'smalt-virt-handler patch nodes',
  'smalt-virt-handler patch events',
  'smalt-virt-handler patch virtualmachineinstances',
  'smalt-ovs-agent patch ovsnodes',
  'smalt-pod-runner patch nodes',
  'smalt-pod-runner patch pods/status',
  'smalt-pod-runner patch persistentvolumes/status',
];
const OWN = 'n1';
const OTHER = 'n2';

const owned = new AsyncDisposableStack();
const thieves = new Map<string, KubeClient>();
let control: VmControlPlane;

beforeAll(async () => {
  const signal = AbortSignal.timeout(170_000);
  const { path: directory } = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-stolen-')));
  const { address } = owned.use(await startNetwork());
  const definitions = [...(await readFleetDefinitions()), ...(await readOvsDefinitions())];
  control = owned.use(await startControlPlane({ directory, address, definitions, isIdle: true, signal }));
  const files = ['node-agent', 'node-agent-register', 'node-agent-policies', 'ovs-agent'];
  await control.accounts.install({ files }, signal);
  await makeObjects(control, [OWN, OTHER]);
  for (const name of ACCOUNTS.map((each) => `smalt-${each}`)) {
    const config = await control.accounts.config({ name, nodeName: OWN });
    thieves.set(name, owned.use(new KubeClient({ config, userAgent: 'thief/1', maxAttempts: 1 })));
  }
  // Kubernetes goes by new policies a moment after they were taken.
  for (const write of WRITES.filter((each) => PROBES.includes(titleOf(each)))) {
    await vi.waitUntil(async () => (await attempt(write, OTHER)) !== 'done', { timeout: 30_000 });
  }
}, 180_000);

afterAll(() => owned.disposeAsync());

describe('with the token of a node', () => {
  it.each(WRITES.map((write) => ({ ...write, title: titleOf(write) })))(
    '$title is refused for another node, and done for its own',
    async (write) => {
      const refused = write.refusal ?? new RegExp(`of ${OWN} may`, 'v');

      expect(await attempt(write, OTHER)).toMatch(refused);
      expect(await attempt(write, OWN)).toMatch(/^done$|already exists/v);
    },
  );

  it.each(REFUSED_OF_ITS_OWN.map((write) => ({ ...write, title: titleOf(write) })))(
    '$title is refused for its own node: $what',
    async (write) => {
      expect(await attempt(write, OWN)).toMatch(write.refusal ?? new RegExp(`of ${OWN} may not change`, 'v'));
    },
  );

  it('nothing else can be written that is about a node', async () => {
    const tried = [...WRITES.map(titleOf), ...NOT_ABOUT_A_NODE.map(({ right }) => right)];

    expect((await rightsOf(isWriting)).toSorted()).toEqual([...new Set(tried)].toSorted());
    expect(NOT_ABOUT_A_NODE.filter(({ reason }) => reason.length < 20)).toEqual([]);
  });

  it('nothing can be read of other nodes but what a table has a reason for', async () => {
    const known = READS.map(({ right }) => right);

    expect((await rightsOf((verb) => !isWriting(verb))).toSorted()).toEqual([...new Set(known)].toSorted());
    expect(READS.filter(({ reason }) => reason.length < 20)).toEqual([]);
  });
});

function titleOf({ account, right }: NodeWrite): string {
  return `${account} ${right}`;
}

/** `done`, or why not. */
async function attempt(write: NodeWrite, node: string): Promise<string> {
  const thief = thieves.get(write.account);
  if (thief === undefined) throw new TypeError(`nobody has the token of ${write.account}`);
  const { method, path, body, contentType } = write.ask(node);
  try {
    const sent = method === 'PUT' ? { ...Object(await control.admin.request({ method: 'GET', path })), ...body } : body;
    const text = sent === undefined ? {} : { body: JSON.stringify(sent) };
    await thief.request({ method, path, ...text, ...(contentType !== undefined && { contentType }) });
    return 'done';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** All that the chart lets these accounts do, such as `smalt-ovs-agent patch ovsnodes`, by what is done. */
async function rightsOf(isMeant: (verb: string) => boolean): Promise<readonly string[]> {
  const rights = (await rolesOfChart()).flatMap(({ metadata, rules }) => {
    const account = ACCOUNTS.map((each) => `smalt-${each}`).find((each) => metadata.name.startsWith(each));
    return account === undefined ? [] : rules.flatMap((rule) => rightsBy(account, rule, isMeant));
  });
  return [...new Set(rights)];
}

/** Those of its files, and those that stand in its templates. */
async function rolesOfChart(): Promise<readonly Role[]> {
  const files = [...ACCOUNTS, 'node-agent-register'].map((name) => join(RIGHTS, `${name}.yaml`));
  const texts = await Promise.all([...files, RENDERED].map((path) => readFile(path, 'utf8')));
  return texts
    .flatMap((text) => parseAllDocuments(text).map((each): Role => Object(each.toJS())))
    .filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole');
}

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules: readonly Rule[];
}

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

function rightsBy(account: string, { resources, verbs }: Rule, isMeant: (verb: string) => boolean): readonly string[] {
  return resources.flatMap((resource) => verbs.filter(isMeant).map((verb) => `${account} ${verb} ${resource}`));
}

function isWriting(verb: string): boolean {
  return !['get', 'list', 'watch'].includes(verb);
}
