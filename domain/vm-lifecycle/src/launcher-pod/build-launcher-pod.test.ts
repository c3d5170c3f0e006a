import { placePod } from '@smalt/placement';
import { describe, expect, it } from 'vitest';

import { guest, instance, node } from '../fixtures/objects.ts';
import { buildLauncherPod } from './build-launcher-pod.ts';
import type { LauncherSettings } from './launcher-settings.ts';

const driver = {
  name: 'qemu-kvm',
  device: 'kvm',
  overheadBytes: 1024n ** 2n,
  runsPrivileged: false,
  emulatesMachine: true,
};
const settings: LauncherSettings = { image: 'registry/launcher:1', driver, nodeSelector: { pool: 'vms' } };

describe('buildLauncherPod', () => {
  it('carries the labels and annotations that others look for', () => {
    const annotations = { note: 'mine', 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    const vmi = instance('Pending', {}, { uid: '12345678-9abc', labels: { app: 'x' }, annotations });

    const { metadata } = buildLauncherPod(vmi, settings);

    expect(metadata).toMatchObject({
      name: 'virt-launcher-vm-12345678',
      namespace: 'default',
      labels: {
        app: 'x',
        'kubevirt.io': 'virt-launcher',
        'kubevirt.io/created-by': '12345678-9abc',
        'vm.kubevirt.io/name': 'vm',
        'vmi.kubevirt.io/id': 'vm',
      },
      annotations: {
        note: 'mine',
        'kubevirt.io/domain': 'vm',
        'kubectl.kubernetes.io/default-container': 'compute',
        'kubevirt.io/migrationTransportUnix': 'true',
        'kubevirt.io/memory-overhead-bytes': '1048576',
      },
      ownerReferences: [{ kind: 'VirtualMachineInstance', name: 'vm', controller: true }],
    });
    expect(metadata.annotations).not.toHaveProperty(['kubectl.kubernetes.io/last-applied-configuration']);
  });

  it('runs without privileges', () => {
    const { spec } = buildLauncherPod(instance('Pending'), settings);

    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 107, fsGroup: 107 });
    expect(spec.containers[0]?.securityContext).toMatchObject({
      privileged: false,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: 'Never',
    });
    expect(JSON.stringify(spec)).not.toContain('hostPath');
  });

  it.each([
    [undefined, 60, '--grace-period-seconds=45'],
    [0, 30, '--grace-period-seconds=15'],
    [180, 210, '--grace-period-seconds=195'],
  ])('with %s s for the guest to shut down gives the pod %i s', (seconds, podSeconds, argument) => {
    const spec = guest(seconds === undefined ? {} : { terminationGracePeriodSeconds: seconds });

    const pod = buildLauncherPod(instance('Pending', {}, {}, spec), settings);

    expect(pod.spec.terminationGracePeriodSeconds).toBe(podSeconds);
    expect(pod.spec.containers[0]?.args).toContain(argument);
  });

  it('gives names as one argument each, whatever they look like', () => {
    const { spec } = buildLauncherPod(instance('Pending', {}, { name: '--help;rm' }), settings);

    expect(spec.containers[0]).toMatchObject({
      command: ['smalt', 'virt-launcher'],
      args: expect.arrayContaining(['--name=--help;rm']),
    });
  });

  it('is not ready while its guest is paused', () => {
    const { spec } = buildLauncherPod(instance('Pending'), settings);

    expect(spec.readinessGates).toEqual([{ conditionType: 'kubevirt.io/virtual-machine-unpaused' }]);
  });

  it('goes only where its machine, model, features and driver are', () => {
    const cpu = {
      model: 'Haswell',
      features: [{ name: 'vmx' }, { name: 'avx', policy: 'require' }, { name: 'pcid', policy: 'optional' }],
    };
    const spec = guest({ nodeSelector: { disk: 'ssd' }, domain: { cpu, machine: { type: 'q35' }, devices: {} } });

    expect(buildLauncherPod(instance('Pending', {}, {}, spec), settings).spec.nodeSelector).toEqual({
      pool: 'vms',
      disk: 'ssd',
      'kubevirt.io/schedulable': 'true',
      'kubernetes.io/arch': 'amd64',
      'hypervisor.node.kubevirt.io/qemu-kvm': 'true',
      'machine-type.node.kubevirt.io/q35': 'true',
      'cpu-model.node.kubevirt.io/Haswell': 'true',
      'cpu-feature.node.kubevirt.io/vmx': 'true',
      'cpu-feature.node.kubevirt.io/avx': 'true',
    });
  });

  it('does not look at processors for drivers that emulate no machine', () => {
    const spec = guest({ domain: { cpu: { model: 'Haswell' }, machine: { type: 'q35' }, devices: {} } });
    const lxc = { ...settings, driver: { ...driver, name: 'lxc', device: undefined, emulatesMachine: false } };

    expect(Object.keys(buildLauncherPod(instance('Pending', {}, {}, spec), lxc).spec.nodeSelector ?? {})).toEqual([
      'pool',
      'kubevirt.io/schedulable',
      'kubernetes.io/arch',
      'hypervisor.node.kubevirt.io/lxc',
    ]);
  });

  it('adds what its node must not be to each term of its affinity', () => {
    const terms = [
      { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
      { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] },
    ];
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
    const spec = guest({
      affinity,
      domain: { cpu: { model: 'host-model', features: [{ name: 'hle', policy: 'forbid' }] }, devices: {} },
    });

    const pod = buildLauncherPod(instance('Pending', {}, {}, spec), settings);

    const unwanted = [
      { key: 'node-labeller.kubevirt.io/obsolete-host-model', operator: 'DoesNotExist' },
      { key: 'cpu-feature.node.kubevirt.io/hle', operator: 'DoesNotExist' },
    ];
    expect(pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms).toEqual([
      { matchExpressions: [{ key: 'a', operator: 'Exists' }, ...unwanted] },
      { ...terms[1], matchExpressions: unwanted },
    ]);
  });

  it('goes nowhere when it asks for nodes that launchers may not come to', () => {
    const spec = guest({ nodeSelector: { pool: 'infrastructure' } });

    const pod = buildLauncherPod(instance('Pending', {}, {}, spec), settings);

    expect(pod.spec.nodeSelector).toMatchObject({ pool: 'vms' });
    expect(pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual({
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['infrastructure'] }] }],
    });
  });

  it('lets an emulated guest run where the processor itself has an obsolete model', () => {
    const spec = guest({ domain: { cpu: { model: 'host-model' }, devices: {} } });
    const emulated = { ...settings, driver: { ...settings.driver, name: 'qemu', device: undefined } };

    const pod = buildLauncherPod(instance('Pending', {}, {}, spec), emulated);

    expect(pod.spec.affinity).toBeUndefined();
  });

  it('mounts the token of a service account, and keys that go into the guest by cloud-init', () => {
    const source = { secret: { secretName: 'keys' } };
    const spec = guest({
      volumes: [{ name: 'account', serviceAccount: { serviceAccountName: 'robot' } }],
      accessCredentials: [
        { sshPublicKey: { source, propagationMethod: { qemuGuestAgent: { users: ['root'] } } } },
        { sshPublicKey: { source, propagationMethod: { noCloud: {} } } },
      ],
    });

    const { volumes, serviceAccountName } = buildLauncherPod(instance('Pending', {}, {}, spec), settings).spec;

    expect(serviceAccountName).toBe('robot');
    expect(volumes?.slice(-2)).toMatchObject([
      { name: 'account', projected: { sources: [{ serviceAccountToken: { path: 'token' } }, {}, {}] } },
      { name: 'access-credential-1', secret: { secretName: 'keys' } },
    ]);
  });

  it('mounts what volumes are made from, and leaves out what is plugged in later', () => {
    const spec = guest({
      volumes: [
        { name: 'image', containerDisk: { image: 'disk:1', imagePullSecret: 'pull' } },
        { name: 'files', persistentVolumeClaim: { claimName: 'a' } },
        { name: 'block', dataVolume: { name: 'b' } },
        { name: 'later', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } },
        { name: 'init', cloudInitNoCloud: { secretRef: { name: 'user-data' } } },
        { name: 'config', configMap: { name: 'd', optional: true } },
      ],
    });

    const pod = buildLauncherPod(instance('Pending', {}, {}, spec), { ...settings, blockVolumes: new Set(['block']) });

    expect(pod.spec.volumes).toEqual(
      expect.arrayContaining([
        { name: 'image', image: { reference: 'disk:1', pullPolicy: 'IfNotPresent' } },
        { name: 'files', persistentVolumeClaim: { claimName: 'a' } },
        { name: 'block', persistentVolumeClaim: { claimName: 'b' } },
        { name: 'init-udata', secret: { secretName: 'user-data' } },
        { name: 'config', configMap: { name: 'd', optional: true } },
      ]),
    );
    expect(pod.spec.volumes.map(({ name }) => name)).not.toContain('later');
    expect(pod.spec.containers[0]?.volumeDevices).toEqual([{ name: 'block', devicePath: '/dev/block' }]);
    expect(pod.spec.imagePullSecrets).toEqual([{ name: 'pull' }]);
  });

  it('is pulled by the Secrets of the settings and by those of its disks, each once', () => {
    const volumes = ['registry', 'pull'].map((name) => ({
      name,
      containerDisk: { image: 'd', imagePullSecret: name },
    }));
    const spec = guest({ volumes });
    const pulled = { ...settings, imagePullPolicy: 'Never', imagePullSecrets: ['registry'] } as const;

    const pod = buildLauncherPod(instance('Pending', {}, {}, spec), pulled);

    expect(pod.spec.imagePullSecrets).toEqual([{ name: 'registry' }, { name: 'pull' }]);
    expect(pod.spec.containers[0]?.imagePullPolicy).toBe('Never');
    const plain = buildLauncherPod(instance('Pending'), settings).spec;
    expect(plain).not.toHaveProperty('imagePullSecrets');
    expect(plain.containers[0]).not.toHaveProperty('imagePullPolicy');
  });

  it('mounts the image of the kernel that its guest boots', () => {
    const container = { image: 'linux:6', kernelPath: '/boot/vmlinuz', imagePullSecret: 'pull' };
    const spec = guest({ domain: { firmware: { kernelBoot: { container } }, devices: {} } });

    const pod = buildLauncherPod(instance('Pending', {}, {}, spec), settings);

    expect(pod.spec.volumes).toContainEqual({
      name: 'kernel-boot-volume',
      image: { reference: 'linux:6', pullPolicy: 'IfNotPresent' },
    });
    expect(pod.spec.containers[0]?.volumeMounts).toContainEqual({
      name: 'kernel-boot-volume',
      mountPath: '/var/run/kubevirt/kernel-boot',
      readOnly: true,
    });
    expect(pod.spec.imagePullSecrets).toEqual([{ name: 'pull' }]);
  });

  it('shows policies the directory of a disk of the node, and mounts nothing of it', () => {
    const spec = guest({ volumes: [{ name: 'data', hostDisk: { path: '/srv/disks/a.img', type: 'Disk' } }] });

    const pod = buildLauncherPod(instance('Pending', {}, {}, spec), settings);

    expect(pod.spec.volumes).toContainEqual({ name: 'data', hostPath: { path: '/srv/disks' } });
    expect(pod.spec.containers[0]?.volumeMounts?.filter(({ name }) => name === 'data')).toEqual([]);
  });

  it('tells the network plugin of further networks', () => {
    const networks = [
      { name: 'default', pod: {} },
      { name: 'blue', multus: { networkName: 'infra/blue' } },
      { name: 'red', multus: { networkName: 'infra/red' } },
    ];
    const interfaces = [
      { name: 'default', masquerade: {} },
      { name: 'blue', bridge: {}, macAddress: '0200.0000.00AB' },
      { name: 'red', bridge: {}, macAddress: '' },
    ];
    const spec = guest({ networks, domain: { devices: { interfaces } } });

    const { metadata } = buildLauncherPod(instance('Pending', {}, {}, spec), settings);

    expect(metadata.annotations?.['k8s.v1.cni.cncf.io/networks']).toBe(
      '[{"name":"blue","namespace":"infra","mac":"02:00:00:00:00:ab","interface":"net1"},' +
        '{"name":"red","namespace":"infra","interface":"net2"}]',
    );
  });

  it('keeps long names apart', () => {
    const name = 'a'.repeat(80);
    const ids = [`${name}x`, `${name}y`].map(
      (each) =>
        buildLauncherPod(instance('Pending', {}, { name: each }), settings).metadata.labels?.['vmi.kubevirt.io/id'] ??
        '',
    );

    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id.length <= 63)).toBe(true);
  });

  it('is placed on a node that has what it needs', () => {
    const pod = buildLauncherPod(instance('Pending'), settings);
    const labels = {
      'kubevirt.io/schedulable': 'true',
      'kubernetes.io/arch': 'amd64',
      pool: 'vms',
      'hypervisor.node.kubevirt.io/qemu-kvm': 'true',
    };
    const allocatable = {
      cpu: '4',
      memory: '8Gi',
      pods: '110',
      'ephemeral-storage': '10Gi',
      'devices.kubevirt.io/kvm': '1000',
    };
    const nodes = [
      { ...node('n1', 0), status: { allocatable } },
      { ...node('n2', 0, labels), status: { allocatable } },
    ];

    expect(placePod(pod, nodes, [])).toEqual({ kind: 'placed', nodeName: 'n2' });
  });
});
