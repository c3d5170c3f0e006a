import { isBmcError } from './bmc-error.ts';
import type { PowerState } from './power-controller.ts';

export type WantedPower = 'on' | 'off';

const REACHED: Readonly<Record<WantedPower, readonly PowerState[]>> = {
  on: ['on', 'powering-on'],
  off: ['off', 'powering-off'],
};

/**
 * Sends a power command. Controllers refuse to switch off what is off, each with another status and text: a refusal
 * counts as asked if the state is the wanted one, or on its way there, and is thrown otherwise.
 */
export async function askForPower(
  wanted: WantedPower,
  command: () => Promise<void>,
  read: () => Promise<PowerState>,
): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!isBmcError(error, 'refused')) throw error;
    if (!REACHED[wanted].includes(await read())) throw error;
  }
}
