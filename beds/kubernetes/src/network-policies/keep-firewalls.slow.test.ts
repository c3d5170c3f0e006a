import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { importBusybox } from '../fixtures/import-busybox.ts';
import { kubectl } from '../fixtures/kubectl.ts';
import { story } from '../fixtures/story.ts';
import { findCluster } from '../kubernetes-programs.ts';
import { startCluster, type Cluster } from '../start-cluster.ts';

const TIMEOUT_MS = 300_000;
const HELLO = 'hello of web\n';
/** What a policy says; a port at which nobody listens would refuse the connection. */
const KEPT_OUT = /No route to host/;
const REFUSED: unknown = expect.stringMatching(KEPT_OUT);
const programs = findCluster();

describe.skipIf(programs === undefined)(
  'a cluster in which NetworkPolicies hold (npm run bed:kubernetes -- --build)',
  { timeout: TIMEOUT_MS },
  () => {
    const owned = new AsyncDisposableStack();
    let cluster: Cluster;
    let web = '';
    let askers: readonly string[] = [];

    beforeAll(async () => {
      if (programs === undefined) return;
      const options = { nodes: 2, isDurable: false, networkPolicies: true };
      cluster = owned.use(await startCluster(programs, AbortSignal.timeout(TIMEOUT_MS), options));
      await importBusybox(cluster);
      await kubectl(cluster, ['apply', '-f', '-'], JSON.stringify(story()));
      await kubectl(cluster, ['wait', '--for=condition=Ready', 'pod/web', '--timeout=120s']);
      await kubectl(cluster, ['rollout', 'status', 'deployment/asker', 'daemonset/everywhere', '--timeout=120s']);
      web = await kubectl(cluster, ['get', 'pod', 'web', '-o', 'jsonpath={.status.podIP}']);
      const listed = await kubectl(cluster, ['get', 'pods', '-l', 'app=everywhere', '-o', 'name']);
      askers = listed.trim().split('\n');
    }, TIMEOUT_MS);
    afterAll(() => owned.disposeAsync(), TIMEOUT_MS);

    it('has a pod cut off from pods of both nodes by a policy, and reached again without it', async () => {
      expect(askers).toHaveLength(2);
      expect(await heardByAll()).toEqual([HELLO, HELLO]);

      await apply({ podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'] });

      await untilAllHear([REFUSED, REFUSED]);
      // By its Service as well, and its kubelet goes on to find it well.
      expect(await heardBy(askers[0] ?? '', 'http://web/')).toMatch(KEPT_OUT);
      await kubectl(cluster, ['wait', '--for=condition=Ready', 'pod/web', '--timeout=5s']);

      await remove();

      await untilAllHear([HELLO, HELLO]);
    });

    it('lets in whom a policy names by labels, at the ports that it names', async () => {
      const ports = [{ port: 8081 }];
      const named = [{ podSelector: { matchLabels: { app: 'everywhere' } } }];
      const ingress = [{ from: named, ports }];
      await apply({ podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'], ingress });
      await untilAllHear([REFUSED, REFUSED]);

      const open = [{ from: named, ports: [{ port: 8080 }] }];
      await apply({ podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'], ingress: open });

      await untilAllHear([HELLO, HELLO]);
      expect(await heardBy('deployment/asker', `http://${web}:8080/`)).toMatch(KEPT_OUT);
      await remove();
    });

    it('keeps a pod from going where no policy lets it, the API server on its own node among that', async () => {
      const egress = [{ ports: [{ port: 53, protocol: 'UDP' }] }];
      await apply({ podSelector: { matchLabels: { app: 'everywhere' } }, policyTypes: ['Egress'], egress });

      await untilAllHear([REFUSED, REFUSED]);
      for (const asker of askers) {
        expect(await heardBy(asker, 'http://kubernetes.default:443/')).toMatch(KEPT_OUT);
        const looked = await kubectl(cluster, [
          'exec',
          asker,
          '--',
          'busybox',
          'nslookup',
          'web.story.svc.cluster.local',
        ]);
        expect(looked).toContain('Address');
      }
      await remove();

      await untilAllHear([HELLO, HELLO]);
      expect(await heardBy(askers[0] ?? '', 'http://kubernetes.default:443/')).toMatch(/400 Bad Request/);
    });

    async function apply(spec: object): Promise<void> {
      const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'only' }, spec };
      await kubectl(cluster, ['apply', '-f', '-'], JSON.stringify(policy));
    }

    async function remove(): Promise<void> {
      await kubectl(cluster, ['delete', 'networkpolicy', 'only']);
    }

    async function untilAllHear(words: readonly unknown[]): Promise<void> {
      await expect.poll(heardByAll, { timeout: 30_000 }).toEqual(words);
    }

    async function heardByAll(): Promise<readonly string[]> {
      return await Promise.all(askers.map((asker) => heardBy(asker, `http://${web}:8080/`)));
    }

    /** What a pod hears from an address, or why it hears nothing. */
    async function heardBy(asker: string, url: string): Promise<string> {
      const words = ['exec', asker, '--', 'busybox', 'wget', '-qO-', url];
      return await kubectl(cluster, words).catch(String);
    }
  },
);
