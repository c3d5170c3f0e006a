import { describe, expect, it } from 'vitest';

import { limitFiles } from './cgroup-limits.ts';
import { missingControllers, planCgroup } from './plan-cgroup.ts';

const limits = { cpuRequestMilli: 100, cpuLimitMilli: 2000, memoryLimitBytes: 128n * 1024n * 1024n, processLimit: 10 };
const plan = { path: '/smalt/pods/u', leaves: ['launcher', 'guest'], limits };

describe('planCgroup', () => {
  it('enables controllers on the way down in the second version, and limits the pod alone', () => {
    const steps = planCgroup({ version: 2, mountPoint: '/cg', controllers: ['memory'] }, plan);

    expect(steps).toEqual([
      { kind: 'make', directory: '/cg/' },
      { kind: 'enable', file: '/cg/cgroup.subtree_control', controller: 'memory' },
      { kind: 'make', directory: '/cg/smalt' },
      { kind: 'enable', file: '/cg/smalt/cgroup.subtree_control', controller: 'memory' },
      { kind: 'make', directory: '/cg/smalt/pods' },
      { kind: 'enable', file: '/cg/smalt/pods/cgroup.subtree_control', controller: 'memory' },
      { kind: 'make', directory: '/cg/smalt/pods/u' },
      { kind: 'limit', file: '/cg/smalt/pods/u/memory.max', controller: 'memory', value: '134217728' },
      { kind: 'make', directory: '/cg/smalt/pods/u/launcher' },
      { kind: 'make', directory: '/cg/smalt/pods/u/guest' },
    ]);
  });

  it('enables nothing in the first version', () => {
    const steps = planCgroup({ version: 1, mountPoint: '/cg/cpu', controllers: ['cpu'] }, plan);

    expect(steps.filter(({ kind }) => kind !== 'make')).toEqual([
      { kind: 'limit', file: '/cg/cpu/smalt/pods/u/cpu.shares', controller: 'cpu', value: '102' },
      { kind: 'limit', file: '/cg/cpu/smalt/pods/u/cpu.cfs_period_us', controller: 'cpu', value: '100000' },
      { kind: 'limit', file: '/cg/cpu/smalt/pods/u/cpu.cfs_quota_us', controller: 'cpu', value: '200000' },
    ]);
  });
});

it('lets processes into cgroups of the first version that have processors of their own', () => {
  const steps = planCgroup({ version: 1, mountPoint: '/cg', controllers: ['cpuset'] }, { ...plan, path: '/a/u' });

  expect(steps.flatMap((step) => (step.kind === 'inherit' ? `${step.from} ${step.file}` : []))).toEqual([
    '/cg/cpuset.mems /cg/a/cpuset.mems',
    '/cg/cpuset.cpus /cg/a/cpuset.cpus',
    '/cg/a/cpuset.mems /cg/a/u/cpuset.mems',
    '/cg/a/cpuset.cpus /cg/a/u/cpuset.cpus',
    '/cg/a/u/cpuset.mems /cg/a/u/launcher/cpuset.mems',
    '/cg/a/u/cpuset.cpus /cg/a/u/launcher/cpuset.cpus',
    '/cg/a/u/cpuset.mems /cg/a/u/guest/cpuset.mems',
    '/cg/a/u/cpuset.cpus /cg/a/u/guest/cpuset.cpus',
  ]);
});

describe('limitFiles', () => {
  it.each([
    { limits: {}, files: [] },
    { limits: { cpuRequestMilli: 1000 }, files: ['cpu.weight=39'] },
    { limits: { cpuRequestMilli: 0 }, files: ['cpu.weight=1'] },
    { limits: { cpuRequestMilli: 1_000_000 }, files: ['cpu.weight=10000'] },
    { limits: { cpuLimitMilli: 1 }, files: ['cpu.max=1000 100000'] },
    { limits: { processLimit: 5 }, files: ['pids.max=5'] },
  ])('$limits', ({ limits: asked, files }) => {
    expect(limitFiles(2, asked).map(({ file, value }) => `${file}=${value}`)).toEqual(files);
  });
});

it('tells which limits no hierarchy can keep', () => {
  const memory = { version: 1, mountPoint: '/m', controllers: ['memory'] } as const;

  expect(missingControllers([memory], limits)).toEqual(['cpu', 'pids']);
  expect(missingControllers([memory], { memoryLimitBytes: 1n })).toEqual([]);
});
