import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isJsonObject, type JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { modifiedError } from '../errors/make-status-error.ts';
import { ANONYMOUS, asAuthenticated, type User } from '../identity/user.ts';
import { openStore, type Store } from '../store/store.ts';
import { pathAttributes, resourceAttributes, type Attributes } from './authorizer.ts';
import { defaultPolicy } from './default-policy.ts';
import { ensureDefaultPolicy } from './ensure-default-policy.ts';
import { followPolicy, policyStorageName } from './follow-policy.ts';
import type { PolicyAccess } from './policy-access.ts';
import { PolicyIndex, type PolicyPlural } from './policy-index.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';
import { reconcilePolicyObject } from './reconcile-policy-object.ts';
import { RoleAggregation } from './role-aggregation.ts';

describe('the default policy', () => {
  it.each([
    { who: ANONYMOUS, asks: pathAttributes('get', '/healthz'), allowed: true },
    { who: ANONYMOUS, asks: pathAttributes('get', '/readyz'), allowed: true },
    { who: ANONYMOUS, asks: pathAttributes('get', '/version'), allowed: false },
    { who: ANONYMOUS, asks: pathAttributes('get', '/api'), allowed: false },
    { who: ANONYMOUS, asks: getPods(), allowed: false },
    { who: person(), asks: pathAttributes('get', '/version'), allowed: true },
    { who: person(), asks: pathAttributes('get', '/openapi/v3'), allowed: true },
    { who: person(), asks: pathAttributes('get', '/metrics'), allowed: false },
    { who: person(), asks: getPods(), allowed: false },
    {
      who: person(),
      asks: resourceAttributes({ verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' }),
      allowed: true,
    },
  ])('allows $who.name to $asks.verb $asks.path$asks.resource: $allowed', async ({ who, asks, allowed }) => {
    await using world = await openWorld();
    await ensureDefaultPolicy(world.access, AbortSignal.timeout(5_000));

    expect(world.authorizer.authorize(who, asks).allowed).toBe(allowed);
  });

  it('is written in one go, and not again when nothing has changed', async () => {
    await using world = await openWorld();
    await ensureDefaultPolicy(world.access, AbortSignal.timeout(5_000));
    const { resourceVersion } = world.store;

    await ensureDefaultPolicy(world.access, AbortSignal.timeout(5_000));

    expect(resourceVersion).toBe(defaultPolicy().length);
    expect(world.store.resourceVersion).toBe(resourceVersion);
  });

  it('gathers view into edit and edit into admin', async () => {
    await using world = await openWorld();
    await ensureDefaultPolicy(world.access, AbortSignal.timeout(5_000));
    await using aggregation = new RoleAggregation({ ...world, onFailure: fail });
    await aggregation.settled();
    await world.access.create('rolebindings', 'n', binding('admin'), AbortSignal.timeout(5_000));

    const writeRoles = { verb: 'create', group: 'rbac.authorization.k8s.io', resource: 'roles', namespace: 'n' };
    const allowed = [getPods(), { ...getPods(), verb: 'create' }, resourceAttributes(writeRoles)].map(
      (asks) => world.authorizer.authorize(person(), asks).allowed,
    );

    expect(allowed).toEqual([true, true, true]);
  });

  it('adds to an aggregated role what a new role with its label grants', async () => {
    await using world = await openWorld();
    await ensureDefaultPolicy(world.access, AbortSignal.timeout(5_000));
    await using aggregation = new RoleAggregation({ ...world, onFailure: fail });
    await world.access.create('rolebindings', 'n', binding('view'), AbortSignal.timeout(5_000));
    const asks = resourceAttributes({ verb: 'get', group: 'kubevirt.io', resource: 'virtualmachines', namespace: 'n' });

    await world.access.create(
      'clusterroles',
      '',
      {
        metadata: { name: 'vms', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
        rules: [{ verbs: ['get'], apiGroups: ['kubevirt.io'], resources: ['virtualmachines'] }],
      },
      AbortSignal.timeout(5_000),
    );
    await aggregation.settled();
    const before = world.authorizer.authorize(person(), asks).allowed;
    await world.access.delete('clusterroles', '', 'vms', AbortSignal.timeout(5_000));
    await aggregation.settled();

    expect({ before, after: world.authorizer.authorize(person(), asks).allowed }).toEqual({
      before: true,
      after: false,
    });
  });

  it('tells of a role whose selector makes no sense and goes on with the others', async () => {
    await using world = await openWorld();
    const failed: string[] = [];
    const selector = { matchExpressions: [{ key: 'a', operator: 'Near' }] };
    const broken = { metadata: { name: 'broken' }, aggregationRule: { clusterRoleSelectors: [selector] } };
    await world.access.create('clusterroles', '', broken, AbortSignal.timeout(5_000));
    await ensureDefaultPolicy(world.access, AbortSignal.timeout(5_000));

    await using aggregation = new RoleAggregation({ ...world, onFailure: (name) => failed.push(name) });
    await aggregation.settled();

    expect(failed[0]).toBe('broken');
    expect(world.access.get('clusterroles', '', 'view')?.['rules']).not.toEqual([]);
  });

  it('settles two roles that aggregate each other', async () => {
    await using world = await openWorld();
    const signal = AbortSignal.timeout(5_000);
    const roles = [aggregating('a', 'b'), aggregating('b', 'a'), sourceOf('a', 'get'), sourceOf('b', 'list')];
    for (const role of roles) await world.access.create('clusterroles', '', role, signal);

    await using aggregation = new RoleAggregation({ ...world, onFailure: fail });
    await aggregation.settled();

    const rules = ['a', 'b'].map((name) => JSON.stringify(world.access.get('clusterroles', '', name)?.['rules']));
    expect(rules).toEqual(rules.map(() => expect.stringMatching(/get.*list|list.*get/) as unknown));
    // Four were created, and each of the two was written once.
    expect(world.store.resourceVersion).toBe(6);
  });

  it('pauses, longer and longer, when somebody undoes what it writes', async () => {
    await using world = await openWorld();
    const signal = AbortSignal.timeout(5_000);
    await world.access.create('clusterroles', '', aggregating('a', 'b'), signal);
    await world.access.create('clusterroles', '', sourceOf('a', 'get'), signal);
    const pauses: number[] = [];
    let isUndone = true;
    const update: PolicyAccess['update'] = async (plural, namespace, role) => {
      const rules = isUndone ? [{ verbs: [`${pauses.length}-${world.store.resourceVersion}`] }] : (role['rules'] ?? []);
      await world.access.update(plural, namespace, { ...role, rules }, signal);
    };
    const pause = (milliseconds: number): Promise<void> => {
      isUndone = pauses.push(milliseconds) < 10;
      return Promise.resolve();
    };

    await using aggregation = new RoleAggregation({
      ...world,
      access: { ...world.access, update },
      pause,
      onFailure: fail,
    });
    await aggregation.settled();

    // The tenth write stays, and after one more pause there is nothing to write.
    expect(pauses).toEqual([20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000, 1_000, 1_000]);
    expect(world.access.get('clusterroles', '', 'a')?.['rules']).toEqual([{ verbs: ['get'] }]);
  });

  it('does not keep the server from stopping while it pauses', async () => {
    await using world = await openWorld();
    await world.access.create('clusterroles', '', aggregating('a', 'b'), AbortSignal.timeout(5_000));
    await world.access.create('clusterroles', '', sourceOf('a', 'get'), AbortSignal.timeout(5_000));
    const written = Promise.withResolvers<void>();
    let count = 0;
    const update: PolicyAccess['update'] = async (plural, namespace, role, signal) => {
      await world.access.update(plural, namespace, { ...role, rules: [{ verbs: [String(count++)] }] }, signal);
      if (count === 8) written.resolve();
    };
    const aggregation = new RoleAggregation({ ...world, access: { ...world.access, update }, onFailure: fail });
    await written.promise;

    await aggregation[Symbol.asyncDispose]();

    expect(count).toBeLessThan(10);
  });
});

describe('reconcilePolicyObject', () => {
  const expected: JsonObject = {
    metadata: { name: 'r', labels: { a: '1' }, annotations: {} },
    rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }],
  };

  it('adds missing rules and keeps what an administrator added', () => {
    const existing = {
      metadata: { name: 'r', uid: 'u', labels: { a: '2', own: 'x' }, annotations: {} },
      rules: [
        { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
        { verbs: ['get'], apiGroups: [''], resources: ['nodes'] },
      ],
    };

    expect(reconcilePolicyObject(existing, expected)).toEqual({
      kind: 'update',
      object: { ...existing, rules: [...existing.rules, { verbs: ['list'], apiGroups: [''], resources: ['pods'] }] },
    });
  });

  it('leaves a protected role alone', () => {
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };

    expect(reconcilePolicyObject({ metadata: { annotations }, rules: [] }, expected)).toEqual({ kind: 'keep' });
  });

  it('adds missing subjects, and replaces a binding to another role', () => {
    const wanted = { metadata: {}, roleRef: { name: 'a' }, subjects: [{ name: 'x' }] };
    const metadata = { labels: {}, annotations: {} };

    expect(
      reconcilePolicyObject({ metadata, roleRef: { name: 'a' }, subjects: [{ name: 'y' }] }, wanted),
    ).toMatchObject({
      kind: 'update',
      object: { subjects: [{ name: 'y' }, { name: 'x' }] },
    });
    expect(reconcilePolicyObject({ metadata, roleRef: { name: 'b' } }, wanted)).toEqual({
      kind: 'replace',
      object: wanted,
    });
  });
});

interface World extends AsyncDisposable {
  readonly store: Store;
  readonly source: Store;
  readonly access: PolicyAccess;
  readonly authorizer: RbacAuthorizer;
}

async function openWorld(): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'policy-'));
  const store = openStore({ path: join(directory, 'store.db'), now: Date.now, onListenerError: fail });
  const index = new PolicyIndex();
  const following = followPolicy(store, index);
  return {
    store,
    source: store,
    access: storeAccess(store),
    authorizer: new RbacAuthorizer(index),
    [Symbol.asyncDispose]: async () => {
      following[Symbol.dispose]();
      store.close();
      await rm(directory, { recursive: true });
    },
  };
}

