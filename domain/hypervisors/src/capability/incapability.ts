import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

/** Something that a hypervisor cannot do, and the field by which it is asked for. */
export interface Incapability {
  /** A path below `spec`; `[*]` stands for every entry of a list. */
  readonly field: string;
  /** Whether a value asks for it. Without this, all but `false`, `enabled: false` and what is empty does. */
  readonly when?: (value: unknown, spec: VirtualMachineInstanceSpec) => boolean;
  /** What it does not do, after `the hypervisor NAME …`. */
  readonly reason: string;
  /** What to do instead, as an order. */
  readonly instead: string;
}

/** Whether a value is none of these: then it is more than the hypervisor can do. */
export function isNoneOf(...allowed: readonly unknown[]): (value: unknown) => boolean {
  return (value) => value !== '' && !allowed.includes(value);
}

/** Whether a value is one of these. */
export function isOneOf(...refused: readonly unknown[]): (value: unknown) => boolean {
  return (value) => refused.includes(value);
}

/** The same for several fields. */
export function incapabilitiesOf(
  fields: readonly string[],
  rest: Pick<Incapability, 'reason' | 'instead'>,
): readonly Incapability[] {
  return fields.map((field) => ({ field, ...rest }));
}
