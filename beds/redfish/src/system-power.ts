import type { BedSystem } from './bed-system.ts';

/** Switches the systems of an endpoint, and tells their power as controllers do: the order first, the deed later. */
export class SystemPower {
  readonly #changing = new Map<BedSystem, 'PoweringOn' | 'PoweringOff'>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** What PowerState says now. */
  read(system: BedSystem): unknown {
    const { powerSwitch } = system;
    if (powerSwitch !== undefined) return this.#changing.get(system) ?? (powerSwitch.isOn() ? 'On' : 'Off');
    if (system.power === 'PoweringOff' && system.slowness-- <= 0) system.power = 'Off';
    return system.power;
  }

  /** Begins to switch; `already` when it is so. */
  order(system: BedSystem, wanted: 'On' | 'Off'): 'begun' | 'already' {
    if (this.read(system) === wanted) return 'already';
    if (system.powerSwitch === undefined) {
      system.power = wanted === 'Off' && system.slowness > 0 ? 'PoweringOff' : wanted;
      return 'begun';
    }
    if (this.#changing.has(system)) return 'begun';
    const { powerSwitch } = system;
    this.#changing.set(system, `Powering${wanted}`);
    const deed = (wanted === 'Off' ? powerSwitch.powerOff() : powerSwitch.powerOn())
      .catch(this.#onFailure)
      .finally(() => {
        this.#changing.delete(system);
        this.#underWay.delete(deed);
      });
    this.#underWay.add(deed);
    return 'begun';
  }

  /** Resolves when nothing is being switched. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