function storeAccess(store: Store): PolicyAccess {
  const write = async (plural: PolicyPlural, key: string, object: JsonObject | undefined): Promise<void> => {
    const resource = policyStorageName(plural);
    const expected = store.get(resource, key);
    const seen = isJsonObject(object?.['metadata']) ? object['metadata']['resourceVersion'] : undefined;
    const isStale = seen !== undefined && seen !== String(expected?.resourceVersion);
    const written = isStale ? undefined : store.write({ resource, key, expected, object });
    if (written === undefined) throw modifiedError({ group: 'rbac.authorization.k8s.io', plural }, key);
    await written;
  };
  return {
    get: (plural, namespace, name) => store.get(policyStorageName(plural), `${namespace}/${name}`)?.value,
    create: (plural, namespace, object) => write(plural, `${namespace}/${nameOf(object)}`, object),
    update: (plural, namespace, object) => write(plural, `${namespace}/${nameOf(object)}`, object),
    delete: (plural, namespace, name) => write(plural, `${namespace}/${name}`, undefined),
  };
}

function nameOf(object: JsonObject): string {
  const metadata = object['metadata'];
  return isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
}

function person(): User {
  return asAuthenticated({ name: 'ada', groups: [], extra: {} });
}

function binding(role: string): JsonObject {
  return {
    metadata: { name: role, namespace: 'n' },
    roleRef: { kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'User', name: 'ada' }],
  };
}

// Gathers what is for it, and is for another.
function aggregating(name: string, other: string): JsonObject {
  return {
    metadata: { name, labels: { [`to-${other}`]: 'true' } },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [`to-${name}`]: 'true' } }] },
    rules: [],
  };
}

function sourceOf(name: string, verb: string): JsonObject {
  return { metadata: { name: `of-${name}`, labels: { [`to-${name}`]: 'true' } }, rules: [{ verbs: [verb] }] };
}

function getPods(): Attributes {
  return resourceAttributes({ verb: 'get', resource: 'pods', namespace: 'n' });
}

function fail(error: unknown, cause?: unknown): never {
  throw new Error(`this must not happen: ${String(error)}`, { cause });
}
