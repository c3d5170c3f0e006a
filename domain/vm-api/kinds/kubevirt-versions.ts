import type { KindVersion } from '@smalt/kind';

/** The versions of all kinds of KubeVirt: one schema, two names. */
export const kubevirtVersions: readonly [KindVersion, KindVersion] = [
  { name: 'v1' },
  {
    name: 'v1alpha3',
    deprecationWarning: 'kubevirt.io/v1alpha3 is now deprecated and will be removed in a future release.',
  },
];
