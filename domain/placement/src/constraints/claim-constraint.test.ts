import { beforeEach, describe, expect, it } from 'vitest';

import type { Claim, ClaimedVolume } from '../claim.ts';
import { ClaimIndex } from '../cluster/claim-index.ts';
import { Cluster } from '../cluster/cluster.ts';
import { node, pod } from '../fixtures/objects.ts';
import { placeIn } from '../place-pod.ts';
import type { Pod } from '../pod.ts';

const LOCAL = 'local';
let claims: ClaimIndex;
let cluster: Cluster;

beforeEach(() => {
  claims = new ClaimIndex();
  cluster = new Cluster(claims);
  for (const name of ['n1', 'n2', 'n3']) cluster.setNode(node(name));
  claims.setClass({ ...kind('StorageClass', LOCAL), volumeBindingMode: 'WaitForFirstConsumer' });
  claims.setClass({ ...kind('StorageClass', 'network'), volumeBindingMode: 'Immediate' });
});

describe('a pod with a claim', () => {
  it('goes to the node that its volume is on', () => {
    setClaim(claim('data', { volumeName: 'v' }));
    claims.setVolume(volumeOn('v', 'n2', 'uid-of-data'));

    expect(placed(user('a', 'data'))).toBe('n2');
  });

  it('goes anywhere when its volume can be reached from anywhere', () => {
    setClaim(claim('data', { volumeName: 'v' }));
    claims.setVolume({ ...kind('PersistentVolume', 'v'), spec: { claimRef: { uid: 'uid-of-data' } } });

    expect(placed(user('a', 'data'))).toBe('n1');
  });

  it('goes nowhere when the node of its volume is gone, and says so', () => {
    setClaim(claim('data', { volumeName: 'v' }));
    claims.setVolume(volumeOn('v', 'n9', 'uid-of-data'));

    expect(placed(user('a', 'data'))).toBe(
      `0/3 nodes are available: 3 node(s) didn't match PersistentVolume's node affinity.`,
    );
  });

  it('goes nowhere when its volumes are on different nodes', () => {
    setClaim(claim('data', { volumeName: 'v' }));
    setClaim(claim('more', { volumeName: 'w' }));
    claims.setVolume(volumeOn('v', 'n1', 'uid-of-data'));
    claims.setVolume(volumeOn('w', 'n2', 'uid-of-more'));

    expect(placed(user('a', 'data', 'more'))).toContain('3 node(s) didn');
  });

  it('follows a pod that has the same claim while its volume is not made yet', () => {
    setClaim(claim('data', { storageClassName: LOCAL }));
    cluster.assume(user('first', 'data'), 'n3');

    expect(placed(user('second', 'data'))).toBe('n3');

    cluster.removePod('default/first');
    expect(placed(user('second', 'data'))).toBe('n1');
  });

  it('is not kept from other nodes by a pod that has ended', () => {
    setClaim(claim('data', { storageClassName: LOCAL }));
    const first = user('first', 'data');
    cluster.setPod({ ...first, spec: { ...first.spec, nodeName: 'n3' } });
    cluster.setPod({ ...first, spec: { ...first.spec, nodeName: 'n3' }, status: { phase: 'Failed' } });

    expect(placed(user('second', 'data'))).toBe('n1');
  });

  it('goes to the volume that was made for its claim before the claim says so', () => {
    setClaim(claim('data', { storageClassName: LOCAL }));
    claims.setVolume(volumeOn('v', 'n2', 'uid-of-data'));

    expect(placed(user('a', 'data'))).toBe('n2');

    claims.removeVolume('v');
    expect(placed(user('a', 'data'))).toBe('n1');
  });

  it.each([
    { whose: 'another claim', claimUid: 'uid-of-bank' },
    { whose: 'nobody yet', claimUid: undefined },
  ])('goes nowhere when it names a volume of $whose', ({ claimUid }) => {
    setClaim(claim('data', { volumeName: 'v' }));
    claims.setVolume(volumeOn('v', 'n2', claimUid));

    expect(placed(user('a', 'data'))).toBe(
      '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
    );
  });

  it.each([
    { what: 'that there is not', given: undefined, says: 'persistentvolumeclaim "data" not found' },
    {
      what: 'that is being deleted',
      given: { metadata: { name: 'data', namespace: 'default', deletionTimestamp: '2026-01-01T00:00:00Z' } },
      says: 'persistentvolumeclaim "data" is being deleted',
    },
    {
      what: 'whose volume is gone',
      given: { spec: { volumeName: 'v' } },
      says: '3 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
    },
    {
      what: 'that waits for a volume from the network',
      given: { spec: { storageClassName: 'network' } },
      says: 'pod has unbound immediate PersistentVolumeClaims',
    },
    {
      what: 'of a class that there is not',
      given: { spec: { storageClassName: 'typo' } },
      says: 'pod has unbound immediate PersistentVolumeClaims',
    },
    {
      what: 'that wants a volume made by hand',
      given: { spec: { storageClassName: '' } },
      says: 'pod has unbound immediate PersistentVolumeClaims',
    },
  ])('goes nowhere with a claim $what', ({ given, says }) => {
    if (given !== undefined) setClaim({ ...claim('data', {}), ...given });

    expect(placed(user('a', 'data'))).toBe(`0/3 nodes are available: ${says}.`);
  });

  it('looks for a claim in its own namespace', () => {
    setClaim({ ...claim('data', {}), metadata: { name: 'data', namespace: 'other' } });

    expect(placed(user('a', 'data'))).toContain('persistentvolumeclaim "data" not found');
  });

  it('goes anywhere by a cluster that is told nothing of claims', () => {
    const unaware = new Cluster();
    unaware.setNode(node('n1'));

    expect(placeIn(unaware, user('a', 'data'))).toEqual({ kind: 'placed', nodeName: 'n1' });
  });

  it('is refused for want of nodes before anything else', () => {
    expect(placeIn(new Cluster(claims), user('a', 'data'))).toMatchObject({
      message: 'no nodes available to schedule pods',
    });
  });
});

function placed(each: Pod): string {
  const placement = placeIn(cluster, each);
  return placement.kind === 'placed' ? placement.nodeName : placement.message;
}

function setClaim(each: Claim): void {
  claims.setClaim(`${each.metadata.namespace ?? ''}/${each.metadata.name}`, each);
}

function user(name: string, ...claimNames: readonly string[]): Pod {
  const volumes = claimNames.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  return pod(name, { volumes: [{ name: 'scratch', emptyDir: {} }, ...volumes] });
}

function claim(name: string, spec: Claim['spec']): Claim {
  return {
    ...kind('PersistentVolumeClaim', name),
    metadata: { name, namespace: 'default', uid: `uid-of-${name}` },
    spec,
  };
}

function volumeOn(name: string, nodeName: string, claimUid?: string): ClaimedVolume {
  const terms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }] }];
  return {
    ...kind('PersistentVolume', name),
    spec: {
      nodeAffinity: { required: { nodeSelectorTerms: terms } },
      ...(claimUid === undefined ? {} : { claimRef: { uid: claimUid } }),
    },
  };
}

function kind(kindName: string, name: string) {
  return { apiVersion: 'v1', kind: kindName, metadata: { name } };
}
