import { element, printXml } from '@smalt/xml';

const MEMORY_MIB = 16;

/**
 * A domain that is cheap to start and has its vCPU and its memory pinned: the Go agent gives its whole status up over
 * one that has not.
 */
export function tunedDomainXml(name: string): string {
  const memory = { memory: MEMORY_MIB, unit: 'MiB' };
  return printXml(
    element('domain', { type: 'qemu' }, [
      element('name', {}, [name]),
      element('memory', { unit: 'MiB' }, [String(MEMORY_MIB)]),
      element('vcpu', {}, ['1']),
      element('cputune', {}, [element('vcpupin', { vcpu: 0, cpuset: '0' })]),
      element('numatune', {}, [element('memnode', { cellid: 0, mode: 'preferred', nodeset: '0' })]),
      element('os', {}, [element('type', { arch: 'x86_64', machine: 'pc' }, ['hvm'])]),
      element('cpu', { mode: 'custom', match: 'exact' }, [
        element('model', { fallback: 'forbid' }, ['qemu64']),
        element('numa', {}, [element('cell', { id: 0, cpus: '0', ...memory })]),
      ]),
      element('devices', {}, [
        element('emulator', {}, ['/usr/bin/qemu-system-x86_64']),
        element('controller', { type: 'usb', model: 'none' }),
        element('memballoon', { model: 'none' }),
      ]),
    ]),
  );
}
