import type { VirtualMachineInstance } from '@smalt/vm-api';
import type { XmlElement } from '@smalt/xml';

import type { DomainContext } from './domain-context.ts';
import type { DomainStyle } from './domain-style.ts';

/** All that a step may look at. */
export interface DomainInput {
  readonly instance: VirtualMachineInstance;
  readonly context: DomainContext;
  readonly style: DomainStyle;
}

/** One subject of a domain. A step is pure, and adds what it returns either to the domain itself or to its devices. */
export type DomainStep = RootStep | DeviceStep;

export interface RootStep {
  readonly kind: 'root';
  readonly name: string;
  readonly build: (input: DomainInput) => readonly XmlElement[];
}

export interface DeviceStep {
  readonly kind: 'device';
  readonly name: string;
  /** `devices` are those of the steps before this one. */
  readonly build: (input: DomainInput, devices: readonly XmlElement[]) => readonly XmlElement[];
}

/** A step whose elements are children of `domain`. */
export function rootStep(name: string, build: RootStep['build']): RootStep {
  return { kind: 'root', name, build };
}

/** A step whose elements are children of `devices`. */
export function deviceStep(name: string, build: DeviceStep['build']): DeviceStep {
  return { kind: 'device', name, build };
}
