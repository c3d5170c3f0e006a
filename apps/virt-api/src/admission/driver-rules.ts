import { hypervisors, refusalsOf, type Hypervisor } from '@smalt/hypervisors';
import type { ClusterSettings, RefusalsOf } from '@smalt/vm-admission';
import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';

/** What the driver of an instance cannot do; undefined when there is no such driver. */
export const driverRefusals: RefusalsOf = (name, instance, path) => {
  const driver = driverCalled(name);
  return driver === undefined ? undefined : refusalsOf(driver, instance, path);
};

/** The settings as they count for instances of one driver. What an administrator has set for that driver stays. */
export function settingsOfDriver(settings: ClusterSettings, spec: VirtualMachineInstanceSpec): ClusterSettings {
  const driver = driverCalled(driverName(settings, spec));
  if (driver === undefined) return settings;
  const { diskBus, cpuModel = settings.cpuModel, supportsHotplug } = driver.defaults;
  const buses = diskBus === undefined ? {} : { [driver.name]: diskBus };
  return {
    ...settings,
    diskBusByHypervisor: { ...buses, ...settings.diskBusByHypervisor },
    ...(cpuModel === undefined ? {} : { cpuModel }),
    // Room to grow is of no use to a guest that cannot grow.
    rolloutStrategy: supportsHotplug ? settings.rolloutStrategy : 'Stage',
  };
}

/** An instance that says so where its driver has no display: who asks for one is refused at once then. */
export function withDriverDevices(instance: VirtualMachineInstance, settings: ClusterSettings): VirtualMachineInstance {
  const { spec } = instance;
  const { devices } = spec.domain;
  const driver = driverCalled(driverName(settings, spec));
  const hasDisplay = driver === undefined || driver.defaults.attachesGraphics;
  if (hasDisplay || devices.autoattachGraphicsDevice !== undefined) return instance;
  const without = { ...devices, autoattachGraphicsDevice: false };
  return { ...instance, spec: { ...spec, domain: { ...spec.domain, devices: without } } };
}

function driverCalled(name: string): Hypervisor | undefined {
  return hypervisors.find((candidate) => candidate.name === name);
}

function driverName(settings: ClusterSettings, { hypervisor = '' }: VirtualMachineInstanceSpec): string {
  return hypervisor === '' ? settings.defaultHypervisor : hypervisor;
}
