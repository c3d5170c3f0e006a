import type { PodAffinityTerm } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { Cluster } from '../cluster/cluster.ts';
import { labelledNode, pod } from '../fixtures/objects.ts';
import { placeIn } from '../place-pod.ts';
import type { Pod, PodSpec } from '../pod.ts';

const HOST = 'kubernetes.io/hostname';

describe('affinity between pods', () => {
  it('puts a pod into the zone of those it must be near to', () => {
    const cluster = twoZones([pod('db', { nodeName: 'b1' }, { app: 'db' })]);

    expect(placed(cluster, pod('web', near({ app: 'db' }, 'zone')))).toMatch(/^b/);
  });

  it('says when nothing is there to be near to', () => {
    expect(placed(twoZones(), pod('web', near({ app: 'db' }, 'zone')))).toBe(
      `0/4 nodes are available: 4 node(s) didn't match pod affinity rules.`,
    );
  });

  it('lets the first of a group that wants to be together go anywhere', () => {
    expect(placed(twoZones(), pod('web', near({ app: 'web' }, 'zone'), { app: 'web' }))).toBe('a1');
  });

  it('keeps a pod away from those it does not want near', () => {
    const cluster = twoZones([pod('db', { nodeName: 'a1' }, { app: 'db' })]);

    expect(placed(cluster, pod('web', away({ app: 'db' }, 'zone')))).toMatch(/^b/);
    expect(placed(cluster, pod('web', away({ app: 'db' }, HOST)))).not.toBe('a1');
  });

  it('keeps a pod away from those that do not want it near', () => {
    const cluster = twoZones([pod('db', { nodeName: 'a1', ...away({ app: 'web' }, 'zone') }, { app: 'db' })]);

    expect(placed(cluster, pod('web', {}, { app: 'web' }))).toMatch(/^b/);
  });

  it('forgets what a pod wanted once it is gone', () => {
    const cluster = twoZones([
      pod('a', { nodeName: 'a1', ...away({ app: 'web' }, 'zone') }),
      pod('b', { nodeName: 'b1', ...away({ app: 'web' }, 'zone') }),
    ]);
    const web = pod('web', {}, { app: 'web' });

    expect(placed(cluster, web)).toBe(
      `0/4 nodes are available: 4 node(s) didn't satisfy existing pods anti-affinity rules.`,
    );
    cluster.removePod('default/b');

    expect(placed(cluster, web)).toMatch(/^b/);
  });

  it('spreads one per node until all nodes have one', () => {
    const cluster = twoZones();
    const names = ['1', '2', '3', '4', '5'].map((name) => {
      const next = pod(name, away({ app: 'web' }, HOST), { app: 'web' });
      const where = placed(cluster, next);
      if (!where.startsWith('0/')) cluster.assume(next, where);
      return where;
    });

    expect(names.slice(0, 4).toSorted()).toEqual(['a1', 'a2', 'b1', 'b2']);
    expect(names[4]).toBe(`0/4 nodes are available: 4 node(s) didn't match pod anti-affinity rules.`);
  });

  it.each([
    { what: 'its own namespace by default', term: {}, isKeptAway: false },
    { what: 'namespaces by name', term: { namespaces: ['other'] }, isKeptAway: true },
    { what: 'namespaces by label', term: { namespaceSelector: { matchLabels: { team: 'x' } } }, isKeptAway: true },
    {
      what: 'namespaces with other labels',
      term: { namespaceSelector: { matchLabels: { team: 'y' } } },
      isKeptAway: false,
    },
    { what: 'all namespaces', term: { namespaceSelector: {} }, isKeptAway: true },
  ])('looks into $what', ({ term, isKeptAway }) => {
    const cluster = twoZones(
      ['a1', 'a2', 'b1', 'b2'].map((name) => pod(name, { nodeName: name }, { app: 'db' }, 'other')),
    );
    cluster.setNamespace('other', { team: 'x' });

    const where = placed(cluster, pod('web', away({ app: 'db' }, HOST, term)));

    expect(where.startsWith('0/4')).toBe(isKeptAway);
  });

  it('compares labels with its own where it is told to', () => {
    const cluster = twoZones([pod('old', { nodeName: 'a1' }, { app: 'web', hash: '1' })]);
    const term = { matchLabelKeys: ['hash'] };

    expect(placed(cluster, pod('new', near({ app: 'web' }, HOST, term), { app: 'web', hash: '1' }))).toBe('a1');
    expect(placed(cluster, pod('new', near({ app: 'web' }, HOST, term), { app: 'web', hash: '2' }))).not.toBe('a1');
  });

  it('follows wishes of both sides', () => {
    const liked = { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: wish({ app: 'db' }) } };
    const disliking = { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: wish({ app: 'web' }) } };
    const cluster = twoZones([
      pod('db', { nodeName: 'b2' }, { app: 'db' }),
      pod('grumpy', { nodeName: 'a1', affinity: disliking }),
    ]);

    expect(placed(cluster, pod('web', { affinity: liked }, { app: 'web' }))).toBe('b2');
    expect(placed(cluster, pod('web', {}, { app: 'web' }))).toBe('a2');
  });

  it('names the field of a selector that makes no sense', () => {
    const web = pod('web', away({ 'not a label': 'x' }, HOST));

    expect(() => placeIn(twoZones(), web)).toThrow(
      expect.objectContaining({
        code: 'invalid-selector',
        message: expect.stringContaining(
          'pod default/web: spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector',
        ),
      }),
    );
  });
});

function twoZones(pods: readonly Pod[] = []): Cluster {
  const cluster = new Cluster();
  for (const name of ['a1', 'a2', 'b1', 'b2']) cluster.setNode(labelledNode(name, { zone: name.charAt(0) }));
  for (const each of pods) cluster.setPod(each);
  return cluster;
}

function placed(cluster: Cluster, each: Pod): string {
  const placement = placeIn(cluster, each);
  return placement.kind === 'placed' ? placement.nodeName : placement.message;
}

function near(
  labels: Record<string, string>,
  topologyKey: string,
  more: Partial<PodAffinityTerm> = {},
): Partial<PodSpec> {
  return {
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [termOf(labels, topologyKey, more)] } },
  };
}

function away(
  labels: Record<string, string>,
  topologyKey: string,
  more: Partial<PodAffinityTerm> = {},
): Partial<PodSpec> {
  return {
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [termOf(labels, topologyKey, more)] },
    },
  };
}

function termOf(
  matchLabels: Record<string, string>,
  topologyKey: string,
  more: Partial<PodAffinityTerm>,
): PodAffinityTerm {
  return { topologyKey, labelSelector: { matchLabels }, ...more };
}

function wish(labels: Record<string, string>) {
  return [{ weight: 100, podAffinityTerm: { topologyKey: HOST, labelSelector: { matchLabels: labels } } }];
}
