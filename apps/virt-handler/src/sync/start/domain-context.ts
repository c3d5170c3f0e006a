import { join } from 'node:path';

import type {
  BootKernel,
  DomainContext,
  DomainHostDevice,
  DomainVolume,
  FirmwareImage,
  MachineLabel,
} from '@smalt/domain-xml';
import type { PodSandbox } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { HostCapabilities } from '../../hypervisor-sessions/read-host-capabilities.ts';
import type { ConnectedNetwork } from '../../network/network-plugin.ts';
import type { FirmwareQuestion } from './firmware-images.ts';

/** What was found on the node for one instance. */
export interface NodeFindings {
  readonly instance: VirtualMachineInstance;
  readonly directory: string;
  readonly volumes: readonly DomainVolume[];
  readonly networks: readonly ConnectedNetwork[];
  readonly hostDevices: readonly DomainHostDevice[];
  readonly kernel: BootKernel | undefined;
  readonly sandbox: PodSandbox;
  readonly capabilities: HostCapabilities | undefined;
  readonly dedicatedCpus: readonly number[] | undefined;
  readonly firmware: readonly FirmwareImage[];
  readonly machineLabel: MachineLabel;
  readonly vsockAddress: number | undefined;
}

/** What is the same for all instances of the node. */
export interface NodeConstants {
  readonly firmware: (question: FirmwareQuestion, signal: AbortSignal) => Promise<readonly FirmwareImage[]>;
  readonly machineLabel: MachineLabel;
}

export const MACHINE_LABEL: MachineLabel = { manufacturer: 'Smalt', family: 'Smalt', product: 'Virtual machine' };

/** Where the console and the display of a guest are on its node. */
function socketPaths(directory: string): { readonly serial: string; readonly vnc: string } {
  return { serial: join(directory, 'sockets/serial'), vnc: join(directory, 'sockets/vnc') };
}

/** Puts together what the XML of a domain needs of its node. Pure: the same findings give the same domain. */
export function domainContext(findings: NodeFindings): DomainContext {
  const { instance, directory, networks, capabilities } = findings;
  const logsConsole = instance.spec.domain.devices.logSerialConsole === true;
  return {
    volumes: findings.volumes,
    networks: networks.map(({ domain }) => domain),
    hostDevices: findings.hostDevices,
    firmware: findings.firmware,
    node: { cells: capabilities?.cells ?? [] },
    dedicatedCpus: findings.dedicatedCpus,
    kernel: findings.kernel,
    paths: {
      ...socketPaths(directory),
      // A log that nobody asked for would fill the disk of the node some day.
      serialLog: logsConsole ? join(directory, 'serial.log') : undefined,
      variables: join(directory, 'variables.fd'),
      usbRedirection: join(directory, 'sockets'),
    },
    machineLabel: findings.machineLabel,
    vsockCid: findings.vsockAddress,
  };
}
