/** What an endpoint powers: a host of another bed. */
export interface PowerSwitch {
  isOn(): boolean;
  powerOn(): Promise<void>;
  /** At once, as if the plug were pulled. */
  powerOff(): Promise<void>;
}

/** A ComputerSystem. Without a switch it is a field that a reset changes. */
export interface BedSystem {
  readonly path: string;
  readonly uuid: string;
  readonly powerSwitch?: PowerSwitch | undefined;
  /** What PowerState says if there is no switch; a reset changes it. */
  power: unknown;
  /** How often PoweringOff is told before Off. */
  slowness: number;
  hasActions: boolean;
}

/** A system at a path, as `On` or as what is said instead. */
export function system(path: string, power: unknown = 'On', uuid: string = `${path.at(-1)}`.repeat(8)): BedSystem {
  return { path, uuid: `${uuid}-0000-0000-0000-000000000000`, power, slowness: 0, hasActions: true };
}
