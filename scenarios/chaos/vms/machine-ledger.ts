import type { Dice } from '../../simulation/dice.ts';

/** What somebody wants of a machine. */
export type Wish = 'absent' | 'stopped' | 'running';

type DeedKind = 'create' | 'start' | 'restart' | 'migrate' | 'stop' | 'delete';

/** What somebody may do to a machine, by what was wanted of it before. */
const DEEDS: Readonly<Record<Wish, readonly DeedKind[]>> = {
  absent: ['create'],
  stopped: ['start', 'delete'],
  running: ['restart', 'restart', 'migrate', 'migrate', 'migrate', 'stop', 'delete'],
};

export interface Deed {
  readonly kind: DeedKind;
  readonly machine: string;
}

/** What is wanted of each machine: what was asked for and taken. */
export class MachineLedger {
  readonly #wishes: Map<string, Wish>;

  constructor(names: readonly string[]) {
    this.#wishes = new Map(names.map((name) => [name, 'absent']));
  }

  get names(): readonly string[] {
    return [...this.#wishes.keys()];
  }

  wishFor(machine: string): Wish {
    return this.#wishes.get(machine) ?? 'absent';
  }

  /** The machines of which this is wanted. */
  wanted(wish: Wish): readonly string[] {
    return this.names.filter((name) => this.wishFor(name) === wish);
  }

  /** What to do next. */
  choose(dice: Dice): Deed {
    const machine = dice.pick(this.names);
    return { machine, kind: dice.pick(DEEDS[this.wishFor(machine)]) };
  }

  /** Notes that it was taken. */
  note({ machine, kind }: Deed): void {
    this.#wishes.set(machine, wishAfter(kind));
  }
}

function wishAfter(kind: DeedKind): Wish {
  switch (kind) {
    case 'create':
    case 'start':
    case 'restart':
    case 'migrate':
      return 'running';
    case 'stop':
      return 'stopped';
    case 'delete':
      return 'absent';
  }
}
