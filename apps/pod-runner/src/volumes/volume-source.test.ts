import { describe, expect, it } from 'vitest';

import type { RunnerVolume } from '../pods/pod.ts';
import { volumeSource } from './volume-source.ts';

describe('volumeSource', () => {
  it.each<{ readonly volume: RunnerVolume; readonly source: object }>([
    { volume: { name: 'a', emptyDir: {} }, source: { kind: 'empty' } },
    { volume: { name: 'a', emptyDir: { medium: 'HugePages' } }, source: { kind: 'empty' } },
    { volume: { name: 'a', image: { reference: 'x:1' } }, source: { kind: 'image', reference: 'x:1' } },
    { volume: { name: 'a', persistentVolumeClaim: { claimName: 'c' } }, source: { kind: 'claim', name: 'c' } },
    {
      volume: { name: 'a', secret: { secretName: 's', optional: true, items: [{ key: 'k', path: 'd/f' }] } },
      source: { kind: 'secret', name: 's', files: { isOptional: true, items: [{ key: 'k', path: 'd/f' }] } },
    },
    { volume: { name: 'a', configMap: { name: 'm' } }, source: { kind: 'config-map', name: 'm' } },
    {
      volume: { name: 'a', downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
      source: { kind: 'downward', items: [{ path: 'n', field: 'metadata.name' }] },
    },
    {
      volume: {
        name: 'a',
        projected: {
          sources: [
            { serviceAccountToken: { path: 'token' } },
            { serviceAccountToken: { path: 'vault', audience: 'vault', expirationSeconds: 600 } },
            { configMap: { name: 'm', items: [{ key: 'k', path: 'f' }] } },
            { secret: { name: 's', optional: true } },
            { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
          ],
        },
      },
      source: {
        kind: 'projected',
        sources: [
          { kind: 'token', path: 'token', audience: undefined, expirationSeconds: 3600 },
          { kind: 'token', path: 'vault', audience: 'vault', expirationSeconds: 600 },
          { kind: 'config-map', name: 'm', files: { items: [{ key: 'k', path: 'f' }] } },
          { kind: 'secret', name: 's', files: { isOptional: true } },
          { kind: 'downward', items: [{ path: 'n', field: 'metadata.name' }] },
        ],
      },
    },
    { volume: { name: 'a', projected: {} }, source: { kind: 'projected', sources: [] } },
  ])('$source.kind', ({ volume, source }) => {
    expect(volumeSource(volume)).toMatchObject(source);
  });

  it.each<{ readonly volume: RunnerVolume; readonly says: string }>([
    { volume: { name: 'a', nfs: {} }, says: 'spec.volumes[a].nfs: is a kind of volume that this node does not have' },
    {
      volume: { name: 'a', hostPath: { path: '/root/.kube' } },
      says: 'spec.volumes[a].hostPath: is never given to launchers; use a persistentVolumeClaim',
    },
    { volume: { name: 'a' }, says: 'spec.volumes[a].: is no object' },
    { volume: { name: 'a', emptyDir: {}, image: {} }, says: 'spec.volumes[a]: has more than one source' },
    { volume: { name: 'a', secret: {} }, says: 'spec.volumes[a].secret.secretName: is missing' },
    {
      volume: { name: 'a', projected: { sources: [{ clusterTrustBundle: {} }] } },
      says: 'spec.volumes[a].projected.sources[0].clusterTrustBundle: is a kind of source that this node does not have',
    },
    {
      volume: { name: 'a', projected: { sources: ['x'] } },
      says: 'spec.volumes[a].projected.sources[0]: has no source',
    },
    {
      volume: { name: 'a', projected: { sources: [{ secret: {}, configMap: {} }] } },
      says: 'spec.volumes[a].projected.sources[0]: has more than one source',
    },
    {
      volume: { name: 'a', projected: { sources: [{ serviceAccountToken: { path: '../token' } }] } },
      says: 'leads out of the volume',
    },
    {
      volume: { name: 'a', projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: '1h' } }] } },
      says: 'serviceAccountToken.expirationSeconds: is no number of seconds',
    },
    ...['../../etc/passwd', '/etc/passwd', 'a//b', 'a/./b', 'a\0b', '..'].map((path) => ({
      volume: { name: 'a', secret: { secretName: 's', items: [{ key: 'k', path }] } },
      says: 'leads out of the volume',
    })),
  ])('refuses $volume', ({ volume, says }) => {
    expect(() => volumeSource(volume)).toThrow(says);
  });
});
