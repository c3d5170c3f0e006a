import type { Input, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { changeDevices } from './change-domain.ts';

/** Input devices are USB tablets, unless they say otherwise. */
export function defaultInputs(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { inputs } = spec.domain.devices;
  return inputs === undefined ? spec : changeDevices(spec, { inputs: inputs.map(withBusAndType) });
}

function withBusAndType(input: Input): Input {
  const bus = input.bus === undefined || input.bus === '' ? 'usb' : input.bus;
  // A required text can still be empty, or missing in what was stored before it was required.
  const type = input.type === undefined || input.type === '' ? 'tablet' : input.type;
  return { ...input, bus, type };
}
