import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstanceSpec, Volume } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { invalid, notFound, required } from '../../cause.ts';
import { devices, spec, withDisk, withVolume } from '../../fixtures/small-instance.ts';

const FIRST = 'spec.volumes[0]';
const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const emptyDisk = { emptyDisk: { capacity: '1Gi' } };
const hostDisk = { path: '/disks/a.img', type: 'Disk' };
const large = 'a'.repeat(2049);
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the rules about volumes', () => {
  it.each([
    {
      rule: 'volumes have different names',
      bad: withVolumes([
        { name: 'a', ...emptyDisk },
        { name: 'a', ...emptyDisk },
      ]),
      causes: [invalid('spec.volumes[1].name', 'spec.volumes[1] and spec.volumes[0] must not have the same Name.')],
      good: withVolumes([
        { name: 'a', ...emptyDisk },
        { name: 'b', ...emptyDisk },
      ]),
    },
    {
      rule: 'the name of a volume is a label',
      bad: withFilesystem('../data'),
      causes: [invalid(`${FIRST}.name`, LABEL_RULE)],
      good: withFilesystem('data'),
    },
    {
      rule: 'the name of a volume has no dots',
      bad: withFilesystem('a.b'),
      causes: [invalid(`${FIRST}.name`, 'must not contain dots')],
      good: withFilesystem('a-b'),
    },
    {
      rule: 'the name of a volume is told of once where a disk has it too',
      bad: withDisk({ name: 'a.b' }),
      causes: [invalid('spec.domain.devices.disks[0].name', 'must not contain dots')],
      good: withDisk({ name: 'a-b' }),
    },
    {
      rule: 'a volume has a source',
      bad: withVolume({}),
      causes: [invalid(FIRST, `${FIRST} must have exactly one source type set`)],
      good: withVolume(emptyDisk),
    },
    {
      rule: 'a volume has one source',
      bad: withVolume({ ...emptyDisk, dataVolume: { name: 'a' } }),
      causes: [invalid(FIRST, `${FIRST} must have exactly one source type set`)],
      good: withVolume({ dataVolume: { name: 'a' } }),
    },
    {
      rule: 'a DataVolume has a name',
      bad: withVolume({ dataVolume: { name: '' } }),
      causes: [required(`${FIRST}.name`, "DataVolume 'name' must be set")],
      good: withVolume({ dataVolume: { name: 'a' } }),
    },
    {
      rule: 'a ConfigMap has a name',
      bad: withVolume({ configMap: {} }),
      causes: [invalid(`${FIRST}.configMap.name`, `${FIRST}.configMap.name is a required field`)],
      good: withVolume({ configMap: { name: 'a' } }),
    },
    {
      rule: 'a Secret has a name',
      bad: withVolume({ secret: {} }),
      causes: [invalid(`${FIRST}.secret.secretName`, `${FIRST}.secret.secretName is a required field`)],
      good: withVolume({ secret: { secretName: 'a' } }),
    },
    {
      rule: 'a service account has a name',
      bad: withVolume({ serviceAccount: {} }),
      causes: [
        invalid(
          `${FIRST}.serviceAccount.serviceAccountName`,
          `${FIRST}.serviceAccount.serviceAccountName is a required field`,
        ),
      ],
      good: withVolume({ serviceAccount: { serviceAccountName: 'a' } }),
    },
    {
      rule: 'there is one service account',
      bad: twoOf({ serviceAccount: { serviceAccountName: 'a' } }),
      causes: [invalid('spec.volumes', 'spec.volumes must have max one serviceAccount volume set')],
      good: withVolume({ serviceAccount: { serviceAccountName: 'a' } }),
    },
    {
      rule: 'metrics are there once',
      bad: twoOf({ downwardMetrics: {} }),
      causes: [invalid('spec.volumes', 'spec.volumes must have max one downwardMetric volume set')],
      good: withVolume({ downwardMetrics: {} }),
    },
    {
      rule: 'memory is dumped to one volume',
      bad: spec({
        volumes: [
          { name: 'a', memoryDump: { claimName: 'a' } },
          { name: 'b', memoryDump: { claimName: 'b' } },
        ],
      }),
      causes: [invalid('spec.volumes', 'spec.volumes must have max one memory dump volume set')],
      good: spec({ volumes: [{ name: 'a', memoryDump: { claimName: 'a' } }] }),
    },
    {
      rule: 'a path in an image is not the root',
      bad: withVolume({ containerDisk: { image: 'a', path: '/' } }),
      causes: [invalid(`${FIRST}.containerDisk`, `${FIRST}.containerDisk must not point to root`)],
      good: withVolume({ containerDisk: { image: 'a', path: '/disk.img' } }),
    },
    {
      rule: 'a path in an image stays inside',
      bad: withVolume({ containerDisk: { image: 'a', path: '../disk.img' } }),
      causes: [
        invalid(
          `${FIRST}.containerDisk`,
          `${FIRST}.containerDisk must be an absolute path to a file without relative components`,
        ),
      ],
      good: withVolume({ containerDisk: { image: 'a' } }),
    },
    {
      rule: 'volumes for the launcher come later',
      bad: spec({ utilityVolumes: [{ name: 'a', claimName: 'a' }] }),
      causes: [
        invalid(
          'spec.utilityVolumes',
          'cannot create VMI with utility volumes in spec, utility volumes can only be added via hotplug',
        ),
      ],
      good: spec(),
    },
    {
      rule: 'a disk on the host has a path',
      bad: withVolume({ hostDisk: { path: '', type: 'DiskOrCreate', capacity: '1Gi' } }),
      causes: [notFound(`${FIRST}.hostDisk.path`, `${FIRST}.hostDisk.path is required for hostDisk volume`)],
      good: withVolume({ hostDisk: { path: '/a.img', type: 'DiskOrCreate', capacity: '1Gi' } }),
    },
    {
      rule: 'a disk on the host is of a known type',
      bad: withVolume({ hostDisk: { path: '/a.img', type: 'Maybe' } }),
      causes: [
        invalid(
          `${FIRST}.hostDisk.type`,
          `${FIRST}.hostDisk.type has invalid value 'Maybe', allowed are 'Disk' or 'DiskOrCreate'`,
        ),
      ],
      good: withVolume({ hostDisk }),
    },
    {
      rule: 'a disk that exists has its size',
      bad: withVolume({ hostDisk: { ...hostDisk, capacity: '1Gi' } }),
      causes: [
        invalid(
          `${FIRST}.hostDisk.capacity`,
          `${FIRST}.hostDisk.capacity is allowed to pass only with ${FIRST}.hostDisk.type equal to 'DiskOrCreate'`,
        ),
      ],
      good: withVolume({ hostDisk: { ...hostDisk, capacity: '0' } }),
    },
  ])('$rule', ({ bad, causes, good }) => {
    const settings = { featureGates: ['HostDisk', 'DownwardMetrics'] };

    expect(judge(bad, settings)).toEqual(causes);
    expect(judge(good, settings)).toEqual([]);
  });

  it.each(['cloudInitNoCloud', 'cloudInitConfigDrive'] as const)('data of %s is there once and small', (kind) => {
    const field = `${FIRST}.${kind}`;
    const causesOf = (source: NonNullable<Volume['cloudInitNoCloud']>) => judge(withVolume({ [kind]: source }));

    expect(causesOf({ userData: 'a', userDataBase64: base64('a') })).toEqual([
      invalid(field, `${field} must have only one userdatasource set.`),
    ]);
    expect(causesOf({ networkData: 'a', networkDataSecretRef: { name: 'a' } })).toEqual([
      invalid(field, `${field} must have only one networkdata source set.`),
    ]);
    expect(causesOf({})).toEqual([
      invalid(field, `${field} must have at least one userdatasource or one networkdatasource set.`),
    ]);
    expect(causesOf({ userDataBase64: '#######' })).toEqual([
      invalid(`${field}.userDataBase64`, `${field}.userDataBase64.${kind}.userDataBase64 is not a valid base64 value.`),
    ]);
    expect(causesOf({ networkDataBase64: 'abc' })).toEqual([
      invalid(
        `${field}.networkDataBase64`,
        `${field}.networkDataBase64.${kind}.networkDataBase64 is not a valid base64 value.`,
      ),
    ]);
    for (const source of [{ userData: large }, { userDataBase64: base64(large) }]) {
      expect(causesOf(source)).toEqual([
        invalid(field, `${field} userdata exceeds 2048 byte limit. Should use UserDataSecretRef for larger data.`),
      ]);
    }
    for (const source of [{ networkData: large }, { networkDataBase64: base64(large) }]) {
      expect(causesOf(source)).toEqual([
        invalid(
          field,
          `${field} networkdata exceeds 2048 byte limit. Should use NetworkDataSecretRef for larger data.`,
        ),
      ]);
    }
    for (const source of [
      { userData: large.slice(1), networkData: large.slice(1) },
      { userDataBase64: base64(large.slice(1)).replaceAll(/(.{76})/g, '$1\n') },
      { secretRef: { name: 'a' }, networkDataSecretRef: { name: 'b' } },
      { networkData: 'a' },
    ]) {
      expect(causesOf(source)).toEqual([]);
    }
  });

  it('counts the bytes of cloud-init data, not its characters', () => {
    const userData = 'ä'.repeat(1025);

    expect(judge(withVolume({ cloudInitNoCloud: { userData } }))).toHaveLength(1);
  });
});

function withVolumes(volumes: readonly Volume[]): VirtualMachineInstanceSpec {
  const names = [...new Set(volumes.map(({ name }) => name))];
  return { ...devices({ disks: names.map((name) => ({ name, disk: {} })) }), volumes };
}

function twoOf(volume: Partial<Volume>): VirtualMachineInstanceSpec {
  return withVolumes([
    { name: 'a', ...volume },
    { name: 'b', ...volume },
  ]);
}

/** A spec with one volume, which the guest sees as a directory. */
function withFilesystem(name: string): VirtualMachineInstanceSpec {
  return { ...devices({ filesystems: [{ name, virtiofs: {} }] }), volumes: [{ name, configMap: { name: 'a' } }] };
}
